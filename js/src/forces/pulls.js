// Sentences that pull the chosen one (above it) and push it (below). The width of an arrow is the
// pair's part of the gradient.

import { attribute, drawn, element, offer, onResize, write } from "../shared/dom.js";
import { OUTLINES } from "../shared/palette.js";
import { brief } from "../shared/text.js";

// pixels at the left of the rows
const GUTTER = 72;
// x of the middle of both stems
const STEM = 24;
// maximum width of an arrow and of a stem
const MOST = { one: 18, all: 32 };
const BEND = 10;

/**
 * Paths, widths and heads of the arrows. `rows`: {y, pull} from top to bottom; `chosen`: the chosen
 * row's top and bottom.
 */
function flows(rows, chosen) {
  const sides = [rows.filter(({ pull }) => pull > 0), rows.filter(({ pull }) => pull < 0)];
  const sums = sides.map((side) => side.reduce((sum, { pull }) => sum + Math.abs(pull), 0));
  const strongest = Math.max(...rows.map(({ pull }) => Math.abs(pull)), 0) || 1;
  const scale = Math.min(MOST.one / strongest, MOST.all / (Math.max(...sums) || 1));
  const width = ({ pull }) => Math.max(1, Math.abs(pull) * scale);
  return [...pulls(sides[0], width, chosen.top), ...pushes(sides[1], width, chosen.bottom)];
}

/** Length and half width of an arrow's head. */
const head = (wide) => [Math.max(7, wide / 2), Math.max(4, wide * 0.8)];

/** Put the stems of one side next to each other around STEM: their middles and widths. */
function places(side, width) {
  const widths = side.map(width);
  let left = STEM - widths.reduce((sum, one) => sum + one, 0) / 2;
  return widths.map((one) => {
    const x = left + one / 2;
    left += one;
    return { x, width: one };
  });
}

/** The upper arrow is further left, so that arrows do not cross. */
function pulls(side, width, top) {
  return places(side, width).map(({ x, width: wide }, place) => {
    const { y } = side[place];
    const [tip, half] = head(wide);
    const bend = Math.min(BEND + wide / 2, top - y - tip);
    const d = `M${GUTTER - 4} ${y}H${x + bend}Q${x} ${y} ${x} ${y + bend}V${top - tip}`;
    return {
      d,
      width: wide,
      head: `M${x - half} ${top - tip}H${x + half}L${x} ${top}Z`,
      kind: "pull",
    };
  });
}

/** As `pulls`, but from the chosen row down to the rows; the lowest row has the leftmost stem. */
function pushes(side, width, bottom) {
  const stems = places(side, width).reverse();
  return stems.map(({ x }, place) => {
    const { y } = side[place];
    const wide = width(side[place]);
    const [tip, half] = head(wide);
    const bend = Math.min(BEND + wide / 2, y - bottom);
    const end = GUTTER - 4;
    const d = `M${x} ${bottom}V${y - bend}Q${x} ${y} ${x + bend} ${y}H${end - tip}`;
    return {
      d,
      width: wide,
      head: `M${end - tip} ${y - half}V${y + half}L${end} ${y}Z`,
      kind: "push",
    };
  });
}

const FEWEST = { rows: 3, pushing: 1 };
const MARKERS = ["circle", "square", "diamond", "triangle-up", "cross", "star", "x"];

/** What a number does: positive ones pull, negative ones push, others nothing. */
function wordOf(pull) {
  if (pull < 0) return "push";
  return pull > 0 ? "pull" : "";
}

