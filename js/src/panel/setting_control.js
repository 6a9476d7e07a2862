// The control of a setting: a name and a number that is typed, stepped by the arrow keys or dragged
// sideways. It sends at most eight values a second, and always the last one.

import { attribute, div, element, span, write } from "../shared/dom.js";
import { math } from "../shared/mathml.js";
import { short } from "../shared/text.js";

// milliseconds between two messages while the reader drags a number
const EVERY = 125;
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
   * hot(name or null), changed().
   */
  constructor(field, hooks) {
    Object.assign(this, { field, hooks, state: null, error: "", refused: null });
    Object.assign(this, { busy: 0, held: false, editing: false, sent: 0, at: 0 });
    const symbol = math(field.symbol);
    const sign = symbol?.textContent ?? "";
    // the symbol stands behind the title
    const title = field.title.endsWith(` ${sign}`)
      ? field.title.slice(0, -sign.length - 1)
      : field.title;
    const name = span(
      "knob-name clipped",
      span("clipped", title),
      sign.length < 3 ? (symbol ?? "") : "",
    );
    this.input = this.made();
    this.note = div("knob-note small");
    this.root = element(
      "label",
      {
        class: `clwork-knob ${field.kind}`,
        "data-name": field.name,
        onpointerenter: () => hooks.hot(field.name),
        onpointerleave: () => hooks.hot(null),
        onfocusin: () => hooks.hot(field.name),
        onfocusout: () => hooks.hot(null),
      },
      name,
      this.input,
      this.note,
    );
    if (field.slider) this.drag(this.input);
  }

  /** The input of the setting: a menu, a checkbox or a text field. */
  made() {
    const { kind, choices, title, slider } = this.field;
    if (kind === "choice")
      return element(
        "select",
        { class: "knob-box", onchange: () => this.send(this.input.value) },
        ...choices.map((text) => element("option", { value: text, text })),
      );
    if (kind === "bool")
      return element("input", {
        class: "knob-box",
        type: "checkbox",
        onchange: () => this.send(this.input.checked ? "yes" : "no"),
      });
    return element("input", {
      class: slider ? "knob-box knob-number" : "knob-box",
      type: "text",
      inputmode: kind === "text" ? "text" : "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": title,
      role: slider ? "spinbutton" : null,
      // do not overwrite the typed text before it is applied
      oninput: () => {
        this.editing = true;
      },
      onchange: () => this.typed(),
      onkeydown: (event) => {
        if (event.key === "Enter") this.typed();
        if (event.key !== "Escape" || !(this.editing || this.error)) return;
        this.editing = false;
        this.error = "";
        this.show(this.state);
        event.stopPropagation();
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
      node.addEventListener("pointermove", move, { signal: drag.signal });
      node.addEventListener("pointerup", done, { signal: drag.signal });
      node.addEventListener("pointercancel", done, { signal: drag.signal });
    });
    node.addEventListener("keydown", (event) => {
      const way = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (!way || this.state?.off) return;
      event.preventDefault();
      event.stopPropagation();
      const before = this.input.value;
      // an integer needs several notches
      for (let notch = 1; notch <= NOTCHES && this.input.value === before; notch++)
        this.move(this.at + (way * (max - min)) / NOTCHES);
      this.dropped();
    });
  }

  /** Show the value at a position on the range, and send it after a moment. */
  move(at) {
    const { slider, kind, low, high } = this.field;
    this.held = true;
    // a value typed beyond the range can be moved back
    const [least, most] = [Math.min(slider.min, this.at), Math.max(slider.max, this.at)];
    this.at = Math.max(least, Math.min(most, at));
    const value = slider.log ? slider.log ** this.at : this.at;
    const rounded = kind === "int" ? Math.round(value) : Number(value.toPrecision(3));
    this.now = Math.min(high, Math.max(low, rounded));
    this.input.value = short(this.now);
    this.filled();
    this.hooks.changed();
    const wait = Math.max(0, EVERY - (performance.now() - this.sent));
    this.timer ||= setTimeout(() => {
      this.timer = 0;
      this.send(this.now);
    }, wait);
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
    this.error = await this.hooks.set(this.field.name, what);
    this.busy -= 1;
    this.refused = this.error ? before : null;
    if (this.state) this.show(this.state);
    this.hooks.changed();
  }

  /**
   * Show the kernel's value {text, idle, off}, without overwriting what the reader drags or types.
   */
  show(state) {
    this.state = state;
    // another value has replaced the rejected text
    if (state.text !== this.refused) this.error = "";
    const { input, root, error, field } = this;
    if (!this.held && !this.busy && !error) {
      if (field.kind === "bool") input.checked = state.text === "yes";
      else if (!this.editing) input.value = state.text;
      const value = Number(state.text);
      this.at = field.slider?.log ? Math.log(value) / Math.log(field.slider.log) : value;
      this.filled();
    }
    input.disabled = state.off;
    attribute(input, "aria-invalid", String(Boolean(error)));
    root.classList.toggle("wrong", Boolean(error));
    // the title is next to it
    write(this.note, error.replace(`${field.title}: `, "") || state.idle || field.help);
    attribute(this.note, "role", error ? "alert" : "note");
    attribute(root, "title", [field.help, state.idle].filter(Boolean).join(" "));
  }

  /** Fill the number's box up to the value's position on the range. */
  filled() {
    const { slider, unit = "" } = this.field;
    if (!slider) return;
    const part = (this.at - slider.min) / (slider.max - slider.min || 1);
    this.input.style.setProperty("--done", `${100 * Math.max(0, Math.min(1, part))}%`);
    attribute(this.input, "aria-valuetext", `${this.input.value} ${unit}`.trim());
  }
}
