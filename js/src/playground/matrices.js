// The cosines between the reader's sentences, one grid per encoder.

import { floats32 } from "../shared/bytes.js";
import { scaleLinear } from "../shared/chart.js";
import { attribute, consume, drawn, element, write } from "../shared/dom.js";
import { number } from "../shared/text.js";
import { isDark } from "../shared/theme.js";

const CELL = 40;
const SMALL = 28; // cell size for more than MANY sentences; their numbers have no zero before the decimal point
const MANY = 8;
const EDGE = 24;

const short = (value) => (value > 0.995 ? "1" : number(value, 2).replace(/^(−?)0/, "$1"));

/** Colours as in clwork/views/matrices.py: blue for similar, background for unrelated, vermillion for opposite. */
const shades = (dark) => scaleLinear([-1, 0, 1], ["#d55e00", dark ? "#14181d" : "#ffffff", "#0072b2"]).clamp(true);

class Matrix {
  constructor(owner, place) {
    this.owner = owner;
    this.title = element("h4");
    this.picture = drawn("svg", { role: "img", tabindex: 0, class: `matrix matrix-${place}`, "data-lm-suppress-shortcuts": true });
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.picture.addEventListener("pointermove", (event) => this.point(event.target.closest?.("g[data-cell]")));
    this.picture.addEventListener("pointerleave", () => this.read(null));
    this.picture.addEventListener("blur", () => this.read(null));
    this.root = element("figure", {}, this.title, this.picture);
  }

  fill({ name, cosines }, texts) {
    this.name = name;
    this.texts = texts;
    this.before = floats32(cosines);
    this.now = this.before.slice();
    write(this.title, name);
    this.draw();
  }

  /** Update the row and column of a changed sentence. A negative row is a new sentence, which the grid lacks. */
  change(row, cosines) {
    this.now = this.before.slice();
    if (row >= 0 && cosines) {
      const n = this.texts.length;
      cosines.forEach((value, other) => {
        if (other !== row) this.now[row * n + other] = this.now[other * n + row] = value;
      });
    }
    this.row = row;
    this.draw();
  }

  draw() {
    const n = this.texts.length;
    const cell = n > MANY ? SMALL : CELL;
    const size = EDGE + n * cell;
    const shade = shades(this.owner.isDark);
    attribute(this.picture, "viewBox", `0 0 ${size} ${size}`);
    this.picture.style.width = `${size}px`;
    const parts = [];
    for (let i = 0; i < n; i++) {
      const middle = EDGE + (i + 0.5) * cell;
      const about = (x, y) => drawn("text", { x, y, class: i === this.row ? "name chosen" : "name", text: String(i + 1) });
      parts.push(about(middle, EDGE / 2), about(EDGE / 2, middle));
      for (let j = 0; j < n; j++) {
        const value = this.now[i * n + j];
        const fill = shade(value);
        const x = EDGE + j * cell;
        const y = EDGE + i * cell;
        const group = drawn("g", { "data-cell": `${i} ${j}` });
        group.append(drawn("rect", { x: x + 0.5, y: y + 0.5, width: cell - 1, height: cell - 1, fill }));
        group.append(drawn("text", { x: x + cell / 2, y: y + cell / 2, fill: isDark(fill) ? "#ffffff" : "#12161b", text: short(value) }));
        if (Math.abs(value - this.before[i * n + j]) >= 0.005) group.append(drawn("rect", { x: x + 2, y: y + 2, width: cell - 4, height: cell - 4, class: "changed" }));
        parts.push(group);
      }
    }
    this.ring = drawn("rect", { width: cell, height: cell, class: "ring", visibility: "hidden" });
    this.picture.replaceChildren(...parts, this.ring);
    this.cell = cell;
    attribute(this.picture, "aria-label", `${this.name}: cosines of your ${n} sentences with one another. Arrow keys move through the cells.`);
    if (this.chosen) this.show();
  }

  point(group) {
    if (group) this.read(group.dataset.cell.split(" ").map(Number));
  }

  read(chosen) {
    this.chosen = chosen;
    this.show();
  }

  show() {
    const n = this.texts.length;
    if (!this.chosen || this.chosen.some((place) => place >= n)) {
      this.ring.setAttribute("visibility", "hidden");
      this.owner.report("");
      return;
    }
    const [i, j] = this.chosen;
    this.ring.setAttribute("visibility", "visible");
    this.ring.setAttribute("x", EDGE + j * this.cell);
    this.ring.setAttribute("y", EDGE + i * this.cell);
    const [was, now] = [this.before[i * n + j], this.now[i * n + j]];
    const moved = Math.abs(was - now) >= 0.005 ? `, which was ${number(was, 2)}` : "";
    this.owner.report(`${this.name}: ${number(now, 3)}${moved}. ${i + 1} ${this.texts[i]} · ${j + 1} ${this.texts[j]}`);
  }

  key(event) {
    const n = this.texts?.length ?? 0;
    const [i, j] = this.chosen ?? [0, -1];
    const to = { ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1], ArrowUp: [i - 1, j], ArrowDown: [i + 1, Math.max(0, j)], Home: [i, 0], End: [i, n - 1] }[event.key];
    if (!to || !n) return;
    consume(event);
    this.read(to.map((place) => Math.min(n - 1, Math.max(0, place))));
  }
}

export class Matrices {
  constructor(page) {
    this.page = page;
    this.grids = [];
    this.place = element("div", { class: "grids" });
    this.reading = element("p", { class: "reading soft", role: "status", text: "Point at a cell to read its sentences." });
    this.root = element("div", { class: "part matrices", hidden: true }, element("div", { class: "head" }, element("h3", { text: "Cosines between your sentences" })), this.place, this.reading);
  }

  fill({ texts, sides }) {
    this.root.hidden = false;
    while (this.grids.length > sides.length) this.grids.pop().root.remove();
    sides.forEach((side, place) => {
      if (!this.grids[place]) {
        this.grids[place] = new Matrix(this, place);
        this.place.append(this.grids[place].root);
      }
      this.grids[place].fill(side, texts);
    });
    if (this.last) this.change(this.last);
  }

  change(answer) {
    this.last = answer;
    for (const grid of this.grids) {
      const side = answer.sides.find(({ name }) => name === grid.name);
      if (side && answer.row < grid.texts.length) grid.change(answer.row, answer.changed ? side.cosines : null);
    }
  }

  report(text) {
    write(this.reading, text || "Point at a cell to read its sentences.");
    attribute(this.reading, "title", text);
  }

  dark(dark) {
    this.isDark = dark;
    this.grids.forEach((grid) => grid.draw());
  }
}
