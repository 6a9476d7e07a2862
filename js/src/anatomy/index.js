// The anatomy of a method: one batch as a row of stages, from sentences to nearest sentences; see
// clwork/lab/anatomy_view.py. The model holds `about`: {title, formula}. The channel delivers the
// rest, one moment at a time.

import { Channel, STANDING } from "../shared/channel.js";
import { attribute, div, element, offer, span, write } from "../shared/dom.js";
import { math } from "../shared/mathml.js";
import { mount, onSlide } from "../shared/mount.js";
import { point } from "../shared/point.js";
import { brief } from "../shared/text.js";
import { Controls } from "./controls.js";
import { nearestList, pullList, sentenceList, softmaxBars } from "./lists.js";
import { drawPlane } from "./plane.js";
import css from "./style.css";
import { drawTable } from "./table.js";
import { textsOf, traits } from "./texts.js";
import { Timeline } from "./timeline.js";

const STAGES = ["sentences", "table", "softmax", "pulls", "plane", "nearest"];

/** A stage: a heading that opens an explanation, and what is drawn below. */
class Stage {
  constructor(name) {
    this.title = element("span");
    this.text = element("span");
    // lines of the formula that belong to this stage
    this.more = div("numbers");
    this.number = span("number");
    this.body = div("body");
    const head = element("summary", {}, this.number, this.title);
    const about = element("details", {}, head, div("about", this.text, this.more));
    this.root = element("section", { class: `stage ${name}` }, about, this.body);
  }

  /** Set title and explanation. */
  label([title, about]) {
    write(this.title, title);
    write(this.text, about);
    attribute(this.root, "aria-label", title);
  }

  show(...nodes) {
    this.body.replaceChildren(...nodes);
  }
}

/** All stages, the controls, and the connection to the kernel. */
class Page {
  constructor(model) {
    this.known = {};
    this.moment = null;
    this.dark = false;
    const { title, formula, recorded, forces } = model.get("about");
    // the moments of a page without a kernel, one for each step
    this.recorded = recorded;
    this.controls = new Controls(title, (name, more) => this.command(name, more));
    this.stages = Object.fromEntries(STAGES.map((name) => [name, new Stage(name)]));
    this.questions = element("select", {
      class: "questions",
      "aria-label": "which part of the loss",
      onchange: ({ target }) => this.command("ask", { question: Number(target.value) }),
    });
    this.formula = div("formula", math(formula) ?? "");
    this.numbers = element("div", { class: "numbers", tabindex: "0" });
    this.state = element("p", { class: "state", role: "status" });
    this.timeline = new Timeline(forces);
    this.root = element(
      "section",
      {
        class: "clwork-look clwork-anatomy",
        "aria-label": `Anatomy of ${title}`,
        "data-fits": true,
        "data-slide": onSlide(),
      },
      div(
        "parts",
        this.controls.root,
        this.state,
        div("loss", this.questions, this.formula, this.numbers),
        div("stages", ...Object.values(this.stages).map(({ root }) => root)),
        this.timeline.root,
      ),
    );
    if (recorded) this.take(recorded[0]);
    else this.channel = this.channelOf(model);
  }

  /** The connection to the kernel. */
  channelOf(model) {
    return new Channel(model, {
      known: () => this.known,
      take: (news) => this.receive(news),
      lively: () => this.channel.sending,
      refused: (why) => this.speak(why, true),
      standing: (line) => this.speak(STANDING[line] ?? "", line === "gone"),
      sending: (busy) => {
        if (busy) this.speak("");
        attribute(this.root, "aria-busy", String(busy));
      },
    });
  }

  /** Take the kernel's news; of a page that was just opened, the acts are over. */
  receive({ moment, act }) {
    const wasOpen = this.moment !== null;
    if (moment) this.take(moment);
    if (!act) return;
    this.known.act = act.version;
    if (wasOpen) point(Object.keys(act.actions).flatMap((name) => this.placesOf(name)));
  }

  /** The part that an action of a lesson's sentence is about. */
  placesOf(name) {
    const { buttons, sliders } = this.controls;
    const parts = { ...buttons, choose: this.stages.sentences.root };
    return parts[name] ?? sliders.get(name)?.root ?? [];
  }

  /** Show another recorded moment; all else needs the kernel. */
  replay(name, { count }) {
    const last = this.recorded.length - 1;
    const at = this.recorded.indexOf(this.moment);
    this.speak("");
    if (name === "restart") this.take(this.recorded[0]);
    else if (name === "step" && at < last) this.take(this.recorded[Math.min(last, at + count)]);
    else
      this.speak(
        "This page replays ten recorded steps. Open the notebook to change anything: that needs Python.",
      );
  }

  /** Send a command after those that wait. */
  command(name, more = {}) {
    // of a slider only the newest value counts, but each step is done
    const key = name === "set" ? more.setting : Symbol(name);
    if (this.recorded) this.replay(name, more);
    else this.channel.queue(key, name, more);
  }

  speak(text, trouble = false) {
    write(this.state, trouble && text ? `⚠ ${text}` : text);
    attribute(this.state, "data-trouble", String(trouble));
  }

  /** Show a moment: every part is drawn from it alone, so that no part can lag behind. */
  take(moment) {
    this.known.moment = moment.version;
    this.moment = moment;
    this.draw();
  }

  draw() {
    const { moment } = this;
    if (!moment) return;
    // sentence k of the batch is the k-th that is kept
    const texts = moment.texts.filter((_, index) => moment.kept[index]);
    const choose = (row) => this.command("choose", { row });
    this.controls.show(moment);
    this.questions.hidden = moment.questions.length < 2;
    const roles = moment.questions.map((role, index) => [index, role]);
    offer(this.questions, roles, moment.question);
    // the formula with numbers; then the derivatives, if there are any, and the sum of the terms
    const [, numbers, ...derived] = moment.formula.map((line) =>
      element("div", {}, math(line) ?? ""),
    );
    this.numbers.replaceChildren(numbers ?? "");
    const { sentences, table, softmax, pulls, plane, nearest } = this.stages;
    sentences.show(
      sentenceList(moment, choose, (row, kept) => this.command("keep", { row, kept })),
    );
    table.show(drawTable(moment, texts, choose, this.dark));
    const has = traits(moment);
    const stageTexts = textsOf(has);
    for (const name of STAGES) this.stages[name].label(stageTexts[name]);
    softmax.root.hidden = !has.softmax;
    const shown = Object.values(this.stages).filter(({ root }) => !root.hidden);
    for (const [index, stage] of shown.entries()) write(stage.number, String(index + 1));
    softmax.show(softmaxBars(moment, texts));
    pulls.show(pullList(moment));
    pulls.more.replaceChildren(...derived.slice(0, -1));
    plane.show(drawPlane(moment, texts, choose));
    nearest.show(nearestList(moment, texts));
    // without a softmax the weight of a pull is the same at every step
    this.timeline.root.hidden = !has.softmax;
    this.timeline.show(moment, this.dark);
    attribute(this.root, "data-step", String(moment.step));
    attribute(this.root, "data-loss", brief(moment.loss, 4));
  }

  /** Apply a theme. */
  paint(dark) {
    this.dark = dark;
    this.draw();
  }

  /** The page is removed. */
  close() {
    this.channel?.close();
  }
}

/** Called by anywidget. */
const render = ({ model, el }) => mount(el, css, new Page(model));

export default { render };
