// Sentences that pull the chosen one (above it) and push it (below). The width of an arrow is the
// pair's part of the gradient.

import { drawn, element, offer, onResize, partsOf, write } from "../shared/dom.js";
import { marker } from "../shared/palette.js";
import { brief } from "../shared/text.js";
import { wordOf } from "./sentences.js";

const PULLS = `
<div class="pulls">
  <div class="head">
    <h3>Who pulls, who pushes</h3>
    <select aria-label="question of the loss" data-part="question"></select>
  </div>
  <div class="heads">
    <span class="rest" data-part="rest"></span>
    <span>gradient</span>
    <span title="softmax weight">weight</span>
    <span data-part="measure">score</span>
  </div>
  <ol class="rows" aria-label="pull" data-part="pulling"></ol>
  <div class="chosen" role="group" aria-label="the chosen sentence" data-part="chosen">
    <p class="chosen-text" data-part="text"></p>
    <p class="chosen-note" data-part="note"></p>
  </div>
  <ol class="rows pushing" aria-label="push" data-part="pushing"></ol>
  <svg class="arrows" aria-hidden="true" data-part="arrows"></svg>
</div>`;
// most rows that are shown, and the least that push
const ROWS = 7;
const PUSHING = 1;

// pixels: x of the arrows' ends at the rows, and of the middle of all stems
const END = 68;
const STEM = 24;
// maximum width of an arrow, and of all arrows of a side
const WIDEST = 18;
const ALL = 32;

/**
 * Paths and widths of the arrows of one side, whose stems stand next to each other. `rows`: {y, pull},
 * the row with the leftmost stem first; `edge`: y of the chosen sentence's edge on this side.
 */
function arrowsOf(rows, edge, scale) {
  const widths = rows.map(({ pull }) => Math.max(1, Math.abs(pull) * scale));
  let left = STEM - widths.reduce((sum, width) => sum + width, 0) / 2;
  return rows.map(({ y, pull }, k) => {
    const width = widths[k];
    const x = left + width / 2;
    left += width;
    return { width, kind: wordOf(pull), ...(pull > 0 ? toChosen : fromChosen)(x, y, width, edge) };
  });
}

/** Length and half width of an arrow's head. */
const headOf = (width) => [Math.max(7, width / 2), Math.max(4, width * 0.8)];
/** Radius of an arrow's bend, if there is `room` for it. */
const bendOf = (width, room) => Math.min(10 + width / 2, room);

/** An arrow from a row down to the chosen sentence. */
function toChosen(x, y, width, edge) {
  const [tip, half] = headOf(width);
  const bend = bendOf(width, edge - y - tip);
  const stem = `M${END} ${y}H${x + bend}Q${x} ${y} ${x} ${y + bend}V${edge - tip}`;
  return { stem, head: `M${x - half} ${edge - tip}H${x + half}L${x} ${edge}Z` };
}

/** An arrow from the chosen sentence down to a row. */
function fromChosen(x, y, width, edge) {
  const [tip, half] = headOf(width);
  const bend = bendOf(width, y - edge);
  const stem = `M${x} ${edge}V${y - bend}Q${x} ${y} ${x + bend} ${y}H${END - tip}`;
  return { stem, head: `M${END - tip} ${y - half}V${y + half}L${END} ${y}Z` };
}

/** The list of pairs: those that pull, the chosen sentence, those that push, with arrows at the left. */
export class Pulls {
  constructor(act) {
    this.act = act;
    this.parts = partsOf(PULLS);
    this.root = this.parts.root;
    this.shown = [];
    const { question } = this.parts;
    question.addEventListener("change", () => act("question", { place: Number(question.value) }));
    onResize(this.root, () => this.flow());
  }

