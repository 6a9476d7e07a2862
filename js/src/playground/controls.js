// Controls: two encoders, the corpus, a Compare or Stop button, and below them the status and the progress of the search.

import { STANDING } from "../shared/channel.js";
import { attribute, element, offer, write } from "../shared/dom.js";

const ELSEWHERE = "elsewhere";

export class Controls {
  constructor(page, about) {
    this.page = page;
    this.inPage = about.searched === null;
    const [least, most] = about.searched ?? [0, 0];
    this.left = this.encoder("left");
    this.right = this.encoder("right");
    this.corpus = element("input", { type: "text", class: "corpus", "aria-label": "corpus: a dataset, or a file's path", title: "wikipedia-mini, a file of sentences, or a dataset of the hub", spellcheck: "false", onchange: () => this.search() });
    this.count = element("input", { type: "number", class: "count", min: least, max: most, step: 1, "aria-label": "how many of its sentences are searched", title: `How many of it to search, at equal distances, ${least} to ${most.toLocaleString("en")}. Each encoder encodes them once.`, onchange: () => this.search() });
    this.go = element("button", { type: "button", class: "go", text: "Compare", title: "Encode and search (Ctrl Enter)", onclick: () => this.press() });
    this.state = element("p", { class: "state", role: "status", "aria-live": "polite" });
    this.far = element("span", { class: "soft far" });
    this.bar = element("div", { class: "bar", role: "progressbar", "aria-label": "encoding of the corpus", "aria-valuemin": 0, "aria-valuemax": 100 }, element("div"));
    this.root = element(
      "div",
      { class: "control" },
      element("div", { class: "row" }, element("h2", { text: "Playground" }),
        ...(this.inPage ? [] : [this.left.root, this.right.root, element("div", { class: "field searched" }, this.corpus, this.count)]), this.go),
      element("div", { class: "row under" }, this.state, this.far, this.bar),
    );
  }

  encoder(side) {
    const select = element("select", { "aria-label": `encoder on the ${side}`, class: side, onchange: () => this.choose(side) });
    select.addEventListener("pointerdown", () => this.page.channel.command("runs"));
    select.addEventListener("focus", () => this.page.channel.command("runs"));
    const place = element("input", { type: "text", class: `${side}-place`, placeholder: "a folder, or a hub name", "aria-label": `folder or hub name of the encoder on the ${side}`, title: "A folder of an encoder or of a run, a hub name, or textcnn: and a file of word vectors.", spellcheck: "false", onchange: () => this.choose(side) });
    return { select, place, root: element("div", { class: "field" }, select, place) };
  }

  /** Show the kernel's encoders and corpus, except in fields that have the focus. */
  fill(setup) {
    for (const side of ["left", "right"]) {
      const { select, place, root } = this[side];
      const { options, value, place: at } = setup[side];
      offer(select, options.map(([label, name]) => [name, label]), value);
      attribute(select, "title", select.selectedOptions[0]?.textContent ?? "");
      if (document.activeElement !== place) place.value = at;
      root.classList.toggle("elsewhere", value === ELSEWHERE);
    }
    const { name, fixed, count } = setup.corpus;
    if (document.activeElement !== this.corpus) this.corpus.value = name;
    if (document.activeElement !== this.count) this.count.value = count;
    this.corpus.disabled = fixed;
  }

  choose(side) {
    const { select, place, root } = this[side];
    root.classList.toggle("elsewhere", select.value === ELSEWHERE);
    if (select.value === ELSEWHERE && !place.value) place.focus();
    this.page.channel.command("choose", { side, value: select.value, place: place.value });
  }

  search() {
    return this.page.channel.command("corpus", { text: this.corpus.value, count: this.count.valueAsNumber || this.count.value });
  }

  press() {
    if (this.page.status.working) this.page.channel.command("stop");
    else this.page.compare();
  }

  /** The reader pressed Compare; the kernel may be slow to reply. */
  begin() {
    this.notice = null;
    this.show({ ...this.page.status, working: true, sentence: "Encoding your sentences …", trouble: false });
  }

  /** Show a message of the page until the kernel sends another one. */
  report(sentence, trouble = false) {
    this.notice = { sentence, trouble, instead: this.page.status.sentence };
    this.show(this.page.status);
  }

  show(status) {
    if (this.notice && this.notice.instead !== status.sentence) this.notice = null;
    const { sentence, trouble } = this.line ?? this.notice ?? status;
    write(this.state, trouble ? `⚠ ${sentence}` : sentence);
    attribute(this.state, "title", sentence);
    this.state.classList.toggle("trouble", trouble);
    const at = status.working ? status : null;
    const stop = at && !this.inPage;
    write(this.go, stop ? "Stop" : (status.button ?? "Compare"));
    attribute(this.go, "title", stop ? "End the search; what is encoded stays" : "Encode and search (Ctrl Enter)");
    this.go.classList.toggle("stop", Boolean(stop));
    this.go.disabled = this.gone || Boolean(at && this.inPage);
    const share = at?.total ? at.done / at.total : 0;
    write(this.far, at?.doing ?? "");
    attribute(this.far, "title", at?.doing ?? "");
    this.bar.firstChild.style.width = `${100 * share}%`;
    this.bar.classList.toggle("going", Boolean(at));
    attribute(this.bar, "aria-valuenow", String(Math.round(100 * share)));
    attribute(this.bar, "aria-valuetext", at?.doing ?? "nothing is encoded");
  }

  standing(state) {
    this.line = STANDING[state] && { sentence: STANDING[state], trouble: state === "gone" };
    this.gone = state === "gone";
    this.show(this.page.status);
  }
}
