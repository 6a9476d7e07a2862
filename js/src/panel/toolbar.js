// The toolbar: start, step, stop, progress and status, set-up.

import { attribute, button, div, element, write } from "../shared/dom.js";
import { steps } from "../shared/text.js";

const AT_WORK = new Set(["starting", "waiting", "running", "paused"]);

/** The main button's next command and its label. */
function nextOf({ status, alive }) {
  if (!alive || !AT_WORK.has(status)) return ["start", "Start"];
  // alternates
  return ["pause", status === "paused" ? "Resume" : "Pause"];
}

/** The buttons of a run, its progress and its status. */
export class Toolbar {
  /** `method`: from `about`; `act(name)`: sends a command. */
  constructor(method, act) {
    this.act = act;
    this.start = button("clwork-start", "Start", () => this.press(), {
      title: "Train with the settings below; during a run pause and resume it (s)",
    });
    this.step = button("clwork-step later", "▸❘", () => this.oneStep(), {
      "aria-label": "one step",
      title: "Train one step, then wait (.)",
    });
    this.stop = button("clwork-stop later", "■", () => act("stop"), {
      "aria-label": "stop",
      title: "End the run after the current step; its result is saved",
    });
    this.chip = button("clwork-setup clipped", "set-up", null, {
      title: "Change encoder and corpus, or use settings as published",
    });
    this.bar = div("");
    this.progress = div("bar later", this.bar);
    attribute(this.progress, "role", "progressbar");
    this.left = div("clwork-left small");
    // with the focus or under the pointer, a long text is shown whole
    this.text = element("div", { class: "state-text clipped", tabindex: 0, role: "status" });
    this.status = div("clwork-state", this.text);
    const name = element("a", {
      class: "method-name clipped",
      href: method.paper?.startsWith("http") ? method.paper : null,
      target: "_blank",
      rel: "noopener",
      title: method.paper,
      text: method.title,
    });
    const progress = div("clwork-progress", this.progress, div("lined", this.status, this.left));
    this.root = div(
      "clwork-control lined",
      ...[name, this.start, this.step, this.stop, progress, this.chip],
    );
  }

  /** What a click on the main button does. */
  press() {
    this.act(nextOf(this.runState ?? {})[0]);
  }

  oneStep() {
    if (!this.step.disabled) this.act("step");
  }

  /** Show the status of the run. */
  show(runState) {
    this.runState = runState;
    const { status, alive, step, total, left } = runState;
    const [name, word] = nextOf(runState);
    write(this.start, word);
    attribute(this.start, "data-next", name);
    this.start.disabled = status === "elsewhere";
    this.stop.disabled = !alive || !AT_WORK.has(status);
    this.step.disabled = this.start.disabled || (alive && !["paused", "running"].includes(status));
    const prepares = alive && (status === "starting" || status === "waiting");
    attribute(this.progress, "data-busy", String(prepares));
    const part = total && step ? Math.min(1, step / total) : 0;
    this.bar.style.transform = `scaleX(${prepares ? 1 : part})`;
    const ran = alive || (step > 0 && status !== "ready");
    const words = [`${steps(step)} of ${steps(total)}`, left].filter(Boolean).join(" · ");
    write(this.left, ran ? words : `${steps(total)} steps`);
    attribute(this.progress, "aria-valuemax", String(total || 1));
    attribute(this.progress, "aria-valuenow", String(step || 0));
  }

  /** Show a text as status; `trouble` marks it as an error. */
  report(text, trouble) {
    write(this.text, text);
    attribute(this.text, "role", trouble ? "alert" : "status");
    attribute(this.status, "data-trouble", String(trouble));
  }
}