/** The marker of the kind of pair with this index. */
function marker(place) {
  return drawn(
    "svg",
    { class: "marker", viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" },
    drawn("path", { d: OUTLINES[MARKERS[place % MARKERS.length]] }),
  );
}

/**
 * The list of pairs: those that pull, the chosen sentence, those that push, with arrows at the
 * left.
 */
export class Pulls {
  constructor(act, whole) {
    Object.assign(this, { act, whole, of: null });
    this.question = element("select", {
      class: "question",
      "aria-label": "question of the loss",
      onchange: () => act("question", { place: Number(this.question.value) }),
    });
    this.role = element("span", { class: "role" });
    this.rest = element("p", { class: "rest" });
    this.heads = element(
      "div",
      { class: "heads" },
      this.rest,
      ...["∂loss/∂score", "gradient", "weight", "score"].map((text, place) =>
        element("span", { text, class: place ? null : "slope" }),
      ),
    );
    this.pulling = element("ol", { class: "pulling", "aria-label": "pull" });
    this.text = element("p", { class: "chosen-text" });
    this.note = element("p", { class: "chosen-note" });
    this.chosen = element(
      "div",
      { class: "chosen", role: "group", "aria-label": "the chosen sentence" },
      this.text,
      this.note,
    );
    this.pushing = element("ol", { class: "pushing", "aria-label": "push" });
    this.parts = element("table", { class: "parts" });
    this.arrows = drawn("svg", { class: "arrows", "aria-hidden": "true" });
    const head = element(
      "div",
      { class: "head" },
      element("h3", { text: "Who pulls, who pushes" }),
      this.role,
      this.question,
    );
    this.root = element(
      "div",
      { class: "pulls" },
      head,
      this.heads,
      this.pulling,
      this.chosen,
      this.pushing,
      this.parts,
      this.arrows,
    );
    for (const line of [this.text, this.note, this.role, this.rest])
      whole.on(line, () => line.textContent, "below");
    onResize(this.root, () => this.lay());
  }

  /** Show another sentence of a step; `question` is null if the method defines no pairs. */
  show(sentence, step, question) {
    const { pairs } = sentence;
    this.of = {
      sentence,
      texts: step.texts,
      kinds: sentence.kinds.map(([kind]) => kind),
      measure: question?.measure ?? "",
    };
    this.offer(step.questions, sentence.question);
    write(this.text, step.texts[sentence.row]);
    write(this.note, sentence.about);
    attribute(this.heads.lastChild, "title", this.of.measure);
    attribute(this.root, "data-pairs", String(Boolean(pairs)));
    this.parts.replaceChildren(...(sentence.parts ? this.table(sentence.parts) : []));
    this.lay();
  }

  /** Offer the questions of the loss: a menu, or a text if there is one. */
  offer(questions, place) {
    const roles = questions.map(({ role }) => role);
    offer(
      this.question,
      roles.map((text, value) => [value, text]),
      place,
    );
    this.question.hidden = roles.length < 2;
    this.role.hidden = roles.length !== 1;
    write(this.role, roles[0] ?? "");
  }

  /** The rows of a table of [name, value]: what is shown if there are no pairs. */
  table(parts) {
    const rows = parts.map(([name, value]) =>
      element(
        "tr",
        {},
        element("th", { scope: "row", text: name }),
        element("td", { text: brief(value, 5) }),
      ),
    );
    return [
      element("caption", { text: "What the method records of this batch" }),
      element("tbody", {}, ...rows),
    ];
  }

  /** Show as many rows as fit, the strongest of each side. */
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
    write(
      this.rest,
      others > 0 ? `${others} others: ${brief(Math.max(0, all.norm - drawnNorm), 2)} in all` : "",
    );
    this.flow(shown);
  }

  /** Draw the arrows between the rows that are shown and the chosen sentence. */
  flow([pulling, pushing]) {
    const { root, arrows, chosen } = this;
    const middle = (list) =>
      [...list.children].map((part) => part.offsetTop + part.offsetHeight / 2);
    const rows = [
      ...middle(this.pulling).map((y, place) => ({ y, pull: pulling[place].pull })),
      ...middle(this.pushing).map((y, place) => ({ y, pull: pushing[place].pull })),
    ];
    arrows.setAttribute("height", root.clientHeight);
    const at = { top: chosen.offsetTop, bottom: chosen.offsetTop + chosen.offsetHeight };
    arrows.replaceChildren(
      ...flows(rows, at).map(({ d, width, head, kind }) =>
        drawn(
          "g",
          { class: kind },
          drawn("path", { d, class: "stem", "stroke-width": width }),
          drawn("path", { d: head, class: "tip" }),
        ),
      ),
    );
  }

  /** The row of a pair; a click chooses its sentence. */
  row(pair) {
    const { texts, kinds, measure } = this.of;
    const text = pair.text ?? texts[pair.row];
    const word = wordOf(pair.pull);
    const kind = pair.name ? `${pair.kind}, ${pair.name}` : pair.kind;
    const strength = pair.pull ? `${word} ${brief(Math.abs(pair.pull))}` : brief(pair.pull);
    const weight = pair.weight === null ? "" : brief(pair.weight);
    const slope = `${pair.gradient > 0 ? "+" : ""}${brief(pair.gradient)}`;
    const numbers = `${weight && `softmax weight ${weight}, `}${measure} ${brief(pair.score, 4)}, ∂loss/∂score ${slope}`;
    const told = `${strength}, ${kind}: ${text}; ${numbers}`;
    const button = element(
      "button",
      {
        type: "button",
        class: `pair ${word}`,
        "aria-label": told,
        "aria-disabled": String(pair.row === null),
        onclick: () => pair.row !== null && this.act("choose", { row: pair.row }),
      },
      marker(Math.max(0, kinds.indexOf(pair.kind))),
      element("span", { class: "kind", text: kind }),
      element("span", { class: "number slope", text: slope }),
      element("span", { class: "number strength", text: strength }),
      element("span", { class: "number", text: weight }),
      element("span", { class: "number", text: brief(pair.score) }),
      element("span", { class: "text", text }),
    );
    this.whole.on(button, () => `${text}\n${kind}: ${strength}, ${numbers}`, "below");
    return element("li", {}, button);
  }
}

