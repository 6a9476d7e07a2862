// The force view: which sentences pull and push a sentence of a batch; see
// clwork/lab/force_view.py. The model holds `about`: {now: the name of the last stop}. The channel
// delivers everything else.

import { floats32 } from "../shared/bytes.js";
import { Channel, STANDING } from "../shared/channel.js";
import { attribute, element, write } from "../shared/dom.js";
import { mount } from "../shared/mount.js";
import { Tooltip } from "../shared/tooltip.js";
import { Formula } from "./formula.js";
import { Matrix } from "./matrix.js";
import { Pulls, Shares } from "./pulls.js";
import { Sentences, Stops } from "./sentences.js";
import css from "./style.css";

/** All parts of the view, and the connection to the kernel. */
class Page {
  constructor(model) {
    this.known = {};
    this.status = { working: false, sentence: "", trouble: false, chosen: null };
    this.step = null;
    this.line = "answers";
    this.why = "";
    // waiting commands: the newest of each name
    this.next = new Map();
    this.sending = false;
    this.root = element("section", {
      class: "clwork-look clwork-forces",
      "aria-label": "Who pulls and who pushes a sentence",
    });
    this.whole = new Tooltip(this.root, "whole", 480);
    const act = (name, more) => this.command(name, more);
    this.title = element("h2", { class: "title" });
    this.stops = new Stops(act, model.get("about")?.now ?? "now");
    this.state = element("p", { class: "state", role: "status" });
    this.formula = new Formula();
    this.sentences = new Sentences(act, this.whole);
    this.pulls = new Pulls(act, this.whole);
    this.matrix = new Matrix(act);
    this.shares = new Shares();
    const control = element("div", { class: "control" }, this.title, this.stops.root);
    const stage = element(
      "div",
      { class: "stage" },
      control,
      this.state,
      this.formula.root,
      this.sentences.root,
      this.shares.root,
      this.pulls.root,
      this.matrix.root,
    );
    this.root.prepend(stage);
    this.whole.on(this.state, () => this.state.textContent, "below");
    this.channel = new Channel(model, {
      known: () => this.known,
      take: (news) => this.take(news),
      lively: () => this.status.working,
      refused: (why) => this.speak({ why }),
      standing: (line) => this.speak({ line }),
    });
  }

  /**
   * Send a command. Until its reply arrives, only the newest command of each name waits, so the
   * queue stays short.
   */
  command(name, more = {}) {
    this.next.set(name, more);
    if (!this.sending) this.send();
  }

  /** Send waiting commands one after the other, until none is left. */
  async send() {
    this.sending = true;
    while (this.next.size && !this.closed) {
      const [[name, more]] = this.next;
      this.next.delete(name);
      this.why = "";
      await this.channel.command(name, more);
    }
    this.sending = false;
  }

  /** Show the parts of the kernel's data that have changed. */
  take({ status, step, sentence, matrix }) {
    for (const [name, part] of Object.entries({ step, sentence, matrix }))
      if (part) this.known[name] = part.version;
    if (status) this.status = status;
    if (step) this.takeStep(step);
    if (sentence) this.takeSentence(sentence);
    if (matrix) this.matrix.show(matrix, this.step.texts);
    this.stops.mark(this.status.chosen, this.status.working);
    this.speak();
  }

  /** Another step: title, stops, and the list of its sentences. */
  takeStep(step) {
    this.step = step;
    if (step.losses) step.losses = floats32(step.losses);
    write(this.title, `${step.title} · ${step.run}`);
    attribute(this.title, "title", this.title.textContent);
    this.stops.fill(step.stops);
    this.sentences.fill(step.texts, step.losses);
  }

  /** Another sentence or question: formula, pairs, shares. */
  takeSentence(sentence) {
    const { step } = this;
    const question = step.questions[sentence.question];
    this.formula.show(sentence.formula);
    this.sentences.mark(sentence.row);
    this.pulls.show(sentence, step, question);
    this.shares.show(step.terms, sentence.kinds);
    this.matrix.offer(question, sentence.row);
  }

  /**
   * Show one status line: a missing reply first, then a rejected command, then the kernel's status.
   */
  speak(change = {}) {
    Object.assign(this, change);
    const said = STANDING[this.line] || this.why || this.status.sentence;
    const trouble = this.line === "gone" || Boolean(this.why) || this.status.trouble;
    write(this.state, trouble ? `⚠ ${said}` : said);
    attribute(this.state, "data-trouble", String(trouble));
    attribute(this.root, "aria-busy", String(this.status.working));
  }

  /** Apply a theme; only the canvas of the matrix has no style sheet. */
  paint() {
    this.matrix.paint();
  }

  /** The page is removed. */
  close() {
    this.closed = true;
    this.channel.close();
  }
}

/** Called by anywidget, or by the page of standalone.py. */
const render = ({ model, el }) => mount(el, css, new Page(model));

export default { render };
