// The toolbar (start, step, stop, speed, steps, seed, progress, set-up), and the status line below
// it.

import { attribute, element, onResize, write } from "../shared/dom.js";
import { steps } from "../shared/text.js";
import { SettingControl } from "./setting_control.js";

const AT_WORK = new Set(["starting", "waiting", "running", "paused"]);

/** The main button's next command and its label. */
function nextOf({ status, alive }) {
  if (!alive || !AT_WORK.has(status)) return ["start", "Start"];
  // alternates
  return ["pause", status === "paused" ? "Resume" : "Pause"];
}

/** The buttons of a run and its progress. */
export class Toolbar {
  /** `about`: from the model; `hooks`: act(command, more), set(name, what), setup(), help. */
  constructor(about, hooks) {
    this.hooks = hooks;
    const { method, steps: length, seed } = about;
    const title = { class: "method-name", text: method.title ?? "" };
    this.method = method.paper?.startsWith("http")
      ? element("a", {
          ...title,
          href: method.paper,
          target: "_blank",
          rel: "noopener",
          title: `${method.title}: its paper`,
        })
      : element("span", { ...title, title: method.paper || method.title });
    const button = (name, text, label, act) =>
      element("button", {
        class: `clwork-${name}`,
        type: "button",
        text,
        "aria-label": label,
        onclick: act,
      });
    this.start = button("start", "Start", "Start", () => this.press());
    this.step = button("step", "▸❘", "one step", () => this.hooks.act("step"));
    this.stop = button("stop", "■", "stop", () => this.hooks.act("stop"));
    this.speed = this.createSpeed();
    this.fields = [length, seed]
      .filter(Boolean)
      .map((field) => new SettingControl(field, { set: hooks.set, help: hooks.help }));
    this.bar = element("div", { class: "bar-done" });
    this.left = element("div", { class: "clwork-left" });
    this.status = new StatusLine();
    this.progress = element(
      "div",
      {
        class: "bar",
        role: "progressbar",
        "aria-label": "progress of the run",
        "aria-valuemin": 0,
      },
      this.bar,
    );
    const state = element(
      "div",
      { class: "clwork-progress" },
      this.progress,
      element("div", { class: "state-row" }, this.status.root, this.left),
    );
    this.chip = element(
      "button",
      {
        class: "clwork-setup",
        type: "button",
        "aria-haspopup": "dialog",
        "aria-expanded": "false",
        onclick: hooks.setup,
      },
      element("span", { class: "chip-text", text: "set-up" }),
      element("span", { class: "chip-end", "aria-hidden": "true", text: "▾" }),
    );
    this.root = element(
      "div",
      { class: "clwork-control", role: "group", "aria-label": "Control" },
      this.method,
      this.start,
      this.step,
      this.stop,
      state,
      this.chip,
    );
    hooks.help.on(
      this.start,
      () =>
        "Start trains with the settings below. During a run this button pauses and resumes it. (s)",
    );
    hooks.help.on(
      this.step,
      () =>
        "Train one step, then wait. Without a run it starts one and waits after its first step. (.)",
    );
    hooks.help.on(this.stop, () => "End the run after the current step; its result is saved.");
    hooks.help.on(
      this.chip,
      () =>
        `Encoder and corpus: ${this.chip.firstChild.textContent}. Click to change them, or to use settings as published.`,
    );
  }

  /** The switch between slow and full speed. */
  createSpeed() {
    const choose = (choice) => {
      this.pace(choice);
      this.hooks.act("speed", { speed: choice });
    };
    this.slow = element("button", {
      type: "button",
      text: "slow",
      "aria-pressed": "false",
      title: "wait between steps",
      onclick: () => choose("slow"),
    });
    this.full = element("button", {
      type: "button",
      text: "full",
      "aria-pressed": "true",
      title: "without waiting",
      onclick: () => choose("full"),
    });
    return element(
      "div",
      { class: "clwork-speed switch", role: "group", "aria-label": "speed of training" },
      this.slow,
      this.full,
    );
  }

  /** Show the chosen speed. */
  pace(choice) {
    attribute(this.slow, "aria-pressed", String(choice === "slow"));
    attribute(this.full, "aria-pressed", String(choice !== "slow"));
  }

  /** What a click on the main button does. */
  press() {
    this.hooks.act(nextOf(this.runState ?? {})[0]);
  }

