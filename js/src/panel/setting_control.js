// The control of a setting: a name and a number that is typed, stepped by the arrow keys or dragged
// sideways. It sends at most eight values a second, and always the last one.

import { attribute, element, write } from "../shared/dom.js";
import { math } from "../shared/mathml.js";
import { short } from "../shared/text.js";

// milliseconds between two messages while the reader drags a number
const EVERY = 125;
// milliseconds until a control shows that the kernel has not taken its value
const LATE = 700;
// pixels of a drag through the complete range
const TRAVEL = 240;
// arrow keys from one end of the range to the other
const NOTCHES = 100;
// pixels from which a press counts as a drag
const MOVED = 3;

/**
 * `state` is the kernel's value; `busy` counts values without a reply; `held` is true during a
 * drag, `editing` while text is typed; `at` is the position on the range, a logarithm if the range
 * is logarithmic.
 */
export class SettingControl {
  /**
   * `field`: from `about`; `hooks`: set(name, text or number) -> promise of an error or "",
   * hot(name, on), changed(), help.
   */
  constructor(field, hooks) {
    Object.assign(this, {
      field,
      hooks,
      state: null,
      error: "",
      refused: null,
      busy: 0,
      held: false,
      editing: false,
      sent: 0,
      at: 0,
    });
    const id = `clwork-${field.name}-${Math.random().toString(36).slice(2, 8)}`;
    const symbol = math(field.symbol);
    const sign = symbol?.textContent ?? "";
    const title =
      sign && field.title.endsWith(` ${sign}`)
        ? field.title.slice(0, -sign.length - 1)
        : field.title;
    this.name = element(
      "label",
      { class: "knob-name", for: id },
      element("span", { class: "knob-title", text: title }),
      sign.length < 3 ? (symbol ?? "") : "",
    );
    this.input = this.made(id);
    this.note = element("div", { class: "knob-note" });
    this.root = element(
      "div",
      { class: `clwork-knob ${field.kind}`, "data-name": field.name },
      this.name,
      this.input,
      this.note,
    );
    if (field.slider) this.drag(this.input);
    for (const [type, on] of [
      ["pointerenter", true],
      ["focusin", true],
      ["pointerleave", false],
      ["focusout", false],
    ]) {
      this.root.addEventListener(type, () =>
        hooks.hot?.(field.name, on || this.held || this.root.contains(document.activeElement)),
      );
    }
    hooks.help?.on(
      this.root,
      () => [field.help, this.note.textContent].filter(Boolean).join(" "),
      "below",
    );
  }

