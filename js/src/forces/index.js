// The force view: which sentences pull and push a sentence of a batch; see
// clwork/lab/force_view.py. The model holds `about`: {now: the name of the last stop}. The channel
// delivers everything else.

import { floats32 } from "../shared/bytes.js";
import { Channel, STANDING } from "../shared/channel.js";
import { attribute, element, fitText, onResize, partsOf, write } from "../shared/dom.js";
import { math } from "../shared/mathml.js";
import { mount } from "../shared/mount.js";
import { steps } from "../shared/text.js";
import { Pulls } from "./pulls.js";
import { Kinds, Sentences } from "./sentences.js";
import css from "./style.css";

const PAGE = `
<section class="clwork-look clwork-forces" aria-label="Who pulls and who pushes a sentence">
  <div class="stage" data-part="stage">
    <div class="head">
      <h2 data-part="title"></h2>
      <div class="stops" role="group" aria-label="step" data-part="stops"></div>
    </div>
    <p class="state" role="status" data-part="state"></p>
    <div class="formula" role="group" aria-label="The formula with this sentence's numbers" tabindex="0" data-part="formula"></div>
  </div>
</section>`;
// largest and smallest size of the formula in pixels; if the smallest does not fit, it scrolls
const MOST = 18;
const LEAST = 12;

/** All parts of the view, and the connection to the kernel. */
class Page {
  constructor(model) {
    this.known = {};
    this.status = { working: false, sentence: "", trouble: false, chosen: null };
    this.line = "answers";
    this.why = "";
    this.parts = partsOf(PAGE);
    this.root = this.parts.root;
    this.nameOfNow = model.get("about").now;
    const act = (name, more) => this.channel.queue(name, name, more);
    this.act = act;
    this.sentences = new Sentences(act);
    this.kinds = new Kinds();
    this.pulls = new Pulls(act);
    this.parts.stage.append(this.sentences.root, this.kinds.root, this.pulls.root);
    onResize(this.parts.formula, () => fitText(this.parts.formula, MOST, LEAST));
    this.channel = new Channel(model, {
      known: () => this.known,
      take: (news) => this.take(news),
      lively: () => this.status.working,
      refused: (why) => this.speak({ why }),
      standing: (line) => this.speak({ line }),
      sending: (busy) => {
        // of an earlier command
        if (busy) this.why = "";
      },
    });
  }

  /** Show the parts of the kernel's data that have changed. */
  take({ status, step, sentence }) {
    for (const [name, part] of Object.entries({ step, sentence }))
      if (part) this.known[name] = part.version;
    if (status) this.status = status;
    if (step) this.takeStep(step);
    if (sentence) this.takeSentence(sentence);
    for (const button of this.parts.stops.children)
      attribute(button, "aria-pressed", String(button.value === String(this.status.chosen)));
    this.speak();
  }

  /** Another step: title, stops, and the list of its sentences. */
  takeStep(step) {
    this.step = step;
    write(this.parts.title, `${step.title} · ${step.run}`);
    this.parts.stops.replaceChildren(...step.stops.map((stop) => this.stop(stop)));
    this.sentences.fill(step.texts, step.losses ? floats32(step.losses) : null);
  }

  /** The button of a stored step; null is the present step. */
  stop(step) {
    let [text, title] = [steps(step), `after step ${steps(step)}`];
    if (step === null) [text, title] = ["now", this.nameOfNow];
    else if (step === 0) [text, title] = ["start", "at the start"];
    const onclick = () => this.act("step", { step });
    return element("button", { type: "button", value: String(step), text, title, onclick });
  }

  /** Another sentence or question: formula, pairs, kinds. */
  takeSentence(sentence) {
    const { formula } = this.parts;
    formula.replaceChildren(
      ...sentence.formula.map((line) => element("div", { class: "formula-line" }, math(line))),
    );
    fitText(formula, MOST, LEAST);
    this.sentences.mark(sentence.row);
    this.pulls.show(sentence, this.step);
    this.kinds.show(sentence.kinds);
  }

  /** Show one status line: a missing reply first, then a rejected command, then the kernel's status. */
  speak(change = {}) {
    Object.assign(this, change);
    const said = STANDING[this.line] || this.why || this.status.sentence;
    const trouble = this.line === "gone" || Boolean(this.why) || this.status.trouble;
    write(this.parts.state, trouble ? `⚠ ${said}` : said);
    attribute(this.parts.state, "data-trouble", String(trouble));
    attribute(this.root, "aria-busy", String(this.status.working));
  }

  /** Style sheets apply a theme. */
  paint() {}

  /** The page is removed. */
  close() {
    this.channel.close();
  }
}

/** Called by anywidget, or by the page of standalone.py. */
const render = ({ model, el }) => mount(el, css, new Page(model));

export default { render };
