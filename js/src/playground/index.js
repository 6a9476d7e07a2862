// The playground: the reader's own sentences under one encoder or two; see clwork/lab/playground/playground.py.
// The model holds `about`: {most: sentences, searched: [least, most] of a corpus; null where the page itself encodes,
// see scripts/site/encoder/kernel.js}. The channel delivers everything else.

import { Channel } from "../shared/channel.js";
import { element } from "../shared/dom.js";
import { mount } from "../shared/mount.js";
import { Answer } from "./answer.js";
import { Cloud } from "./cloud.js";
import { Controls } from "./controls.js";
import { Matrices } from "./matrices.js";
import { Notes } from "./notes.js";
import { Sentences } from "./sentences.js";
import css from "./style.css";

const EVERY = 250; // minimum milliseconds between two requests while the reader types
const PARTS = ["sentences", "setup", "compared", "clouds", "answer", "texts"];

class Page {
  constructor(model) {
    this.versions = {};
    this.texts = new Map(); // the sentences of the corpus received so far, by row
    this.status = { working: false, busy: false, sentence: "", trouble: false, doing: "", done: 0, total: 0 };
    this.requested = 0;
    const about = model.get("about");
    this.controls = new Controls(this, about);
    this.sentences = new Sentences(this, about.most);
    this.answer = new Answer(this);
    this.clouds = [];
    this.matrices = new Matrices();
    this.notes = new Notes();
    this.places = element("div", { class: "clouds" });
    this.root = element(
      "section",
      { class: "clwork-look clwork-playground", "aria-label": "Playground: your own sentences under one encoder or two" },
      this.controls.root,
      element("div", { class: "upper" }, this.sentences.root, this.places),
      this.answer.root,
      element("div", { class: "lower" }, this.matrices.root, this.notes.root),
    );
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.empty = element("p", { class: "empty", text: "Here the sentence moves in the cloud of the corpus, once you have pressed Compare." });
    this.places.append(this.empty);
    this.channel = new Channel(model, {
      known: () => ({ ...this.versions }),
      take: (news) => this.take(news),
      lively: () => this.status.busy || Date.now() - this.requested < 2000,
      refused: (why) => this.controls.report(why, true),
      standing: (state) => this.controls.standing(state),
    });
  }

  take(news) {
    for (const name of PARTS) {
      const part = news[name];
      if (!part || part.version === this.versions[name]) continue;
      this.versions[name] = part.version;
      this[`take_${name}`](part);
    }
    if (news.status) {
      this.status = news.status;
      this.controls.show(news.status);
    }
  }

  take_sentences({ texts, by }) {
    if (by !== this.channel?.page || !this.sentences.rows.length) this.sentences.fill(texts);
  }

  take_setup(setup) {
    this.controls.fill(setup);
  }

  take_compared(compared) {
    const fresh = compared.number !== this.compared?.number;
    this.compared = compared;
    if (fresh) {
      this.sentences.compared(compared.texts);
      this.last = this.matrices.last = null;
      this.answer.clear();
      this.lookUp();
    }
    this.matrices.fill(compared);
    this.notes.fill(compared);
  }

  take_clouds({ sides, axes }) {
    this.empty.remove();
    while (this.clouds.length > sides.length) this.clouds.pop().root.remove();
    sides.forEach((side, place) => {
      if (!this.clouds[place]) {
        this.clouds[place] = new Cloud(this);
        this.places.append(this.clouds[place].root);
      }
      this.clouds[place].fill(side, axes);
    });
    if (this.last) this.clouds.forEach((cloud) => cloud.answer(this.last));
  }

  take_answer(answer) {
    this.last = answer;
    for (const [row, text] of Object.entries(answer.texts)) this.store(Number(row), text);
    this.answer.fill(answer);
    this.matrices.change(answer);
    this.notes.moved(answer.moved);
    this.clouds.forEach((cloud) => cloud.answer(answer));
  }

  take_texts({ texts }) {
    for (const [row, text] of Object.entries(texts)) this.store(Number(row), text);
    this.clouds.forEach((cloud) => cloud.read());
  }

  store(row, text) {
    this.texts.set(row, text);
    if (this.texts.size > 2000) this.texts.delete(this.texts.keys().next().value);
  }

  /** Search for the chosen sentence with its latest text, at most four times a second. */
  lookUp() {
    if (!this.compared) return;
    const wait = this.requested + EVERY - Date.now();
    clearTimeout(this.soon);
    this.soon = setTimeout(() => {
      const chosen = this.sentences.chosen();
      if (!chosen.text) return;
      this.requested = Date.now();
      this.channel.command("edit", chosen);
    }, Math.max(0, wait));
  }

  /** The sentences have changed: send them to the kernel, which stores them for a reloaded page and for Python. */
  typed() {
    clearTimeout(this.storing);
    this.storing = setTimeout(() => this.channel.command("type", { texts: this.sentences.texts(), by: this.channel.page }), 2 * EVERY);
    this.lookUp();
  }

  compare() {
    clearTimeout(this.storing);
    this.controls.begin();
    return this.channel.command("compare", { texts: this.sentences.texts(), by: this.channel.page });
  }

  /** The text of a row of the corpus; requested if the page does not have it. */
  read(row) {
    if (!this.texts.has(row) && row !== this.wanted) {
      this.wanted = row;
      clearTimeout(this.reading);
      this.reading = setTimeout(() => this.channel.command("read", { rows: [row] }), 80);
    }
    return this.texts.get(row) ?? "";
  }

  highlight(row) {
    this.answer.highlight(row);
    this.clouds.forEach((cloud) => cloud.highlight(row));
  }

  key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.compare();
    }
    if (event.key === "Escape" && !this.sentences.revert()) return;
    if (event.key === "Escape") event.preventDefault();
  }

  paint(dark) {
    this.clouds.forEach((cloud) => cloud.draw());
    this.matrices.dark(dark);
  }

  close() {
    [this.soon, this.storing, this.reading].forEach(clearTimeout);
    this.channel.close();
  }
}

export const render = ({ model, el }) => mount(el, css, new Page(model));

export default { render };