  /** Show the status of the run. */
  show(runState) {
    this.runState = runState;
    const { status, alive, step, total, left } = runState;
    const [name, word] = nextOf(runState);
    write(this.start, word);
    attribute(this.start, "aria-label", word);
    attribute(this.start, "data-next", name);
    if (runState.speed) this.pace(runState.speed);
    this.start.disabled = status === "elsewhere";
    this.stop.disabled = !alive || !AT_WORK.has(status);
    this.step.disabled =
      status === "elsewhere" || (alive && status !== "paused" && status !== "running");
    const prepares = alive && (status === "starting" || status === "waiting");
    attribute(this.progress, "data-busy", String(prepares));
    const part = total && step ? Math.min(1, step / total) : 0;
    this.bar.style.transform = `scaleX(${prepares ? 1 : part})`;
    const ran = alive || (step > 0 && status !== "ready");
    const words = ran
      ? [`${steps(step)} of ${steps(total)}`, left].filter(Boolean).join(" · ")
      : `${steps(total)} steps`;
    write(this.left, words);
    attribute(this.left, "title", words);
    attribute(this.progress, "aria-valuemax", String(total || 1));
    attribute(this.progress, "aria-valuenow", String(step || 0));
    attribute(this.progress, "aria-valuetext", ran ? `step ${words}` : words);
  }

  /** Show that a step was done, at most twice a second. */
  flash() {
    const now = performance.now();
    if (now - (this.flashd ?? 0) < 500) return;
    this.flashd = now;
    this.bar.animate?.([{ opacity: 1 }, { opacity: 0.6 }, { opacity: 1 }], { duration: 400 });
  }

  /** Show the kernel's settings; `words` describe encoder and corpus. */
  set(settings, words) {
    for (const field of this.fields)
      if (settings.controls?.[field.field.name]) field.show(settings.controls[field.field.name]);
    write(this.chip.firstChild, words);
  }
}

// milliseconds without a reply that count as trouble
const LONG = 30_000;

/** The status when the kernel is gone, with the call that opens the run's folder. */
export function lost(folder, alive) {
  const gone =
    "The kernel of this page was restarted or shut down. The page shows the last state that it received.";
  if (!folder) return `${gone} Run the cell again for a new one.`;
  const name = JSON.stringify(folder);
  const further = alive ? ` The run had not ended: clwork.resume(${name}) continues it.` : "";
  return `${gone} The run is stored: lab.panel(run=clwork.open_run(${name})) shows it.${further}`;
}

/** The status while the kernel sends nothing. */
export function silent(since, step) {
  return `No message from the kernel since ${new Date(since).toLocaleTimeString()}: it is busy or has stopped. The page shows step ${steps(step)}.`;
}

/** Appended to the run's status while the kernel pushes data but answers no request. */
export function unanswered(since) {
  return ` Clicks have waited since ${new Date(since).toLocaleTimeString()}: the kernel runs another cell, or no longer knows this page. If no cell is running, reload the page or run this cell again.`;
}

/** Whether the kernel has not replied for so long that this is an error. */
export const isTrouble = (since) => Date.now() - since > LONG;

/** One line of text, with a button if it is longer, and a second copy for screen readers. */
export class StatusLine {
  constructor() {
    this.sign = element("span", { class: "state-sign", "aria-hidden": "true" });
    this.text = element("span", { class: "state-text" });
    this.more = element("button", {
      class: "state-more",
      type: "button",
      text: "more",
      "aria-expanded": "false",
      hidden: true,
      onclick: () => this.open(!this.opened),
    });
    this.root = element("div", { class: "clwork-state" }, this.sign, this.text, this.more);
    this.polite = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.alert = element("div", { class: "unseen", role: "alert" });
    this.root.append(this.polite, this.alert);
    onResize(this.root, () => this.measure());
  }

  /** Whether the complete text is shown. */
  get opened() {
    return this.root.hasAttribute("data-open");
  }

  /** Show the complete text as an overlay, or only its first line. */
  open(whole) {
    this.root.toggleAttribute("data-open", whole);
    attribute(this.more, "aria-expanded", String(whole));
    write(this.more, whole ? "less" : "more");
  }

  /** Show the button only if the text does not fit. */
  measure() {
    if (this.opened) return;
    const { text } = this;
    this.more.hidden = true;
    this.more.hidden =
      text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight + 1;
  }

  /** Show a text; `trouble` marks it as an error. */
  show(text, trouble) {
    if (this.text.textContent !== text) {
      this.open(false);
      write(this.text, text);
      this.measure();
    }
    write(this.sign, trouble ? "⚠" : "");
    attribute(this.root, "data-trouble", String(Boolean(trouble)));
    if (trouble) write(this.alert, text);
    else if (this.alert.textContent) write(this.alert, "");
  }

  /**
   * Announce to screen readers when a run starts, pauses or ends, and each quarter; no rows or
   * probes.
   */
  speak({ status, step, total, sentence }) {
    const quarter = total ? Math.floor((4 * step) / total) : 0;
    const key = `${status} ${status === "running" ? quarter : ""}`;
    if (key === this.key) return;
    const first = this.key === undefined;
    this.key = key;
    if (first) return;
    write(
      this.polite,
      status === "running" && quarter > 0 ? `step ${steps(step)} of ${steps(total)}` : sentence,
    );
  }
}
