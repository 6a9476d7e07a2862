// Who pulls the chosen sentence, above it, and who pushes it, below: arrows as wide as each pair's part of the gradient.

import { drawn, element, tell, write } from "../shared/dom.js";
import { OUTLINES } from "../shared/outlines.js";
import { flows } from "./flows.js";
import { short } from "./numbers.js";

const FEWEST = { rows: 3, pushing: 1 };
const MARKERS = ["circle", "square", "diamond", "triangle-up", "cross", "star", "x"];

function marker(place) {
  return drawn("svg", { class: "marker", viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" }, drawn("path", { d: OUTLINES[MARKERS[place % MARKERS.length]] }));
}

export class Pulls {
  constructor(act, whole) {
    Object.assign(this, { act, whole, of: null });
    this.question = element("select", { class: "question", "aria-label": "question of the loss", onchange: () => act("question", { place: Number(this.question.value) }) });
    this.role = element("span", { class: "role" });
    this.rest = element("p", { class: "rest" });
    this.heads = element("div", { class: "heads" }, this.rest, ...["∂loss/∂score", "gradient", "weight", ""].map((text, place) => element("span", { text, class: place ? null : "slope" })));
    this.pulling = element("ol", { class: "pulling", "aria-label": "pull" });
    this.text = element("p", { class: "chosen-text" });
    this.note = element("p", { class: "chosen-note" });
    this.chosen = element("div", { class: "chosen", role: "group", "aria-label": "the chosen sentence" }, this.text, this.note);
    this.pushing = element("ol", { class: "pushing", "aria-label": "push" });
    this.parts = element("table", { class: "parts" });
    this.arrows = drawn("svg", { class: "arrows", "aria-hidden": "true" });
    const head = element("div", { class: "head" }, element("h3", { text: "Who pulls, who pushes" }), this.role, this.question);
    this.root = element("div", { class: "pulls" }, head, this.heads, this.pulling, this.chosen, this.pushing, this.parts, this.arrows);
    for (const line of [this.text, this.note, this.role, this.rest]) whole.on(line, () => line.textContent);
    this.watch = new ResizeObserver(() => this.lay());
    this.watch.observe(this.root);
  }

  show(sentence, step, question) {
    const { pairs } = sentence;
    this.of = { sentence, texts: step.texts, kinds: sentence.kinds.map(([kind]) => kind), measure: question?.measure ?? "" };
    this.offer(step.questions, sentence.question);
    write(this.text, step.texts[sentence.row]);
    write(this.note, sentence.about);
    write(this.heads.lastChild, this.of.measure);
    tell(this.heads.lastChild, "title", this.of.measure);
    tell(this.root, "data-pairs", String(Boolean(pairs)));
    this.parts.replaceChildren(...(sentence.parts ? this.table(sentence.parts) : []));
    this.lay();
  }

  offer(questions, place) {
    const roles = questions.map(({ role }) => role);
    if (roles.join("\n") !== this.roles) {
      this.roles = roles.join("\n");
      this.question.replaceChildren(...roles.map((text, value) => element("option", { value, text })));
    }
    this.question.value = String(place);
    this.question.hidden = roles.length < 2;
    this.role.hidden = roles.length !== 1;
    write(this.role, roles[0] ?? "");
  }

  table(parts) {
    const rows = parts.map(([name, value]) => element("tr", {}, element("th", { scope: "row", text: name }), element("td", { text: short(value, 5) })));
    return [element("caption", { text: "What the method records of this batch" }), element("tbody", {}, ...rows)];
  }

  /** As many rows as there is room for, the strongest of each side. */
  lay() {
    if (!this.of || !this.root.clientHeight) return;
    const { pairs, all } = this.of.sentence;
    const [pulling, pushing] = [[], []];
    for (const pair of pairs ?? []) (pair.pull < 0 ? pushing : pulling).push(pair);
    const taken = this.heads.offsetTop + this.heads.offsetHeight + this.chosen.offsetHeight;
    const high = parseFloat(getComputedStyle(this.root).getPropertyValue("--row")) || 40;
    const room = Math.max(FEWEST.rows, Math.floor((this.root.clientHeight - taken) / high));
    const above = Math.min(pulling.length, room - Math.min(pushing.length, FEWEST.pushing));
    const shown = [pulling.slice(0, above), pushing.slice(0, room - above)];
    this.pulling.replaceChildren(...shown[0].map((pair) => this.row(pair)));
    this.pushing.replaceChildren(...shown[1].map((pair) => this.row(pair)));
    const count = shown[0].length + shown[1].length;
    const drawnNorm = shown.flat().reduce((sum, { pull }) => sum + Math.abs(pull ?? 0), 0);
    const others = all ? all.count - count : 0;
    write(this.rest, others > 0 ? `${others} others: ${short(Math.max(0, all.norm - drawnNorm), 2)} in all` : "");
    this.flow(shown);
  }

  flow([pulling, pushing]) {
    const { root, arrows, chosen } = this;
    const middle = (list) => [...list.children].map((part) => part.offsetTop + part.offsetHeight / 2);
    const rows = [
      ...middle(this.pulling).map((y, place) => ({ y, pull: pulling[place].pull })),
      ...middle(this.pushing).map((y, place) => ({ y, pull: pushing[place].pull })),
    ];
    arrows.setAttribute("height", root.clientHeight);
    const at = { top: chosen.offsetTop, bottom: chosen.offsetTop + chosen.offsetHeight };
    arrows.replaceChildren(...flows(rows, at).map(({ d, width, head, kind }) => drawn("g", { class: kind }, drawn("path", { d, class: "stem", "stroke-width": width }), drawn("path", { d: head, class: "tip" }))));
  }

  row(pair) {
    const { texts, kinds, measure } = this.of;
    const text = pair.text ?? texts[pair.row];
    const word = pair.pull < 0 ? "push" : pair.pull > 0 ? "pull" : "";
    const kind = pair.name ? `${pair.kind}, ${pair.name}` : pair.kind;
    const strength = pair.pull ? `${word} ${short(Math.abs(pair.pull))}` : short(pair.pull);
    const weight = pair.weight === null ? "" : short(pair.weight);
    const slope = `${pair.gradient > 0 ? "+" : ""}${short(pair.gradient)}`;
    const numbers = `${weight && `softmax weight ${weight}, `}${measure} ${short(pair.score, 4)}, ∂loss/∂score ${slope}`;
    const told = `${strength}, ${kind}: ${text}; ${numbers}`;
    const button = element(
      "button",
      { type: "button", class: `pair ${word}`, "aria-label": told, "aria-disabled": String(pair.row === null), onclick: () => pair.row !== null && this.act("choose", { row: pair.row }) },
      marker(Math.max(0, kinds.indexOf(pair.kind))),
      element("span", { class: "kind", text: kind }),
      element("span", { class: "number slope", text: slope }),
      element("span", { class: "number strength", text: strength }),
      element("span", { class: "number", text: weight }),
      element("span", { class: "number", text: short(pair.score) }),
      element("span", { class: "text", text }),
    );
    this.whole.on(button, () => `${text}\n${kind}: ${strength}, ${numbers}`);
    return element("li", {}, button);
  }

  close() {
    this.watch.disconnect();
  }
}
