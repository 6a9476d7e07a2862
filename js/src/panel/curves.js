// The strip of curves: all on one axis of steps, which grows with the run.

import { element } from "../shared/dom.js";
import { Curve } from "./curve.js";
import { roundEnd } from "./format.js";

const USUAL = [
  { cell: "loss", columns: [{ name: "loss", title: "loss", better: "", smooth: true }] },
  { cell: "alignment", columns: [{ name: "alignment", title: "alignment", better: "lower", smooth: false }] },
  { cell: "uniformity", columns: [{ name: "uniformity", title: "uniformity", better: "lower", smooth: false }] },
];

export class Curves {
  /** `cells`: of clwork/lab/panel/run_page.py; hooks: go(step), column(name), resized(). */
  constructor(cells, hooks) {
    const shown = cells?.length ? cells : USUAL;
    this.hooks = hooks;
    this.curves = shown.map((cell, i) => new Curve(cell, hooks, i === shown.length - 1));
    this.root = element("div", { class: "curves" }, ...this.curves.map((curve) => curve.root));
    this.watch = new ResizeObserver((changes) => {
      for (const { target, contentRect } of changes) {
        const curve = this.curves.find(({ box }) => box === target);
        [curve.width, curve.height] = [Math.round(contentRect.width), Math.round(contentRect.height)];
      }
      hooks.resized();
    });
    for (const { box } of this.curves) this.watch.observe(box);
  }

  /** Leave out cells of several columns of which nothing was measured; the last one that is shown has the steps. */
  leave(records) {
    const there = ({ columns }) => columns.length < 2 || columns.some(({ name }) => records.some(({ history }) => history.has(name)));
    const shown = this.curves.filter(there);
    for (const curve of this.curves) {
      curve.root.hidden = !shown.includes(curve);
      curve.last = curve === shown.at(-1);
    }
    this.root.parentElement?.style.setProperty("--curves", String(shown.length));
  }

  /** Let the last cell draw further columns, [[name, title], …]. */
  offer(further) {
    this.curves.at(-1).offer(further);
  }

  /** `bands`: {column: {steps, low, high}}, where other runs have gone. */
  lay(runs, previous, bands = {}) {
    const alive = runs.some(({ record }) => record.alive);
    const last = Math.max(1, ...runs.map(({ record }) => record.last));
    const total = Math.max(0, ...runs.map(({ record }) => record.total));
    const end = alive ? roundEnd(last, total) : last;
    for (const curve of this.curves) curve.lay({ runs, previous, bands }, end);
  }

  show(runs, step, live) {
    for (const curve of this.curves) curve.show(runs, step, live);
  }

  close() {
    this.watch.disconnect();
  }
}
