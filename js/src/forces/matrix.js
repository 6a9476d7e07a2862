// Heat map of anchors by candidates. Hover or use the arrow keys to read both sentences and the
// value.

import { extent } from "d3-array";
import { floats32 } from "../shared/bytes.js";
import { scaleLinear } from "../shared/chart.js";
import { penOf } from "../shared/cloud.js";
import { attribute, consume, element, offer, onResize, write } from "../shared/dom.js";
import { brief } from "../shared/text.js";

/**
 * The range of the values and their colours. Gradients: pulls in the accent colour, pushes in the
 * text colour. Else: ground to accent.
 */
function ramp(values, gradient) {
  let [low = 0, high = 1] = extent(values.filter(Number.isFinite));
  if (gradient) [low, high] = high > 0 ? [-high, high] : [low || -1e-30, -low || 1e-30];
  else if (low === high) high = low + 1;
  const colours = (ground, accent, ink) =>
    (gradient
      ? scaleLinear([low, 0, high], [accent, ground, ink])
      : scaleLinear([low, high], [ground, accent])
    ).clamp(true);
  return { low, high, colours };
}

const HINT = ["Point at a cell or use the arrow keys;", "a click or Enter chooses its row."];

/**
 * The heat map with its menus and its reading line. `cell` is the [row, column] that is read, `row`
 * the chosen sentence's row in the batch.
 */
