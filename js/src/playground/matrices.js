// The cosines between the reader's sentences, one table per encoder.

import { floats32 } from "../shared/bytes.js";
import { scaleLinear } from "../shared/chart.js";
import { element } from "../shared/dom.js";
import { number } from "../shared/text.js";
import { isDark } from "../shared/theme.js";

const MANY = 8; // sentences; a larger table has smaller cells, and numbers without the zero before the point
const CHANGED = 0.005;

/** Colours as in clwork/views/matrices.py: blue for similar, background for unrelated, vermillion for opposite. */
const shades = (dark) => scaleLinear([-1, 0, 1], ["#d55e00", dark ? "#14181d" : "#ffffff", "#0072b2"]).clamp(true);

export class Matrices {
  constructor() {
    this.grids = [];
    this.place = element("div", { class: "grids" });
    this.root = element("div", { class: "part matrices", hidden: true }, element("div", { class: "head" }, element("h3", { text: "Cosines between your sentences" })), this.place);
  }

  fill({ texts, sides }) {
    this.root.hidden = false;
    this.texts = texts;
    this.grids = sides.map(({ name, cosines }) => ({ name, cosines: floats32(cosines) }));
    this.draw();
  }

  /** Show a changed sentence's cosines in its row and column. */
  change(answer) {
    this.last = answer;
    this.draw();
  }

  draw() {
    this.place.replaceChildren(...this.grids.map((grid, place) => this.table(grid, place)));
  }

  table({ name, cosines }, place) {
    const { texts, last } = this;
    const own = last?.sides.find((side) => side.name === name)?.cosines;
    const shade = shades(this.isDark);
    const cell = (i, j) => {
      const was = cosines[i * texts.length + j];
      const other = i === last?.row ? j : j === last?.row ? i : -1;
      const value = last?.changed && own && other >= 0 && i !== j ? own[other] : was;
      const changed = Math.abs(value - was) >= CHANGED;
      const fill = shade(value);
      const text = value > 0.995 ? "1" : number(value, 2).replace(/^(−?)0/, "$1");
      const title = `${name}: ${number(value, 3)}${changed ? `, which was ${number(was, 2)}` : ""}\n${i + 1} ${texts[i]}\n${j + 1} ${texts[j]}`;
      return element("td", { text, title, class: changed ? "changed" : null, style: `background: ${fill}; color: ${isDark(fill) ? "#ffffff" : "#12161b"}` });
    };
    const label = (i, scope) => element("th", { scope, text: i + 1, title: texts[i], class: i === last?.row ? "chosen" : null });
    const all = [...texts.keys()];
    return element("figure", {}, element("h4", { text: name }), element("table", { class: `matrix matrix-${place}${texts.length > MANY ? " many" : ""}`, "aria-label": `cosines by ${name}` },
      element("thead", {}, element("tr", {}, element("td"), ...all.map((j) => label(j, "col")))),
      element("tbody", {}, ...all.map((i) => element("tr", {}, label(i, "row"), ...all.map((j) => cell(i, j)))))));
  }

  dark(dark) {
    this.isDark = dark;
    this.draw();
  }
}
