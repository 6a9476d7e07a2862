// One representation: the cosine of the two sentences, where it stands among random pairs, neighbours and the cloud.

import { floats32, view } from "../../../js/src/shared/bytes.js";
import { attribute, element, write } from "../../../js/src/shared/dom.js";
import { number } from "../../../js/src/shared/text.js";
import { Cloud } from "./cloud.js";

const SHOWN = 5; // neighbours

/** Rows of 8 bits at length 1. */
function rowsOf(packed, width) {
  const data = view(packed);
  const rows = new Float32Array(data.byteLength);
  for (let start = 0; start < rows.length; start += width) {
    let square = 0;
    for (let i = 0; i < width; i++) square += (rows[start + i] = data.getInt8(start + i)) ** 2;
    const scale = 1 / (Math.sqrt(square) || 1);
    for (let i = 0; i < width; i++) rows[start + i] *= scale;
  }
  return rows;
}

function dot(a, b, start = 0) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[start + i];
  return sum;
}

export class Column {
  constructor(part, texts, width) {
    this.part = part;
    this.texts = texts;
    this.rows = rowsOf(part.vectors, width);
    this.mean = floats32(part.mean);
    this.axes = floats32(part.axes);
    this.own = [null, null];
    const points = new Float32Array(2 * texts.length);
    for (let row = 0; row < texts.length; row++) points.set(this.place(this.rows.subarray(row * width, (row + 1) * width)), 2 * row);
    this.cloud = new Cloud(points, `Cloud of ${texts.length} sentences by ${part.title}`);
    this.cosine = element("output", { class: "cosine" });
    this.rank = element("p", { class: "rank" });
    this.mark = element("span", { class: "mark" });
    this.list = element("ol", { class: "near" });
    const scale = element("div", { class: "scale" }, this.mark);
    const [low, middle, high] = [5, 50, 95].map((k) => part.quantiles[k]);
    const [from, to] = [low, high].map((value) => this.share(value));
    scale.prepend(element("span", { class: "usual", style: `left:${from}%;width:${to - from}%`, title: `random pairs: ${number(low, 2)} to ${number(high, 2)}, half above ${number(middle, 2)}` }));
    const head = element("h3", { text: part.title });
    this.root = element("section", {}, head, this.cosine, scale, this.rank, this.cloud.canvas, this.list);
  }

  /** A cosine's place on the scale from −0.2 to 1, in percent. */
  share(cosine) {
    return 100 * Math.min(1, Math.max(0, (cosine + 0.2) / 1.2));
  }

  /** Where a vector lands in the plane of the cloud. */
  place(vector) {
    const out = [0, 0];
    for (let k = 0; k < 2; k++) for (let i = 0; i < vector.length; i++) out[k] += (vector[i] - this.mean[i]) * this.axes[k * vector.length + i];
    return out;
  }

  take(which, vector) {
    this.own[which] = vector;
    this.cloud.move(which, this.place(vector));
  }

  /** Write cosine, rank and the neighbours of one of the two sentences. */
  show(which) {
    const [a, b] = this.own;
    const cosine = dot(a, b);
    write(this.cosine, number(cosine, 2));
    attribute(this.mark, "style", `left:${this.share(cosine)}%`);
    const below = this.part.quantiles.filter((value) => value < cosine).length;
    write(this.rank, below > 100 ? "above all random pairs" : `above ${Math.max(0, below - 1)} % of random pairs`);
    const width = a.length;
    const all = Float32Array.from({ length: this.texts.length }, (_, row) => dot(this.own[which], this.rows, row * width));
    this.cloud.near = Array.from(all.keys()).sort((p, q) => all[q] - all[p]).slice(0, SHOWN);
    this.list.replaceChildren(...this.cloud.near.map((row) => element("li", {}, element("span", { class: "score", text: number(all[row], 2) }), this.texts[row])));
    this.cloud.draw();
  }

  paint(dark) {
    this.cloud.dark = dark;
    this.cloud.draw();
  }
}