export class Matrix {
  constructor(act) {
    Object.assign(this, { act, part: null, cell: null });
    const menu = (name, about, send) =>
      element("select", {
        class: name,
        "aria-label": about,
        title: about,
        onchange: ({ target }) => act(name, send(target.value)),
      });
    this.names = menu("matrix", "what the cells show", (matrix) => ({ matrix }));
    this.groups = menu("group", "the columns", (place) => ({ place: Number(place) }));
    this.canvas = element("canvas", {
      class: "heat",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "heat map",
    });
    this.box = element("div", { class: "heat-box" }, this.canvas);
    this.low = element("span");
    this.high = element("span");
    this.key = element(
      "div",
      { class: "key", "aria-hidden": "true" },
      this.low,
      element("span", { class: "colours" }),
      this.high,
    );
    this.value = element("p", { class: "reading-value" });
    this.across = element("p");
    this.down = element("p");
    this.reading = element(
      "div",
      { class: "reading", role: "status" },
      this.value,
      this.across,
      this.down,
    );
    this.root = element(
      "div",
      { class: "matrix-part" },
      element("div", { class: "head" }, this.names, this.groups),
      this.box,
      this.key,
      this.reading,
    );
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => this.read(null));
    this.canvas.addEventListener("click", (event) => {
      this.point(event);
      this.choose();
    });
    this.canvas.addEventListener("keydown", (event) => this.walk(event));
    onResize(this.box, () => this.paint());
  }

  /** The choices for a question; null if the method has none. */
  offer(question, row) {
    this.row = row;
    this.root.hidden = !question;
    if (!question) return;
    offer(
      this.names,
      question.matrices.map((name) => [name, name]),
    );
    offer(
      this.groups,
      question.groups.map((name, place) => [place, name]),
    );
    this.groups.hidden = question.groups.length < 2;
  }

  /**
   * Take the kernel's matrix; `texts` are the batch's. Columns that are no sentences of the batch
   * have their own texts.
   */
  show(part, texts) {
    if (!part.values) {
      this.part = null;
      return;
    }
    const values = floats32(part.values);
    const columns = part.columns.map((column) =>
      typeof column === "number" ? texts[column] : column,
    );
    this.part = { ...part, values, columns, texts };
    this.names.value = part.name;
    this.groups.value = String(part.group);
    this.scale = ramp(values, part.gradient);
    const ends = part.gradient
      ? [`pull ${brief(-this.scale.high, 2)}`, `push ${brief(this.scale.high, 2)}`]
      : [brief(this.scale.low, 2), brief(this.scale.high, 2)];
    write(this.low, ends[0]);
    write(this.high, ends[1]);
    attribute(this.key, "data-gradient", String(part.gradient));
    const few =
      part.rows.length < part.of
        ? `: the ${part.rows.length} of ${part.of} that matter most here`
        : "";
    this.note = `${part.name} with ${this.groups.selectedOptions[0]?.textContent ?? ""}${few}`;
    attribute(
      this.canvas,
      "aria-label",
      `${this.note}; ${part.rows.length} rows, ${columns.length} columns, row ${part.rows.indexOf(this.row) + 1} is the chosen sentence. ${HINT.join(" ")}`,
    );
    if (this.cell && (this.cell[0] >= part.rows.length || this.cell[1] >= columns.length))
      this.cell = null;
    this.read(this.cell);
  }

  /**
   * Draw all cells, a frame around the chosen sentence's row, and one around the cell that is read.
   */
  paint() {
    const { canvas, box, part } = this;
    const [wide, high] = [box.clientWidth, box.clientHeight];
    if (!part || !wide || !high) return;
    const pen = penOf(canvas, wide, high);
    const [rows, columns] = [part.rows.length, part.columns.length];
    const style = getComputedStyle(this.root);
    const ink = (name) => style.getPropertyValue(name).trim();
    const colour = this.scale.colours(ink("--ground"), ink("--accent"), ink("--ink"));
    const x = (column) => Math.round((column * wide) / columns);
    const y = (row) => Math.round((row * high) / rows);
    part.values.forEach((value, place) => {
      const [row, column] = [Math.floor(place / columns), place % columns];
      pen.fillStyle = colour(value);
      pen.fillRect(x(column), y(row), x(column + 1) - x(column), y(row + 1) - y(row));
    });
    const frame = (left, top, right, bottom) => {
      for (const [shade, width] of [
        [ink("--ground"), 4],
        [ink("--ink"), 2],
      ]) {
        pen.strokeStyle = shade;
        pen.lineWidth = width;
        pen.strokeRect(left + 1, top + 1, right - left - 2, bottom - top - 2);
      }
    };
    const at = part.rows.indexOf(this.row);
    if (at >= 0) frame(0, y(at) - 2, wide, y(at + 1) + 2);
    if (this.cell)
      frame(x(this.cell[1]), y(this.cell[0]), x(this.cell[1] + 1), y(this.cell[0] + 1));
  }

  /** Read the cell under the pointer. */
  point(event) {
    const { part } = this;
    if (!part) return;
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const place = (at, size, count) =>
      Math.max(0, Math.min(count - 1, Math.floor((at / size) * count)));
    const cell = [
      place(event.clientY - top, height, part.rows.length),
      place(event.clientX - left, width, part.columns.length),
    ];
    if (cell.join() !== this.cell?.join()) this.read(cell);
  }

  /** Write the sentences and the value of a cell; null: a hint instead. */
  read(cell) {
    this.cell = cell;
    const { part } = this;
    if (!cell || !part) {
      write(this.value, this.note ?? "");
      write(this.across, HINT[0]);
      write(this.down, HINT[1]);
    } else {
      const [row, column] = cell;
      const value = part.values[row * part.columns.length + column];
      let word = "";
      if (part.gradient && value) word = value < 0 ? " (pull)" : " (push)";
      write(this.value, `${part.name} ${brief(value, 4)}${word}`);
      write(this.across, `${row + 1}. ${part.texts[part.rows[row]]}`);
      write(this.down, `${column + 1}. ${part.columns[column]}`);
    }
    for (const line of [this.value, this.across, this.down])
      attribute(line, "title", line.textContent);
    this.paint();
  }

  /** Arrow keys move to the next cell, Enter chooses its row, Escape leaves. */
  walk(event) {
    const { part } = this;
    if (!part || event.ctrlKey || event.metaKey || event.altKey) return;
    const [last, end] = [part.rows.length - 1, part.columns.length - 1];
    const from = this.cell ?? [Math.max(0, part.rows.indexOf(this.row)), 0];
    const [row, column] = from;
    if (event.key === "Enter") this.choose();
    else if (event.key === "Escape") this.read(null);
    else {
      const to = {
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        Home: [row, 0],
        End: [row, end],
        PageUp: [0, column],
        PageDown: [last, column],
      }[event.key];
      if (!to) return;
      this.read(
        this.cell ? [Math.max(0, Math.min(last, to[0])), Math.max(0, Math.min(end, to[1]))] : from,
      );
    }
    consume(event);
  }

  /** Choose the sentence of the row that is read. */
  choose() {
    if (this.cell && this.part) this.act("choose", { row: this.part.rows[this.cell[0]] });
  }
}
