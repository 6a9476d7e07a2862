// The cloud: every sentence a dot, on a canvas that fills its frame. It draws what it is given and says what is touched.

import { element, tell } from "../shared/dom.js";
import { Painter } from "./painter.js";
import { Topics } from "./topics.js";

const REACH = 14; // pixels within which a dot is touched
const SIDE = 16; // pixels around the dots
const [TOP, BOTTOM] = [48, 16]; // of them for the words above, and below

export class Cloud {
  /**
   * `hooks`: hover(row or -1), choose(row, more), key(event) -> whether it was used, light(group or null),
   * pin(group), resized().
   */
  constructor(hooks) {
    this.canvas = element("canvas", { class: "cloud-canvas", tabindex: 0, role: "img" });
    this.topics = new Topics(hooks);
    this.root = element("div", { class: "cloud-frame" }, this.canvas, this.topics.root);
    this.hooks = hooks;
    this.at = new Float32Array(0); // pixels, two a row
    this.own = []; // of own sentences, [x, y]
    this.scene = null;
    this.painter = new Painter(this);
    this.width = this.height = 0;
    this.listen();
    this.watch = new ResizeObserver(([{ contentRect }]) => {
      [this.width, this.height] = [Math.round(contentRect.width), Math.round(contentRect.height)];
      hooks.resized();
    });
    this.watch.observe(this.root);
  }

  listen() {
    const { canvas, hooks } = this;
    canvas.addEventListener("pointermove", (event) => hooks.hover(this.hit(event)));
    canvas.addEventListener("pointerleave", () => hooks.hover(-1));
    canvas.addEventListener("click", (event) => hooks.choose(this.hit(event), event.shiftKey || event.ctrlKey || event.metaKey));
    canvas.addEventListener("keydown", (event) => {
      if (hooks.key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  /** The row of the dot that is nearest to the pointer, -1 if none is near. */
  hit(event) {
    if (!this.scene) return -1;
    const [x, y] = [event.offsetX, event.offsetY];
    let best = -1;
    let least = REACH ** 2;
    for (let row = 0; row < this.at.length / 2; row++) {
      const gap = (this.at[2 * row] - x) ** 2 + (this.at[2 * row + 1] - y) ** 2;
      if (gap < least && !this.scene.hidden(row)) [best, least] = [row, gap];
    }
    return best;
  }

  /** The row of the visible dot that is next to `row` in a direction, {x, y} of -1, 0 or 1; `row` where there is none. */
  beside(row, { x, y }) {
    if (row < 0) return this.at.length ? this.middle() : -1;
    let best = row;
    let least = Infinity;
    for (let other = 0; other < this.at.length / 2; other++) {
      const across = (this.at[2 * other] - this.at[2 * row]) * (x || 1);
      const up = (this.at[2 * other + 1] - this.at[2 * row + 1]) * (y || 1);
      const along = x ? across : up;
      const off = Math.abs(x ? up : across);
      if (other === row || along <= 0.01 || off > 2 * along || this.scene.hidden(other)) continue;
      const gap = along + 2 * off;
      if (gap < least) [best, least] = [other, gap];
    }
    return best;
  }

  middle() {
    const from = { offsetX: this.width / 2, offsetY: this.height / 2 };
    let best = 0;
    let least = Infinity;
    for (let row = 0; row < this.at.length / 2; row++) {
      const gap = (this.at[2 * row] - from.offsetX) ** 2 + (this.at[2 * row + 1] - from.offsetY) ** 2;
      if (gap < least && !this.scene.hidden(row)) [best, least] = [row, gap];
    }
    return best;
  }

  /** From coordinates to pixels: the box of all times fills the frame, and a length is the same along both axes. */
  frame(box) {
    const { width, height } = this;
    const across = (width - 2 * SIDE) / Math.max(box[1] - box[0], 1e-6);
    const up = (height - TOP - BOTTOM) / Math.max(box[3] - box[2], 1e-6);
    this.unit = Math.min(across, up); // pixels
    this.left = width / 2 - (this.unit * (box[0] + box[1])) / 2;
    this.top = (TOP + height - BOTTOM) / 2 + (this.unit * (box[2] + box[3])) / 2;
    return (x, y) => [this.left + this.unit * x, this.top - this.unit * y];
  }

  /**
   * scene: {xy, before or null, box, measured: whether lengths mean something, group(row), hidden(row), faint(row),
   * faded: whether it is not the reader's own run, hover, chosen: [rows], near: [rows], then: [rows],
   * tracks: [[row, [[x, y] …]] …], own: [{text, x, y}], forces: {row, pull, push} or null, text(row), names, lit,
   * still: whether nothing moves, dark, inks, label}
   */
  draw(scene) {
    this.scene = scene;
    if (this.width < 20 || this.height < 20) return;
    const place = this.frame(scene.box);
    const count = scene.xy.length / 2;
    if (this.at.length !== 2 * count) this.at = new Float32Array(2 * count);
    const { at, unit, left, top } = this;
    for (let i = 0; i < 2 * count; i += 2) {
      at[i] = left + unit * scene.xy[i];
      at[i + 1] = top - unit * scene.xy[i + 1];
    }
    this.own = scene.own.map(({ x, y }) => place(x, y));
    this.topics.lay(this);
    this.painter.paint(place);
    tell(this.canvas, "aria-label", scene.label);
  }

  close() {
    this.watch.disconnect();
  }
}
