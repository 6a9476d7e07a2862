// The strip of curves: all on one axis of steps, which grows with the run.

import { element } from "../shared/dom.js";
import { Curve } from "./curve.js";
import { roundEnd } from "./words.js";

const GLIDE = 300; // milliseconds in which the axis reaches its next end

const USUAL = [
  { cell: "loss", columns: [{ name: "loss", title: "loss", better: "", smooth: true }] },
  { cell: "alignment", columns: [{ name: "alignment", title: "alignment", better: "lower", smooth: false }] },
  { cell: "uniformity", columns: [{ name: "uniformity", title: "uniformity", better: "lower", smooth: false }] },
];

export class Curves {
  /** `cells`: of clwork/lab/instrument/instrument.py's curves(); hooks: go(step), column(name), resized(), paint(). */
  constructor(cells, hooks) {
    const shown = cells?.length ? cells : USUAL;
    this.hooks = hooks;
    this.curves = shown.map((cell, i) => new Curve(cell, hooks, i === shown.length - 1));
    this.root = element("div", { class: "curves" }, ...this.curves.map((curve) => curve.root));
    this.end = null;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
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
  leave(films) {
    const there = ({ columns }) => columns.length < 2 || columns.some(({ name }) => films.some(({ history }) => history.has(name)));
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
  lay(runs, ghost, bands = {}) {
    const alive = runs.some(({ film }) => film.alive);
    const last = Math.max(1, ...runs.map(({ film }) => film.last));
    const total = Math.max(0, ...runs.map(({ film }) => film.total));
    const end = alive ? roundEnd(last, total) : last;
    if (end !== this.goal?.to) this.head(end, runs[0]?.film);
    this.given = { runs, ghost, bands };
    this.redraw();
  }

  /** Let the axis end at another step: at once for another run, else gliding. */
  head(end, film) {
    const jump = this.film !== film || this.still.matches || document.hidden || this.end === null;
    this.goal = { from: jump ? end : this.end, to: end, began: performance.now() };
    this.film = film;
  }

  get gliding() {
    return Boolean(this.goal) && this.end !== this.goal.to;
  }

  redraw() {
    const { from, to, began } = this.goal;
    const part = from === to ? 1 : Math.min(1, (performance.now() - began) / GLIDE);
    this.end = part === 1 ? to : from + (to - from) * (1 - (1 - part) ** 3);
    for (const curve of this.curves) curve.lay(this.given, this.end);
  }

  show(runs, step, live) {
    if (this.gliding) this.redraw();
    for (const curve of this.curves) curve.show(runs, step, live);
  }

  close() {
    this.watch.disconnect();
  }
}
