// A run that trains in this page: its loop, its history, and the data that the panel draws. The
// trainer computes in a worker, so the page stays responsive.

import { floats32, whole } from "../shared/bytes.js";
import {
  AXES,
  alignmentOf,
  coordinates,
  fitBasis,
  nearestTo,
  neighbours,
  SPAN,
  shapeOf,
  trendOf,
} from "./measure.js";

// columns of the history that the page receives
const COLUMNS = [
  "loss",
  "alignment",
  "uniformity",
  "mean_cosine",
  "gradient_norm",
  "learning_rate",
];
// measuring may take one third of the time
const SHARE = 2;
// the first step after which the cloud moves
const SOON = 1;
// steps between two states of which a fork can begin; two are kept, since each is large
const KEEP_EVERY = 20;
// milliseconds from step to step at the speed "slow"
const SLOW = 500;
// letters of a sentence on the page
const LONGEST = 500;
const NOTHING = { probe: -1, row: 0 };

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** An error as a sentence with what to do; browsers report missing memory in several ways. */
export function plain(error) {
  const text = String(error?.message ?? error);
  if (/memory|alloc|out of bounds|array (buffer )?length|lost/i.test(text))
    return "The browser has too little memory for this batch: set a smaller batch size, or close other tabs.";
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * `status`: running, paused, finished, stopped or failed. `checkpoints`: states of the trainer by
 * step. `changed()` is called after each step and each measurement.
 */
export class Run {
  /**
   * `made`: id, name, trainer, batches, texts (of the cloud), labels, pairs (related sentences, flat),
   * settings (values by name), slow(), own() (typed sentences), changed().
   */
  constructor(made) {
    Object.assign(this, made);
    Object.assign(this, {
      step: 0,
      status: "running",
      error: "",
      rows: [],
      probes: [],
      seconds: 0,
    });
    this.shapes = [];
    // changes of controls since the last step, by setting
    this.events = new Map();
    // vectors of typed sentences by text: {step, vector}
    this.encoded = new Map();
    this.checkpoints = new Map();
    this.measured = { at: 0, cost: 0 };
    this.pausing = false;
    // the first step of a fork
    this.begin = 0;
    // milliseconds of all steps and measurements
    this.elapsed = 0;
  }

  /** The step of the newest measurement. */
  get measuredStep() {
    return this.probes.at(-1)?.step ?? 0;
  }

  get total() {
    return this.settings.steps;
  }

  get alive() {
    return this.status === "running" || this.status === "paused";
  }

  /** Whether the step in progress is the last one before a pause. */
  get pauses() {
    return this.status === "running" && this.pausing;
  }

  /** Measure, then train until the end; stops before the next step after `stop` or `pause`. */
  async train() {
    try {
      await this.measureNow();
      await this.encode(this.own());
      while (this.step < this.total && !this.stopping) {
        if (this.pausing) await this.paused();
        else await this.oneStep();
      }
      await this.measureNow();
      this.status = this.step < this.total ? "stopped" : "finished";
    } catch (error) {
      this.status = "failed";
      this.error = plain(error);
      console.error(error);
    }
    this.changed();
  }

  /** Wait until the reader resumes or stops the run. */
  async paused() {
    await this.measureNow();
    // for the search
    this.vectors ??= await this.trainer.encode(this.texts);
    // resumed meanwhile
    if (!this.pausing || this.stopping) return;
    this.status = "paused";
    this.changed();
    await new Promise((resolve) => {
      this.wake = resolve;
    });
    this.status = "running";
  }

  async oneStep() {
    const began = performance.now();
    const result = await this.trainer.step(this.batches.next());
    const { loss, gradient_norm, learning_rate, seconds } = result;
    if (!Number.isFinite(loss))
      throw new Error("The loss is no longer a number: use a smaller learning rate or a larger τ");
    this.step += 1;
    this.seconds += seconds;
    const row = { step: this.step, loss, gradient_norm, learning_rate };
    row.event = [...this.events.values()].join("; ");
    this.events.clear();
    if (this.once) this.pause();
    if (this.isDue()) Object.assign(row, await this.measure());
    this.rows.push(row);
    if (this.step % KEEP_EVERY === 0) await this.keep();
    this.elapsed += performance.now() - began;
    this.changed();
    if (this.slow()) await pause(SLOW - (performance.now() - began));
  }

  /** Measure after the last step, unless that is done. */
  async measureNow() {
    const last = this.probes.at(-1)?.step ?? -1;
    if (last < this.step) this.rows.push({ step: this.step, ...(await this.measure()) });
    this.changed();
  }

  /** Whether to measure after this step; always if the reader waits for the picture. */
  isDue() {
    const { at, cost } = this.measured;
    const isCheap = cost > 0 && performance.now() - at >= SHARE * cost;
    return this.pausing || this.step === SOON || isCheap;
  }

  /** Keep the trainer's state, so that a fork can begin here: the first one and the newest one. */
  async keep() {
    const state = await this.trainer.state();
    this.forget();
    this.checkpoints.set(this.step, state);
  }

  /** Let the trainer forget the kept states, apart from the first one and that of step `but`. */
  forget(but = 0) {
    for (const [step, state] of this.checkpoints) {
      if (!step || step === but) continue;
      this.checkpoints.delete(step);
      this.trainer.forget(state);
    }
  }

  /**
   * Encode the cloud, the related pairs and the typed sentences, and record what the page draws;
   * returns the measured values.
   */
  async measure() {
    const began = performance.now();
    const { texts, pairs, step } = this;
    const own = this.own();
    const all = await this.trainer.encode([...texts, ...pairs, ...own]);
    const width = all.length / (texts.length + pairs.length + own.length);
    const cut = (from, count) => all.slice(from * width, (from + count) * width);
    this.width = width;
    this.vectors = cut(0, texts.length);
    own.forEach((text, k) => {
      this.encoded.set(text, { step, vector: cut(texts.length + pairs.length + k, 1) });
    });
    const values = {
      alignment: alignmentOf(cut(texts.length, pairs.length), width),
      ...shapeOf(this.vectors, width),
    };
    if (!Number.isFinite(values.mean_cosine)) throw new Error("The vectors are no longer numbers");
    this.basis ??= fitBasis(this.vectors, width);
    this.shapes.push({ step, ...values });
    this.probes.push({
      step,
      at: coordinates(this.vectors, this.basis),
      near: neighbours(this.vectors, width),
      trend: trendOf(this.shapes, this.total),
    });
    this.measured = { at: performance.now(), cost: performance.now() - began };
    return values;
  }

  /** Begin with the positions of the encoder as loaded, which the page has. */
  beginWith({ mean, axes, values, probe }) {
    this.basis = { mean: floats32(mean), axes: axes.map(floats32) };
    this.rows.push({ step: 0, ...values });
    this.shapes.push({ step: 0, ...values });
    this.probes.push({ ...probe, trend: trendOf(this.shapes, this.total) });
    this.width = this.basis.mean.length;
  }

  /** Continue from a step of another run: its history until then. */
  continueFrom(parent, step) {
    const before = (list) => list.filter((one) => one.step <= step);
    const { basis, encoded, vectors, width } = parent;
    Object.assign(this, { step, begin: step, basis, encoded, vectors, width });
    for (const name of ["rows", "probes", "shapes"]) this[name] = before(parent[name]);
    this.checkpoints.set(step, parent.checkpoints.get(step));
  }

  /** Seconds of a step, with its share of the measurements. */
  pace() {
    return this.elapsed / 1000 / Math.max(1, this.step - this.begin);
  }

  /** The rows nearest to a row at the last measurement. */
  nearestRows(row) {
    const all = whole(this.probes.at(-1).near);
    const count = all.length / this.texts.length;
    return [...all.subarray(row * count, (row + 1) * count)];
  }

  /** Encode typed sentences that have no vector yet. */
  async encode(texts) {
    const fresh = texts.filter((text) => !this.encoded.has(text));
    if (!fresh.length || !this.basis) return;
    const { step, width } = this;
    const vectors = await this.trainer.encode(fresh);
    fresh.forEach((text, k) => {
      this.encoded.set(text, { step, vector: vectors.slice(k * width, (k + 1) * width) });
    });
    this.changed();
  }

  /** The sentences of the cloud nearest to a typed one: [text, cosine], the nearest first. */
  search(text) {
    const found = this.encoded.get(text);
    if (!found || !this.vectors) return [];
    return nearestTo(found.vector, this.vectors, this.width).map(([row, cosine]) => [
      this.texts[row],
      cosine,
    ]);
  }

  /** The coordinates of a typed sentence; "" until it is encoded. */
  placeOf(text) {
    const found = this.encoded.get(text);
    return {
      text,
      step: found?.step ?? -1,
      at: found ? coordinates(found.vector, this.basis) : "",
    };
  }

  /** Change a setting from the next step on. */
  set(name, value, text) {
    this.settings = { ...this.settings, [name]: value };
    this.events.set(name, `${name.replaceAll("_", " ")} → ${text}`);
    return this.trainer.set(name, value);
  }

  pause() {
    this.pausing = true;
    this.once = false;
  }

  /** Continue; with `once`, for one step. */
  resume(once = false) {
    this.pausing = false;
    this.once = once;
    this.wake?.();
  }

  stop() {
    this.stopping = true;
    this.wake?.();
  }

  /** The data of the run that a page lacks; see update_of in clwork/lab/panel/run_sources.py. */
  update(known) {
    const { id, status, name, texts, labels, total, settings } = this;
    const isNew = known?.id !== id;
    const part = { id, status };
    if (isNew && !this.probes.length) return part;
    const has = isNew ? NOTHING : known;
    if (isNew)
      part.head = {
        id,
        name,
        texts: texts.map((text) => text.slice(0, LONGEST)),
        labels,
        axes: Math.min(AXES, this.basis.axes.length),
        span: SPAN,
        total_steps: total,
        seed: settings.seed,
        unlike: this.unlike,
        levels: { loss: { "log N": Math.log(settings.batch_size) } },
      };
    const probes = this.probes.filter(({ step }) => step > has.probe);
    if (probes.length) part.probes = probes;
    if (this.rows.length > has.row || isNew) part.rows = this.table(has.row);
    return part;
  }

  /** The rows from one on, as 32-bit floats: the step, then the columns. */
  table(from) {
    const rows = this.rows.slice(from);
    const values = rows.flatMap((row) => [
      row.step,
      ...COLUMNS.map((name) => row[name] ?? Number.NaN),
    ]);
    const data = new DataView(new ArrayBuffer(4 * values.length));
    for (const [k, value] of values.entries()) data.setFloat32(4 * k, value, true);
    const events = rows.filter(({ event }) => event).map(({ step, event }) => [step, event]);
    return { from, upto: this.rows.length, columns: COLUMNS, values: data, events };
  }
}