  /** Show another sentence of a step. */
  show(sentence, { texts, questions }) {
    const { parts } = this;
    const roles = questions.map(({ role }, place) => [place, role]);
    offer(parts.question, roles, sentence.question);
    parts.question.hidden = roles.length < 2;
    write(parts.text, texts[sentence.row]);
    write(parts.note, sentence.about);
    parts.note.title = sentence.about;
    const { pairs } = sentence;
    const { measure } = questions[sentence.question];
    parts.measure.title = measure;

    const pushing = pairs.filter(({ pull }) => pull < 0);
    const pulling = pairs.filter(({ pull }) => !(pull < 0));
    const above = pulling.slice(0, ROWS - Math.min(pushing.length, PUSHING));
    const below = pushing.slice(0, ROWS - above.length);
    const kinds = sentence.kinds.map(([kind]) => kind);
    const row = (pair) => this.row(pair, pair.text ?? texts[pair.row], kinds, measure);
    parts.pulling.replaceChildren(...above.map(row));
    parts.pushing.replaceChildren(...below.map(row));
    this.shown = [...above, ...below];
    write(parts.rest, this.othersOf(sentence.all));
    this.flow();
  }

  /** The number of pairs that are not shown, and their part of the gradient. */
  othersOf({ count, norm }) {
    const others = count - this.shown.length;
    const left = this.shown.reduce((rest, { pull }) => rest - Math.abs(pull ?? 0), norm);
    return others > 0 ? `${others} others: ${brief(Math.max(0, left), 2)} in all` : "";
  }

  /** The row of a pair; a click chooses its sentence. */
  row(pair, text, kinds, measure) {
    const word = wordOf(pair.pull);
    const kind = pair.name ? `${pair.kind}, ${pair.name}` : pair.kind;
    const strength = `${word} ${brief(pair.pull && Math.abs(pair.pull))}`.trim();
    const weight = pair.weight === null ? "" : brief(pair.weight);
    const numbers = [`${measure} ${brief(pair.score, 4)}`, `∂loss/∂score ${brief(pair.gradient)}`];
    if (weight) numbers.unshift(`softmax weight ${weight}`);
    const title = `${strength}, ${kind}: ${text}; ${numbers.join(", ")}`;
    const button = element(
      "button",
      { type: "button", class: `pair ${word}`, "aria-label": title, title },
      marker(Math.max(0, kinds.indexOf(pair.kind))),
      element("span", { class: "kind", text: kind }),
      element("b", { text: strength }),
      element("span", { text: weight }),
      element("span", { text: brief(pair.score) }),
      element("span", { class: "text", text }),
    );
    if (pair.row === null) button.setAttribute("aria-disabled", "true");
    else button.addEventListener("click", () => this.act("choose", { row: pair.row }));
    return element("li", {}, button);
  }

  /** Draw the arrows between the rows and the chosen sentence. */
  flow() {
    const { pulling, pushing, chosen, arrows } = this.parts;
    const rows = [...pulling.children, ...pushing.children].map((part, k) => ({
      y: part.offsetTop + part.offsetHeight / 2,
      pull: this.shown[k].pull,
    }));
    const pulls = rows.filter(({ pull }) => pull > 0);
    // the lowest row has the leftmost stem, so that arrows do not cross
    const pushes = rows.filter(({ pull }) => pull < 0).reverse();
    const sum = (side) => side.reduce((total, { pull }) => total + Math.abs(pull), 0);
    const strongest = Math.max(...rows.map(({ pull }) => Math.abs(pull ?? 0))) || 1;
    const scale = Math.min(WIDEST / strongest, ALL / (Math.max(sum(pulls), sum(pushes)) || 1));
    const made = [
      ...arrowsOf(pulls, chosen.offsetTop, scale),
      ...arrowsOf(pushes, chosen.offsetTop + chosen.offsetHeight, scale).reverse(),
    ];
    arrows.setAttribute("height", this.root.clientHeight);
    arrows.replaceChildren(
      ...made.map(({ stem, head, width, kind }) => {
        const line = drawn("path", { d: stem, class: "stem", "stroke-width": width });
        return drawn("g", { class: kind }, line, drawn("path", { d: head }));
      }),
    );
  }
}