  /** The input of the setting: a menu, a checkbox or a text field. */
  made(id) {
    const { kind, choices, title, slider } = this.field;
    if (kind === "choice") {
      const box = element("select", {
        id,
        class: "knob-box",
        onchange: () => this.send(box.value),
      });
      box.append(
        ...choices.map((one) => element("option", { value: String(one), text: String(one) })),
      );
      return box;
    }
    if (kind === "bool")
      return element("input", {
        id,
        class: "knob-box",
        type: "checkbox",
        onchange: () => this.send(this.input.checked ? "yes" : "no"),
      });
    return element("input", {
      id,
      class: slider ? "knob-box knob-number" : "knob-box",
      type: "text",
      inputmode: kind === "text" ? "text" : "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": title,
      role: slider ? "spinbutton" : null,
      // do not overwrite the typed text before it is applied
      oninput: () => (this.editing = true),
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
  }

  /** Send the typed text if it differs from the kernel's value. */
  typed() {
    this.editing = false;
    if (this.input.value !== this.state?.text || this.error) this.send(this.input.value);
  }

  /**
   * Make a node, this control's number or the same number in the formula, change the value when
   * dragged or stepped.
   */
  drag(node) {
    const { min, max } = this.field.slider;
    node.addEventListener("pointerdown", (event) => {
      // the reader edits the text
      if (event.button || this.state?.off || document.activeElement === this.input) return;
      event.preventDefault();
      node.setPointerCapture(event.pointerId);
      // the controller removes the listeners of this drag
      const [x, at, drag] = [event.clientX, this.at, new AbortController()];
      const move = ({ clientX }) => {
        if (this.held || Math.abs(clientX - x) >= MOVED)
          this.move(at + ((clientX - x) / TRAVEL) * (max - min));
      };
      const done = () => {
        drag.abort();
        if (this.held) return this.dropped();
        this.input.focus();
        return this.input.select();
      };
      for (const [type, act] of [
        ["pointermove", move],
        ["pointerup", done],
        ["pointercancel", done],
      ])
        node.addEventListener(type, act, { signal: drag.signal });
    });
    node.addEventListener("keydown", (event) => {
      const way = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (!way || this.state?.off) return;
      event.preventDefault();
      event.stopPropagation();
      const before = this.value;
      for (let notch = 1; notch <= NOTCHES && this.value === before; notch++)
        this.move(this.at + (way * (max - min)) / NOTCHES);
      this.dropped();
    });
  }

  /** Show the value at a position on the range, and send it after a moment. */
  move(at) {
    const { min, max, log } = this.field.slider;
    const { kind, low, high } = this.field;
    this.held = true;
    this.at = Math.max(Math.min(min, this.at), Math.min(Math.max(max, this.at), at));
    const value = log ? log ** this.at : this.at;
    this.now = Math.min(
      high,
      Math.max(low, kind === "int" ? Math.round(value) : Number(value.toPrecision(3))),
    );
    this.input.value = short(this.now);
    this.filled();
    this.hooks.hot?.(this.field.name, true);
    this.hooks.changed?.();
    if (this.timer) return;
    this.timer = setTimeout(
      () => {
        this.timer = 0;
        this.send(this.now);
      },
      Math.max(0, EVERY - (performance.now() - this.sent)),
    );
  }

  /** The drag has ended: send its last value at once. */
  dropped() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.held = false;
    this.send(this.now);
  }

  /** Send a value. If it is rejected, keep the typed text and show the error. */
  async send(what) {
    this.sent = performance.now();
    this.busy += 1;
    const before = this.state?.text;
    const late = setTimeout(() => this.waits(true), LATE);
    this.error = await this.hooks.set(this.field.name, what);
    clearTimeout(late);
    this.busy -= 1;
    if (!this.busy) this.waits(false);
    this.refused = this.error ? before : null;
    if (this.state) this.show(this.state);
  }

  /** Hatch the control while the kernel has not taken its value, because it runs another cell. */
  waits(late) {
    this.root.classList.toggle("waits", late);
    this.hooks.waits?.(late);
  }

  /**
   * Show the kernel's value {text, idle, off}, without overwriting what the reader drags or types.
   */
  show(state) {
    this.state = state;
    // another value has replaced the rejected text
    if (state.text !== this.refused) this.error = "";
    const { input, root, error } = this;
    if (!this.held && !this.busy && !error) {
      if (this.field.kind === "bool") input.checked = state.text === "yes";
      else if (input.value !== state.text && !this.editing) input.value = state.text;
      this.place(Number(state.text));
    }
    input.disabled = state.off;
    attribute(input, "aria-invalid", String(Boolean(error)));
    root.classList.toggle("wrong", Boolean(error));
    root.classList.toggle("idle", Boolean(state.idle));
    root.classList.toggle("off", Boolean(state.off && !state.idle));
    // the title is next to it
    write(this.note, error.replace(`${this.field.title}: `, "") || state.idle || "");
    attribute(this.note, "role", error ? "alert" : "note");
    attribute(this.note, "title", this.note.textContent);
  }

  /** Move the position on the range to a value. */
  place(value) {
    const { slider } = this.field;
    if (!slider || !Number.isFinite(value)) return;
    this.at = slider.log ? Math.log(Math.max(value, 1e-12)) / Math.log(slider.log) : value;
    this.filled();
  }

  /** Fill the number's box up to the value's position on the range. */
  filled() {
    const { min, max } = this.field.slider;
    this.input.style.setProperty(
      "--done",
      `${Math.max(0, Math.min(100, (100 * (this.at - min)) / (max - min || 1)))}%`,
    );
    attribute(
      this.input,
      "aria-valuetext",
      [this.input.value, this.field.unit].filter(Boolean).join(" "),
    );
  }

  /** The shown text. */
  get value() {
    return this.input.value;
  }

  /** Whether name, title, help or unit contain all words. */
  matches(words) {
    const { name, title, help, unit } = this.field;
    const text = `${name} ${title} ${help} ${unit}`.toLowerCase();
    return (
      words
        .toLowerCase()
        .replaceAll("_", " ")
        .split(/\s+/)
        .every((word) => text.includes(word)) || text.includes(words.toLowerCase())
    );
  }
}