/** A bar that fills `share` percent of its track. */
const bar = (kind, share) =>
  element(
    "span",
    { class: "track", "aria-hidden": "true" },
    element("span", { class: `bar ${kind}`, style: `width:${share}%` }),
  );

/** Shares of the sum of absolute values. Terms may be negative, and gradients may cancel. */
function shares(values) {
  const total = values.reduce((sum, value) => sum + Math.abs(value ?? 0), 0);
  return values.map((value) => (total ? (100 * Math.abs(value ?? 0)) / total : 0));
}

/** How much each term adds to the loss, and each kind of pair to this sentence's gradient. */
export class Shares {
  constructor() {
    this.terms = element("ul", { class: "terms" });
    this.kinds = element("ul", { class: "kinds" });
    this.head = element("h3", { text: "On this sentence, by kind" });
    this.root = element(
      "div",
      { class: "shares", tabindex: "0", role: "group", "aria-label": "shares" },
      element("h3", { text: "Terms of the loss" }),
      this.terms,
      this.head,
      this.kinds,
    );
  }

  /**
   * `terms`: [name, value, length of the gradient]; `kinds`: [kind, length of the gradient,
   * negative if it pushes].
   */
  show(terms, kinds) {
    const ofLoss = shares(terms.map(([, value]) => value));
    const ofGradient = shares(terms.map(([, , gradient]) => gradient));
    this.terms.replaceChildren(
      ...terms.map(([name, value, gradient], place) =>
        element(
          "li",
          {
            title: `${name}: value ${brief(value, 4)}, length of its gradient on the weights ${brief(gradient, 4)}`,
          },
          element("span", { class: "name", text: name }),
          element("span", { class: "value", text: brief(value, 4) }),
          element(
            "span",
            { class: "half" },
            bar("was", ofLoss[place]),
            element("span", { class: "share", text: `loss ${Math.round(ofLoss[place])} %` }),
          ),
          element(
            "span",
            { class: "half" },
            bar("hollow", ofGradient[place]),
            element("span", {
              class: "share",
              text: `gradient ${Math.round(ofGradient[place])} %`,
            }),
          ),
        ),
      ),
    );
    const most = Math.max(...kinds.map(([, length]) => Math.abs(length ?? 0)), 0);
    this.head.hidden = !kinds.length;
    this.kinds.replaceChildren(
      ...kinds.map(([kind, length]) => {
        const word = wordOf(length) || "none";
        return element(
          "li",
          { title: `${kind}: all together ${word} ${brief(Math.abs(length ?? 0))}` },
          element("span", { class: "name", text: kind }),
          element("span", {
            class: "value",
            text: `${kind.startsWith("gradient on") ? "" : `${word} `}${brief(length === null ? null : Math.abs(length))}`,
          }),
          bar(word, most ? (100 * Math.abs(length ?? 0)) / most : 0),
        );
      }),
    );
  }
}
