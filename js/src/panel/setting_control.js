// The control of a setting: name, symbol, text field, slider. Sends at most eight values a second, and always the last one.

import { attribute, element, write } from "../shared/dom.js";
import { math } from "../shared/mathml.js";
import { short } from "../shared/text.js";

const EVERY = 125; // milliseconds between two messages while the reader drags the slider

export class SettingControl {
  /** `field`: from `about`; `hooks`: set(name, text or number) -> promise of an error or "", hot(name, on), help. */
  constructor(field, hooks) {
    Object.assign(this, { field, hooks, state: null, error: "", refused: null, busy: 0, held: false, editing: false, sent: 0 });
    const id = `clwork-${field.name}-${Math.random().toString(36).slice(2, 8)}`;
    const symbol = math(field.symbol);
    const sign = symbol?.textContent ?? "";
    const title = sign && field.title.endsWith(` ${sign}`) ? field.title.slice(0, -sign.length - 1) : field.title;
    this.name = element("label", { class: "knob-name", for: id }, element("span", { class: "knob-title", text: title }), symbol ?? "");
    this.input = this.made(id);
    this.slider = field.slider ? this.sliding() : null;
    this.note = element("div", { class: "knob-note" });
    this.root = element("div", { class: `clwork-knob ${field.kind}`, "data-name": field.name }, this.name, this.input, this.slider ?? "", this.note);
    this.listen();
    hooks.help?.on(this.root, () => [this.field.help, this.note.textContent].filter(Boolean).join(" "), "beside"); // the formula is above it
  }

  made(id) {
    const { kind, choices, title } = this.field;
    if (kind === "choice") {
      const box = element("select", { id, class: "knob-box", onchange: () => this.send(box.value) });
      box.append(...choices.map((one) => element("option", { value: String(one), text: String(one) })));
      return box;
    }
    if (kind === "bool") return element("input", { id, class: "knob-box", type: "checkbox", onchange: () => this.send(this.input.checked ? "yes" : "no") });
    const box = element("input", {
      id, class: "knob-box", type: "text", inputmode: kind === "text" ? "text" : "decimal", autocomplete: "off", spellcheck: "false", "aria-label": title,
      oninput: () => (this.editing = true), // do not overwrite the typed text before it is applied
      onchange: () => this.typed(),
      onkeydown: (event) => {
        if (event.key === "Enter") this.typed();
        if (event.key === "Escape" && (this.editing || this.error)) {
          this.editing = false;
          this.error = "";
          if (this.state) this.show(this.state);
          event.stopPropagation();
        }
      },
    });
    return box;
  }

  typed() {
    this.editing = false;
    if (this.input.value !== this.state?.text || this.error) this.send(this.input.value);
  }

  sliding() {
    const { min, max, step } = this.field.slider;
    const slider = element("input", { class: "knob-slider", type: "range", min, max, step: step || "any", "aria-label": this.field.title });
    slider.addEventListener("input", () => this.dragged());
    slider.addEventListener("change", () => this.dropped());
    return slider;
  }

  listen() {
    const { hooks, field } = this;
    for (const [type, on] of [["pointerenter", true], ["focusin", true], ["pointerleave", false], ["focusout", false]]) {
      this.root.addEventListener(type, () => hooks.hot?.(field.name, on || this.held || this.root.contains(document.activeElement)));
    }
  }

  get at() {
    const { log } = this.field.slider;
    const value = log ? log ** Number(this.slider.value) : Number(this.slider.value);
    const { kind, low, high } = this.field;
    return Math.min(high, Math.max(low, kind === "int" ? Math.round(value) : Number(value.toPrecision(3))));
  }

  dragged() {
    this.held = true;
    this.input.value = short(this.at);
    this.filled();
    this.hooks.hot?.(this.field.name, true);
    if (this.timer) return;
    const wait = Math.max(0, EVERY - (performance.now() - this.sent));
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.send(this.at);
    }, wait);
  }

  dropped() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.held = false;
    this.send(this.at);
  }

  /** Send a value. If it is rejected, keep the typed text and show the error. */
  async send(what) {
    this.sent = performance.now();
    this.busy += 1;
    const before = this.state?.text;
    this.error = await this.hooks.set(this.field.name, what);
    this.busy -= 1;
    this.refused = this.error ? before : null;
    if (this.state) this.show(this.state);
  }

  /** Show the kernel's value {text, idle, off}, without overwriting what the reader drags or types. */
  show(state) {
    this.state = state;
    if (state.text !== this.refused) this.error = ""; // another value has replaced the rejected text
    const { input, slider, root, error } = this;
    if (!this.held && !this.busy && !error) {
      if (this.field.kind === "bool") input.checked = state.text === "yes";
      else if (input.value !== state.text && !this.editing) input.value = state.text;
      if (slider) this.place(Number(state.text));
    }
    input.disabled = state.off;
    if (slider) slider.disabled = state.off;
    attribute(input, "aria-invalid", String(Boolean(error)));
    root.classList.toggle("wrong", Boolean(error));
    root.classList.toggle("idle", Boolean(state.idle));
    root.classList.toggle("off", Boolean(state.off && !state.idle));
    write(this.note, error.replace(`${this.field.title}: `, "") || state.idle || ""); // the title is next to it
    attribute(this.note, "role", error ? "alert" : "note");
    attribute(this.note, "title", this.note.textContent);
    if (slider) attribute(slider, "aria-valuetext", [input.value, this.field.unit].filter(Boolean).join(" "));
  }

  place(value) {
    const { log, min, max } = this.field.slider;
    if (!Number.isFinite(value)) return;
    const at = log ? Math.log(value) / Math.log(log) : value;
    if (at < Number(this.slider.min)) this.slider.min = String(at);
    if (at > Number(this.slider.max)) this.slider.max = String(at);
    if (at >= min && at <= max) [this.slider.min, this.slider.max] = [String(min), String(max)];
    this.slider.value = String(at);
    this.filled();
  }

  filled() {
    const { min, max, value } = this.slider;
    this.slider.style.setProperty("--done", `${(100 * (value - min)) / (max - min || 1)}%`);
  }

  get value() {
    return this.input.value;
  }

  matches(words) {
    const { name, title, help, unit } = this.field;
    const text = `${name} ${title} ${help} ${unit}`.toLowerCase();
    return words.toLowerCase().replaceAll("_", " ").split(/\s+/).every((word) => text.includes(word)) || text.includes(words.toLowerCase());
  }
}
