// One run through time, as the kernel or a static page gives it: head, probes, rows, verdict. Probes are unpacked when they
// are first shown; clwork/training/loop/positions.py describes their format.

import { floats, STEPS, whole } from "../shared/sixteen_bits.js";
import { History } from "./history.js";
import { between } from "./timeline.js";

const HEAD = ["name", "method", "title", "differs", "labels", "own", "settings", "seed", "credit", "changes"];
const ALIVE = new Set(["waiting", "running", "paused"]);

/** Points are addressed by row, probes by number, moments by (fractional) step. */
export class RunRecord {
  constructor(id, head = {}) {
    for (const name of HEAD) this[name] = head[name] ?? null;
    this.id = id;
    this.head = { name: this.name, title: this.title, settings: this.settings };
    this.texts = head.texts ?? [];
    this.size = this.texts.length;
    this.axes = head.axes ?? 0;
    this.shares = head.share ?? [];
    this.total = head.total_steps ?? 0;
    this.levels = head.levels ?? {};
    this.scale = (head.span ?? 1) / STEPS;
    this.probes = [];
    this.steps = [];
    this.history = new History();
    this.reload = false; // whether its history is asked for from the start, with another column
    this.verdict = null;
    this.expected = []; // moves of knobs that the run has taken and no row tells of yet
    this.umap = null;
    this.kept = new Map(); // what is unpacked
    this.boxes = new Map(); // bounds by view: of the probes so far, and their number
  }

  /** Take what is new; what is known already is passed over. True where a probe came. */
  take({ probes = [], rows, verdict, status, umap }) {
    const last = this.steps.at(-1) ?? -1;
    const fresh = probes.filter((probe) => probe.step > last);
    this.probes.push(...fresh);
    this.steps.push(...fresh.map((probe) => probe.step));
    if (rows && this.history.take(rows) && rows.from === 0) this.reload = false;
    if (rows?.events?.length) this.expected = [];
    this.expected = this.expected.filter((event) => event.step > this.history.last - 2); // a move back to where it was is told by no row
    if (verdict) this.verdict = verdict;
    if (status) this.status = status;
    if (umap) this.lay(umap);
    return fresh.length > 0;
  }

  lay({ steps, looks, span }) {
    this.umap = { steps, probes: looks, scale: span / STEPS };
    for (const key of this.kept.keys()) if (key.startsWith("umap")) this.kept.delete(key);
    this.boxes.delete("umap 0 1");
  }

  /** A knob was moved, and the run has taken it: it is marked at once, at the step that comes next. */
  expect(words) {
    this.expected = [{ step: this.history.last + 1, words }];
  }

  /** What the page has of it, for the kernel. */
  known(columns) {
    const { probes, history, verdict } = this;
    return { id: this.id, probe: probes.at(-1)?.step ?? -1, row: this.reload ? 0 : history.upto, verdict: verdict?.step ?? -1, columns };
  }

  get alive() {
    return ALIVE.has(this.status);
  }

  get recorded() {
    return this.id.startsWith("recorded:");
  }

  /** The last step that is known. */
  get last() {
    return Math.max(this.history.last, this.steps.at(-1) ?? 0);
  }

  once(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }

  /** Coordinates of a probe, row after row. */
  unpacked(probe) {
    return this.once(`at ${probe}`, () => floats(this.probes[probe].at, this.scale));
  }

  /** Looks of a kind: their steps, coordinates, and how many numbers are a row. */
  plane(kind) {
    if (kind !== "umap") return { steps: this.steps, width: this.axes, of: (probe) => this.unpacked(probe) };
    const { steps, probes, scale } = this.umap;
    return { steps, width: 2, of: (probe) => this.once(`umap ${probe}`, () => floats(probes[probe], scale)) };
  }

  /** x, y of all rows at a step, between two probes on the straight way; `view` is {kind, x, y}. */
  places(step, view, out = new Float32Array(2 * this.size)) {
    const { steps, width, of } = this.plane(view.kind);
    if (!steps.length) return out;
    const { low, part } = between(steps, step);
    const a = of(low);
    const b = part ? of(low + 1) : a;
    const [x, y] = axes(view);
    for (let row = 0, at = 0; row < this.size; row++, at += width) {
      out[2 * row] = a[at + x] + part * (b[at + x] - a[at + x]);
      out[2 * row + 1] = a[at + y] + part * (b[at + y] - a[at + y]);
    }
    return out;
  }

  /** The way of one row up to a step: x, y at every probe before it. */
  track(row, step, view) {
    const { steps, width, of } = this.plane(view.kind);
    const [x, y] = axes(view);
    const way = [];
    for (let probe = 0; probe < steps.length && steps[probe] <= step; probe++) {
      const all = of(probe);
      way.push([all[row * width + x], all[row * width + y]]);
    }
    return way;
  }

  /** [left, right, bottom, top] of all rows over all probes: the frame stays, so what moves on screen has moved. */
  bounds(view) {
    const { steps, width, of } = this.plane(view.kind);
    const [x, y] = axes(view);
    const key = `${view.kind} ${x} ${y}`;
    const known = this.boxes.get(key) ?? { upto: 0, box: [Infinity, -Infinity, Infinity, -Infinity] };
    const { box } = known;
    for (; known.upto < steps.length; known.upto++) {
      const all = of(known.upto);
      for (let at = 0; at < all.length; at += width) {
        box[0] = Math.min(box[0], all[at + x]);
        box[1] = Math.max(box[1], all[at + x]);
        box[2] = Math.min(box[2], all[at + y]);
        box[3] = Math.max(box[3], all[at + y]);
      }
    }
    this.boxes.set(key, known);
    return box;
  }

  /** The run's trend in words at the last probe done by then. */
  trend(step) {
    return this.probes[this.probeAt(step)]?.trend ?? "";
  }

  /** The probe shown at a step: the last one done by then. */
  probeAt(step) {
    return between(this.steps, step).low;
  }

  /** Rows of the nearest sentences of `row`, in all dimensions, at a probe. */
  near(probe, row) {
    if (!this.probes[probe]) return [];
    const all = this.once(`near ${probe}`, () => whole(this.probes[probe].near));
    const count = all.length / this.size;
    return [...all.subarray(row * count, (row + 1) * count)];
  }

  /** The share of a probe's variance, of all dimensions, that two axes hold. */
  share(probe, x, y) {
    if (!this.probes[probe]) return 0;
    const spread = this.once(`spread ${probe}`, () => spreads(this.unpacked(probe), this.axes));
    const held = spread.reduce((sum, one) => sum + one, 0);
    const shown = x === y ? spread[x] : spread[x] + spread[y];
    return held > 0 ? (shown / held) * this.probes[probe].kept : 0;
  }
}

const axes = (view) => (view.kind === "umap" ? [0, 1] : [view.x, view.y]);

/** The variance along each axis. */
function spreads(all, width) {
  const size = all.length / width;
  return Array.from({ length: width }, (_, axis) => {
    let sum = 0;
    let squares = 0;
    for (let at = axis; at < all.length; at += width) {
      sum += all[at];
      squares += all[at] * all[at];
    }
    return Math.max(0, squares / size - (sum / size) ** 2);
  });
}
