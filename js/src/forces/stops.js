// The steps whose weights are kept, from the start to now, as a row of stops; and "look again".

import { element, steps, tell } from "../shared/dom.js";

export class Stops {
  /** `now`: what the last stop is. */
  constructor(act, now) {
    Object.assign(this, { act, now, buttons: new Map() });
    this.list = element("div", { class: "stops", role: "radiogroup", "aria-label": "step" });
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.again = element("button", { type: "button", class: "again", text: "look again", title: "compute the step once more: a run at work has gone on", onclick: () => act("look") });
    this.root = element("div", { class: "walk" }, this.list, this.again);
  }

  /** `stops`: steps in order, null for the present one. */
  fill(stops) {
    const same = stops.length === this.buttons.size && stops.every((step) => this.buttons.has(step));
    if (same) return;
    const focused = this.list.contains(document.activeElement);
    this.buttons = new Map(stops.map((step) => [step, this.stop(step)]));
    this.list.replaceChildren(...this.buttons.values());
    this.mark(this.chosen, false);
    if (focused) this.buttons.get(this.chosen)?.focus({ preventScroll: true });
  }

  stop(step) {
    const name = step === null ? this.now : step === 0 ? "at the start" : `after step ${steps(step)}`;
    const text = step === null ? "now" : step === 0 ? "start" : steps(step);
    return element("button", { type: "button", class: "stop", role: "radio", "aria-label": name, title: name, text, onclick: () => this.act("step", { step }) });
  }

  mark(chosen = null, working = false) {
    this.chosen = chosen;
    const at = this.buttons.has(chosen) ? chosen : null;
    for (const [step, button] of this.buttons) {
      tell(button, "aria-checked", String(step === chosen));
      tell(button, "tabindex", step === at ? "0" : "-1");
    }
    tell(this.root, "data-working", String(working));
  }

  walk(event) {
    const all = [...this.buttons.values()];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[Math.max(0, Math.min(all.length - 1, to))];
    next.focus();
    if (next !== all[at]) next.click();
  }
}
