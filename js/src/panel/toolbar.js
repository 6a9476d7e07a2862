// The toolbar: start, step, stop, progress and status, set-up.

import { attribute, partsOf, write } from "../shared/dom.js";
import { steps } from "../shared/text.js";

const AT_WORK = new Set(["starting", "waiting", "running", "paused"]);

/** The main button's next command and its label. */
function nextOf({ status, alive }) {
  if (!alive || !AT_WORK.has(status)) return ["start", "Start"];
  // alternates
  return ["pause", status === "paused" ? "Resume" : "Pause"];
}

// with the focus or under the pointer, a long status is shown whole
const BAR = `
  <div class="clwork-control lined">
    <a class="method-name clipped" data-part="name" target="_blank" rel="noopener"></a>
    <button class="clwork-start" data-part="start"
      title="Train with the settings below; during a run pause and resume it (s)">Start</button>
    <button class="clwork-step later" data-part="step" aria-label="one step"
      title="Train one step, then wait (.)">▸❘</button>
    <button class="clwork-stop later" data-part="stop" aria-label="stop"
      title="End the run after the current step; its result is saved">■</button>
    <div class="clwork-progress">
      <progress class="bar later" data-part="bar" aria-label="progress of the run"></progress>
      <div class="lined">
        <div class="clwork-state" data-part="status">
          <div class="state-text clipped" data-part="text" tabindex="0" role="status"></div>
        </div>
        <div class="clwork-left small" data-part="left"></div>
      </div>
    </div>
    <button class="clwork-setup clipped" data-part="chip"
      title="Change encoder and corpus, or use settings as published">set-up</button>
  </div>`;

/** The buttons of a run, its progress and its status. */
export class Toolbar {
  /** `method`: from `about`; `act(name)`: sends a command. */
  constructor(method, act) {
    Object.assign(this, partsOf(BAR), { act });
    write(this.name, method.title);
    this.name.title = method.paper ?? "";
    if (method.paper?.startsWith("http")) this.name.href = method.paper;
    this.start.onclick = () => this.press();
    this.step.onclick = () => this.oneStep();
    this.stop.onclick = () => act("stop");
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
    const { status, alive, step, total, left, part } = runState;
    const [name, word] = nextOf(runState);
    write(this.start, word);
    attribute(this.start, "data-next", name);
    this.start.disabled = status === "elsewhere";
    this.stop.disabled = !alive || !AT_WORK.has(status);
    this.step.disabled = this.start.disabled || (alive && !["paused", "running"].includes(status));
    const prepares = alive && ["starting", "waiting"].includes(status);
    // of what is read before a run, the share that is done, if it is known
    this.bar.max = prepares ? 1 : total || 1;
    this.bar.value = (prepares ? part : step) || 0;
    // without a value it shows that something is prepared
    if (prepares && !part) this.bar.removeAttribute("value");
    const ran = alive || (step > 0 && status !== "ready");
    const words = [`${steps(step)} of ${steps(total)}`, left].filter(Boolean).join(" · ");
    write(this.left, ran ? words : `${steps(total)} steps`);
  }

  /** Show a text as status; `trouble` marks it as an error. */
  report(text, trouble) {
    write(this.text, text);
    attribute(this.text, "role", trouble ? "alert" : "status");
    attribute(this.status, "data-trouble", String(trouble));
  }
}
