// The line that says what goes on, and what is said of a kernel that is busy or gone.

import { element, tell, write } from "../shared/dom.js";
import { steps } from "./format.js";

const LONG = 30_000; // milliseconds of silence after which it is trouble

/** What a page says whose kernel is gone: how it stood, and how the run that it shows is opened from its folder. */
export function lost(folder, alive) {
  const gone = "The kernel that this page belonged to was restarted or shut down. Nothing here moves any more: what is shown is how it stood.";
  if (!folder) return `${gone} Run the cell again for a new one.`;
  const name = JSON.stringify(folder);
  const further = alive ? ` It had not ended: clwork.resume(${name}) goes on with it.` : "";
  return `${gone} Its run is kept: lab.panel(run=clwork.open_run(${name})) shows it.${further}`;
}

export function silent(since, step) {
  return `No word from the kernel since ${new Date(since).toLocaleTimeString()}: it is busy, or gone. What is shown is how it stood at step ${steps(step)}.`;
}

/** Said after the run's own state while the kernel pushes news but answers no request. */
export function unanswered(since) {
  return ` Clicks have waited since ${new Date(since).toLocaleTimeString()}: the kernel runs another cell, or has lost this page. If no cell is running, reload the page or run this cell again.`;
}

export const isTrouble = (since) => Date.now() - since > LONG;

export class StatusLine {
  constructor(help) {
    this.sign = element("span", { class: "state-sign", "aria-hidden": "true" });
    this.text = element("span", { class: "state-text" });
    this.more = element("button", { class: "state-more", type: "button", text: "more", "aria-expanded": "false", hidden: true, onclick: () => this.open(!this.opened) });
    this.root = element("div", { class: "clwork-state" }, this.sign, this.text, this.more);
    this.polite = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.alert = element("div", { class: "unseen", role: "alert" });
    this.root.append(this.polite, this.alert);
    this.watch = new ResizeObserver(() => this.measure());
    this.watch.observe(this.root);
  }

  get opened() {
    return this.root.hasAttribute("data-open");
  }

  /** Show the whole text over what lies below, or one line of it. */
  open(whole) {
    this.root.toggleAttribute("data-open", whole);
    tell(this.more, "aria-expanded", String(whole));
    write(this.more, whole ? "less" : "more");
  }

  /** Offer the rest of a text that is longer than its line. */
  measure() {
    if (this.opened) return;
    const { text } = this;
    this.more.hidden = true;
    this.more.hidden = text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight + 1;
  }

  show(text, trouble) {
    if (this.text.textContent !== text) {
      this.open(false);
      write(this.text, text);
      this.measure();
    }
    write(this.sign, trouble ? "⚠" : "");
    tell(this.root, "data-trouble", String(Boolean(trouble)));
    if (trouble) write(this.alert, text);
    else if (this.alert.textContent) write(this.alert, "");
  }

  close() {
    this.watch.disconnect();
  }

  /** For readers of the screen: starts, pauses, ends, and each quarter of the run; no row and no probe. */
  speak({ status, step, total, sentence }) {
    const quarter = total ? Math.floor((4 * step) / total) : 0;
    const key = `${status} ${status === "running" ? quarter : ""}`;
    if (key === this.key) return;
    const first = this.key === undefined;
    this.key = key;
    if (first) return;
    write(this.polite, status === "running" && quarter > 0 ? `step ${steps(step)} of ${steps(total)}` : sentence);
  }
}
