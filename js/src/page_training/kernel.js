// A kernel in the page: it has the model interface of anywidget and replies to the messages that a
// panel sends, like clwork/lab/page/polling_page.py and clwork/lab/panel/panel.py. The panel does
// not know which of the two replies; clwork/lab/page/messages.schema.json describes the messages.

import { batchAround, forcesOn, spread } from "./forces.js";
import { plain, Run } from "./run.js";
import { OWN, Settings, WIKIPEDIA } from "./settings.js";

// typed sentences that are shown, the last ones
const MOST_TYPED = 3;
const LONGEST = 500;
// dots of a cloud of own sentences
const MOST_DOTS = 300;
// steps from which the remaining time is known
const MEASURED = 3;
export const BACKENDS = { wasm: "WebAssembly", webgpu: "WebGPU" };
const MISSING =
  "this page has no Python, so it cannot do that: press Start, or open the panel in a notebook";

const seconds = (value) =>
  value < 90 ? `${Math.max(1, Math.round(value))} s` : `${Math.round(value / 60)} min`;

/** The settings that differ between two runs, as text. */
const differences = (old, now) =>
  Object.entries(now)
    .filter(([name, value]) => old && value !== old[name])
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${old[name]} → ${value}`)
    .join("; ");

/** What distinguishes run B from run A: at the start, and by later moves of the controls. */
const between = (a, b) => {
  const moved = (run) => differences(run.started, run.settings);
  const later = [a, b].map((run, k) => moved(run) && `${"AB"[k]} moved ${moved(run)}`);
  return [differences(a.started, b.started), ...later].filter(Boolean).join("; ");
};

/**
 * `run`: the newest run or null; `earlier`: those before it; `starting`: {words, part} while a run
 * is being made, else null. `changed(kernel)` is called after each change.
 */
export class Kernel {
  /**
   * `data`: about (of the panel), defaults (settings by name), recorded (the part of the recorded run),
   * texts, labels and pairs of the cloud, start (the first measurement: mean, axes, values, probe;
   * optional), wikipedia (note and credit of the corpus).
   * `open(progress)` -> promise of {trainer, sentences, makeBatches}: reads the files and compiles.
   */
  constructor(data, open, changed = () => {}) {
    Object.assign(this, { data, open, changed, calls: new Set(), versions: new Map() });
    this.settings = new Settings(data.about, data.defaults, data.wikipedia);
    Object.assign(this, {
      run: null,
      earlier: [],
      other: "",
      starting: null,
      error: "",
      speed: "full",
    });
    Object.assign(this, { typed: [], forces: null, comparable: null, examples: [] });
  }

  // anywidget's model

  get(name) {
    return { about: this.data.about, own_id: "page", page: true }[name];
  }

  set() {}

  save_changes() {}

  // the panel has one event, "msg:custom"
  on(_event, call) {
    this.calls.add(call);
  }

  off(_event, call) {
    this.calls.delete(call);
  }

  /** A message of the page: carry out its command, and reply. */
  send({ request, page, known, do: command }) {
    const content = { answer: request, page };
    try {
      if (command) this.carryOut(command);
    } catch (error) {
      content.refused = plain(error);
    }
    content.news = this.update(known);
    // as from a kernel, after the caller has returned
    setTimeout(() => {
      for (const call of this.calls) call(content, []);
      this.changed(this);
    }, 0);
  }

  carryOut({ name, ...more }) {
    const commands = {
      start: () => this.start(),
      pause: () => (this.run?.pausing ? this.run.resume() : this.run?.pause()),
      stop: () => this.stop(),
      step: () => this.step(),
      speed: ({ speed }) => {
        this.speed = speed;
      },
      set: ({ setting, value }) => this.change(setting, value),
      preset: ({ choice }) => this.settings.preset(choice, this.active),
      corpus: (what) => this.chooseCorpus(what),
      typed: ({ texts }) => this.write(texts),
      forces: ({ row }) => this.findForces(row),
      fork: ({ step, stop }) => this.fork(step, stop),
      list_runs: () => this.listRuns(),
      compare: ({ run }) => this.compare(run),
    };
    if (!commands[name]) throw new Error(MISSING);
    commands[name](more);
    if (["set", "preset", "corpus"].includes(name)) this.error = "";
  }

  /** Whether a run is being made or trained. */
  get active() {
    return Boolean(this.starting || this.run?.alive);
  }

  // runs

  /** Start a run unless one is active; with `once` it pauses after a step, with `wait` before any. */
  async start({ once = false, wait = false } = {}) {
    if (this.active) return;
    this.error = "";
    this.starting = { words: "Starting …" };
    this.changed(this);
    try {
      const own = this.settings.ownSentences();
      const { trainer, sentences, makeBatches } = await this.opened();
      if (!this.starting.stopping)
        await this.begin({ own, trainer, sentences, makeBatches, once, wait });
    } catch (error) {
      this.error = plain(error);
      this.release();
      console.error(error);
    }
    this.starting = null;
    this.changed(this);
  }

  /** The trainer with what it needs; opened at the first start, and again after a failure. */
  async opened() {
    if (!this.session) {
      const session = await this.open((words, part) => {
        if (this.starting) Object.assign(this.starting, { words, part });
        this.changed(this);
      });
      session.first = await session.trainer.state();
      this.session = session;
    }
    return this.session;
  }

  /** Close the trainer, so that the next start opens another one. */
  release() {
    this.session?.trainer.close?.();
    this.session = null;
  }

  /** Begin a run of step 0, or a fork of `parent` at `step`. */
  async begin({ own, trainer, sentences, makeBatches, once, wait, parent, step = 0 }) {
    const { values } = this.settings;
    const { texts, labels, pairs } = this.data;
    await trainer.restore(step ? parent.checkpoints.get(step) : this.session.first);
    for (const [name, value] of Object.entries(values)) await trainer.set(name, value);
    const number = this.earlier.length + (this.run ? 2 : 1);
    const cloud = own ? { texts: spread(own, MOST_DOTS), labels: null } : { texts, labels };
    const run = new Run({
      ...cloud,
      id: `run ${number}`,
      name: `simcse-${String(number).padStart(3, "0")}`,
      pairs: pairs.flat(),
      trainer,
      batches: makeBatches(own ?? sentences, values),
      settings: values,
      source: own,
      started: { ...values, corpus: own ? OWN : WIKIPEDIA },
      slow: () => this.speed === "slow",
      own: () => [...this.examples, ...this.typed],
      changed: () => this.changed(this),
    });
    run.checkpoints.set(0, this.session.first);
    if (parent) run.continueFrom(parent, step);
    else if (!own && this.data.start) run.beginWith(this.data.start);
    if (this.run) this.earlier.push(this.run);
    this.run?.forget(step);
    const before = this.earlier.at(-1)?.started ?? {
      ...this.data.recordedSettings,
      corpus: WIKIPEDIA,
    };
    const isLike = before.batch_size === values.batch_size && before.corpus === run.started.corpus;
    run.unlike = isLike ? null : { previous: "it had another batch size or other sentences" };
    run.changes = differences(this.earlier.at(-1)?.started, run.started);
    Object.assign(this, { run, other: "", forces: null });
    if (wait) run.pause();
    else if (once) run.once = true;
    this.starting = null;
    run.done = run.train().then(() => {
      if (run.status === "failed") this.release();
    });
  }

  stop() {
    if (this.starting) {
      this.starting.stopping = true;
      this.starting.words = "Stopping …";
    }
    this.run?.stop();
  }

  step() {
    if (!this.run?.alive) this.start({ once: true });
    else this.run.resume(true);
  }

  /** Begin a new run from the last kept state at or before `step`, with the present settings. */
  fork(step, stop) {
    const parent = this.run;
    if (!parent || this.starting) throw new Error("there is no run yet to fork: press Start");
    if (parent.alive && !stop)
      throw new Error(`${parent.name} is active, and a fork would end it: stop it first`);
    if (!this.session)
      throw new Error(`${parent.name} has failed and cannot be forked: press Start`);
    const from = Math.max(...[...parent.checkpoints.keys()].filter((kept) => kept <= step));
    return this.forkFrom(parent, from);
  }

  async forkFrom(parent, from) {
    this.starting = { words: "Starting …" };
    parent.stop();
    try {
      await parent.done;
      await this.begin({ ...this.session, own: parent.source, parent, step: from });
    } catch (error) {
      this.error = plain(error);
    }
    this.starting = null;
    this.changed(this);
  }

  // commands that need more than one line

  change(name, value) {
    const before = this.settings.values[name];
    this.settings.set(name, value, this.active);
    if (this.settings.values[name] === before) return;
    const { text } = this.settings.state(this.active).controls[name];
    if (this.run?.alive) this.run.set(name, this.settings.values[name], text);
  }

  /** Choose the corpus, or take the text of an own one and show its cloud before the training. */
  chooseCorpus(what) {
    this.settings.choose(what, this.active);
    if (what.text === undefined) return;
    this.settings.ownSentences();
    this.start({ wait: true });
  }

  /** Replace the typed sentences. */
  write(texts) {
    const tidy = texts.map((text) => text.trim().replace(/\s+/g, " ").slice(0, LONGEST));
    this.typed = [...new Set(tidy.filter(Boolean))].slice(-MOST_TYPED);
    if (this.run || this.typed.length) this.encodeTyped();
  }

  /**
   * Encode the typed sentences and the examples with the present weights; without a run, make one
   * that waits, since it has the encoder.
   */
  encodeTyped() {
    const { run } = this;
    if (!run) return this.start({ wait: true });
    return run.encode([...this.examples, ...this.typed]).catch(() => {
      // the next measurement encodes them
    });
  }

  /** Compute the forces on a sentence of the cloud, as a part of later replies. */
  findForces(row) {
    const { run } = this;
    if (!run?.probes.length) throw new Error("a recorded run has no weights: press Start");
    return this.computeForces(run, row);
  }

  async computeForces(run, row) {
    const version = (this.forces?.version ?? 0) + 1;
    this.forces = { working: true, version };
    let part;
    try {
      const { step, texts, settings } = run;
      const near = run.nearestRows(row);
      const rows = batchAround(row, near, texts.length, settings.batch_size);
      const batch = rows.map((one) => texts[one]);
      const views = await run.trainer.views(batch);
      part = forcesOn({ rows, texts: batch, ...views, temperature: settings.temperature, step });
    } catch (error) {
      part = { refused: plain(error) };
    }
    // a later request has replaced this one
    if (this.forces.version === version) this.forces = { ...part, version: version + 1 };
  }

  /** List the earlier runs of this page, and the recorded one. */
  listRuns() {
    const own = this.earlier.map(({ id, name, status, started }) => ({
      id,
      name,
      differs: differences(this.run.started, started) || name,
      status,
      fork: "",
    }));
    const { id, head } = this.data.recorded;
    const recorded = { id, name: head.name, differs: "recorded run", status: "finished", fork: "" };
    const runs = this.run ? [...own.reverse(), recorded] : [];
    this.comparable = { runs, version: (this.comparable?.version ?? 0) + 1 };
  }

  /** Draw a run next to the present one: an id, true for the one before it, "" for none. */
  compare(wanted) {
    if (!this.run) throw new Error("there is no run yet to compare with: press Start");
    const before = this.earlier.at(-1)?.id ?? this.data.recorded.id;
    this.other = wanted === true ? before : wanted;
  }

  // what the page receives

  /** The parts that the page lacks. */
  update(known) {
    const news = { state: this.state(), runs: this.parts(known.runs ?? []) };
    const parts = {
      settings: this.settings.state(this.active),
      typed: { sentences: this.typed.map((text) => this.run?.placeOf(text) ?? { text, step: -1 }) },
      measurements: this.measurements(),
    };
    for (const [name, part] of Object.entries(parts)) {
      const version = this.versionOf(name, part);
      if (known[name] !== version) news[name] = { ...part, version };
    }
    for (const name of ["forces", "comparable"])
      if (this[name] && known[name] !== this[name].version) news[name] = this[name];
    return news;
  }

  /** A number that changes with the content of a part; bytes change with their step only. */
  versionOf(name, part) {
    const text = JSON.stringify(part);
    const old = this.versions.get(name) ?? { number: 0, text: "" };
    if (old.text !== text) this.versions.set(name, { number: old.number + 1, text });
    return this.versions.get(name).number;
  }

  /** The runs that are drawn: the newest one with a measurement, else the one before it. */
  parts(known) {
    const { recorded } = this.data;
    const runs = [...this.earlier, this.run].filter((run) => run?.probes.length);
    const find = (id) => runs.find((run) => run.id === id);
    const drawn = runs.at(-1);
    const part = (run, k) => {
      if (run) return { ...run.update(known[k]), changes: run.changes };
      const { id, status } = recorded;
      return known[k]?.id === id ? { id, status } : recorded;
    };
    const parts = [part(drawn, 0)];
    if (drawn && this.other && this.other !== drawn.id) {
      const other = find(this.other);
      parts.push({ ...part(other, 1), changes: other ? between(drawn, other) : "recorded run" });
    }
    return parts;
  }

  /** The status; see RunControl.state in clwork/lab/panel/run_control.py. */
  state() {
    const { run, starting, active: alive, speed, error, lost } = this;
    const total = this.settings.values.steps;
    const state = { status: "ready", step: 0, total, left: "", trouble: false, alive, speed };
    if (starting)
      return { ...state, status: "starting", sentence: starting.words, part: starting.part };
    if (error) return { ...state, sentence: `It did not start. ${error}`, trouble: true };
    if (!run) return { ...state, sentence: lost || "Press Start.", trouble: Boolean(lost) };
    return {
      ...state,
      // a pause is shown at once, although the step in progress is finished first
      status: run.pauses ? "paused" : run.status,
      step: run.step,
      total: run.total,
      sentence: this.sentence(),
      left: this.left(),
      trouble: run.status === "failed",
    };
  }

  /** One sentence on the run and on what can be done next. */
  sentence() {
    const { name, status, step, error, probes, pauses } = this.run;
    const first = probes.length ? "making its first step" : "measuring the untrained encoder";
    const again = "Press Start for a new run with the same settings.";
    if (pauses) return `${name} pauses after the step in progress.`;
    return {
      running: step
        ? `${name} is training. Change a control and watch the curves respond.`
        : `${name} is ${first}; this takes longer than later steps.`,
      paused: step
        ? `${name} is paused at step ${step}.`
        : `${name} waits with the untrained encoder, which places your sentences. Press Resume to train.`,
      stopped: `${name} was stopped at step ${step}. ${again}`,
      finished: `${name} is finished. Save stores its encoder; Start trains a new one.`,
      failed: `${name} failed. ${error} Change a setting and press Start for a new run.`,
    }[status];
  }

  /** The remaining time as text. */
  left() {
    const { status, step, total } = this.run;
    if (status === "paused") return "paused";
    if (status !== "running" || step < MEASURED) return "";
    return `${seconds(this.run.pace() * (total - step))} left`;
  }

  /** The newest numbers of the run, and how it computes. */
  measurements() {
    const { run } = this;
    if (!run?.step) return { values: [], about: "", columns: [] };
    const last = (name) => run.rows.findLast((row) => row[name] !== undefined)?.[name];
    const names = ["loss", "alignment", "uniformity"];
    return {
      values: names.map((name) => [name, last(name)?.toPrecision(4) ?? ""]),
      about: `Measured: alignment of ${run.pairs.length / 2} pairs (paraphrases written for clwork), uniformity of ${run.texts.length} sentences. ${this.speedText()}`,
      columns: ["mean_cosine", "gradient_norm", "learning_rate"].map((name) => [
        name,
        name.replace("_", " "),
      ]),
    };
  }

  /** Which backend computes, why not WebGPU if it was tried, and how fast. */
  speedText() {
    const { run } = this;
    if (!run?.step) return "";
    const { backend, fallback } = run.trainer;
    const why = fallback ? ` (${fallback})` : "";
    return `${BACKENDS[backend] ?? backend}${why}, ${(run.seconds / (run.step - run.begin)).toFixed(1)} s a step.`;
  }
}
