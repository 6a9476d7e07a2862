// SimCSE's training in a page: sentences in, steps and unit vectors out.

import { AdamW, learningRateFactor, norm } from "./adamw.js";
import { Device } from "./arrays.js";
import { groupsByLength, paddedWidth, paddingOf } from "./batches.js";
import { Network } from "./network.js";
import { Parameters } from "./parameters.js";
import { readSafetensors, writeSafetensors } from "./safetensors.js";
import { WordPiece } from "./wordpiece.js";

// clwork's defaults for the mini, with a batch that suits a page
const SETTINGS = {
  temperature: 0.05,
  dropout_hidden: 0.1,
  dropout_attention: 0.4,
  learning_rate: 7e-5,
  weight_decay: 0,
  clip: 1,
  warmup: 0,
  batch_size: 32,
  max_length: 32,
  steps: 300,
  seed: 0,
};
// Rows of a pass without gradient: few sentences, and many.
const FEW = 4;
const MANY = 32;
// The largest relative difference of a loss and of a gradient between two devices.
const AGREEMENT = 1e-3;
// What two devices are compared with.
const TRIAL = ["a red bird sings", "the river is long", "we met at noon", "tea with milk"];
// The streams of random numbers of a step (random.js).
const TRAINING = 4;
const FORCES = 5;

/** The vectors of the two views. */
function halves(vectors) {
  const half = vectors.length / 2;
  return { first: vectors.slice(0, half), second: vectors.slice(half) };
}

export class Trainer {
  /**
   * Read the weights and choose a device.
   *
   * weights     ArrayBuffer, model.safetensors in float16 or float32
   * config      parsed config.json
   * vocabulary  pieces in the order of their ids, as a list or as lines of a text
   * backend     "wasm", "webgpu", or "auto": webgpu where it computes the same as wasm, and faster
   * settings    by name, those that differ from SETTINGS
   * progress    called with { work, done, total }
   */
  static async open({ weights, config, vocabulary, backend = "auto", settings }, progress) {
    const trainer = new Trainer(readSafetensors(weights), config, vocabulary, settings, progress);
    await trainer.#choose(backend);
    return trainer;
  }

  constructor(file, config, vocabulary, settings, progress = () => {}) {
    this.settings = { ...SETTINGS, ...settings };
    this.config = config;
    this.progress = progress;
    this.tokenizer = new WordPiece(vocabulary);
    this.parameters = new Parameters(file, config, this.settings.seed);
    this.optimizer = new AdamW(this.parameters.values.length);
    this.steps = 0;
    this.states = new Map();
    this.compiled = new Set();
  }

  async #choose(backend) {
    const offersGpu = Boolean(globalThis.navigator?.gpu);
    const name = backend === "auto" ? (offersGpu ? "webgpu" : "wasm") : backend;
    try {
      await this.#use(name);
      if (backend === "auto" && name === "webgpu") await this.#compareWithWasm();
    } catch (error) {
      if (backend !== "auto" || name === "wasm") throw error;
      // why WebGPU is not used
      this.fallback = error.message;
      await this.#use("wasm");
    }
  }

  async #use(name) {
    this.network = new Network(await Device.open(name), this.config);
    this.backend = name;
  }

  /** Reject unless WebGPU has the loss and the gradient of WebAssembly, and is faster. */
  async #compareWithWasm() {
    this.progress({ work: "testing", done: 0, total: 1 });
    const onGpu = await this.#trial(this.network);
    const onWasm = await this.#trial(new Network(await Device.open("wasm"), this.config));
    this.progress({ work: "testing", done: 1, total: 1 });
    const change = onGpu.gradient.map((slope, index) => slope - onWasm.gradient[index]);
    const difference = Math.max(
      Math.abs(onGpu.loss / onWasm.loss - 1),
      norm(change) / norm(onWasm.gradient),
    );
    if (!(difference < AGREEMENT)) throw new Error(`WebGPU's gradient is off by ${difference}`);
    if (onGpu.seconds > onWasm.seconds) throw new Error("WebGPU is slower than WebAssembly here");
  }

  /** Loss and gradient of a few sentences, and the seconds without compiling. */
  async #trial(network) {
    const rows = TRIAL.map((text) => this.#ids(text, this.settings.max_length));
    const batch = this.#prepare(network, rows, TRAINING);
    await this.#differentiate(network, batch);
    const start = performance.now();
    const { loss, gradient } = await this.#differentiate(network, batch);
    return { loss, gradient, seconds: (performance.now() - start) / 1000 };
  }

  /** Change a setting; it counts from the next step on. */
  set(name, value) {
    if (!(name in SETTINGS)) throw new Error(`there is no setting ${name}`);
    this.settings[name] = value;
  }

  #ids(text, longest) {
    return this.tokenizer.encode(text, Math.min(longest, this.config.max_position_embeddings));
  }

  #inputs(rows, width) {
    const embedded = this.parameters.embed(rows, width, this.tokenizer.pad);
    return { weights: this.parameters.weights(), embedded };
  }

  /** Report the first use of a shape, which compiles for some seconds. */
  async #compiling(kind, rows, width, compute) {
    const shape = `${kind} ${rows} ${width}`;
    const isNew = !this.compiled.has(shape);
    if (isNew) this.progress({ work: "compiling", done: 0, total: 1 });
    const result = await compute();
    if (isNew) this.progress({ work: "compiling", done: 1, total: 1 });
    this.compiled.add(shape);
    return result;
  }

  /** Unit vectors of texts without dropout and head, as clwork measures: n × width numbers. */
  async encode(texts) {
    const rows = texts.map((text) => this.#ids(text, this.config.max_position_embeddings));
    const width = this.config.hidden_size;
    const vectors = new Float32Array(texts.length * width);
    const size = rows.length > FEW ? MANY : FEW;
    for (const group of groupsByLength(rows, size)) {
      const padded = group.map((number) => rows[number]);
      while (padded.length < size) padded.push(padded[0]);
      const pieces = paddedWidth(Math.max(...padded.map((row) => row.length)));
      const { data } = await this.#compiling("vectors", size, pieces, () =>
        this.network.vectors(this.#inputs(padded, pieces), paddingOf(padded, pieces)),
      );
      for (const [place, number] of group.entries())
        vectors.set(data.subarray(place * width, (place + 1) * width), number * width);
    }
    return vectors;
  }

  /** Rows, inputs and masks of both views of a batch. */
  #prepare(network, once, stream) {
    const rows = [...once, ...once];
    const width = paddedWidth(Math.max(...once.map((row) => row.length)));
    const { seed } = this.settings;
    const masks = network.masks(rows.length, width, this.settings, seed, this.steps, stream);
    return {
      rows,
      width,
      inputs: this.#inputs(rows, width),
      padding: paddingOf(rows, width),
      masks,
    };
  }

  #batch(texts, stream) {
    const rows = texts.map((text) => this.#ids(text, this.settings.max_length));
    return this.#prepare(this.network, rows, stream);
  }

  /** Unit vectors of two passes with dropout, as the loss sees them; nothing is updated. */
  async views(texts) {
    const { rows, width, inputs, padding, masks } = this.#batch(texts, FORCES);
    const { data } = await this.#compiling("views", rows.length, width, () =>
      this.network.trainedVectors(inputs, padding, masks),
    );
    return halves(data);
  }

  async #differentiate(network, { rows, width, inputs, padding, masks }) {
    const { temperature } = this.settings;
    const { loss, vectors, gradients } = await network.differentiate(
      inputs,
      padding,
      masks,
      temperature,
    );
    const gradient = this.parameters.gather(gradients, rows, width, this.tokenizer.pad);
    return { loss, gradient, pairs: halves(vectors.data) };
  }

  /** Loss, gradient of all parameters and both views of a batch; nothing is updated. */
  differentiate(texts) {
    const batch = this.#batch(texts, TRAINING);
    return this.#compiling("step", batch.rows.length, batch.width, () =>
      this.#differentiate(this.network, batch),
    );
  }

  /**
   * Train one step on a batch. Loss and gradient norm are those before update and clipping; if they
   * are not finite, nothing is updated.
   */
  async step(texts) {
    const start = performance.now();
    // a change during this step counts from the next one on
    const { learning_rate: peak, clip, weight_decay: decay, steps, warmup } = this.settings;
    const learningRate = peak * learningRateFactor({ steps, warmup }, this.steps);
    const { loss, gradient, pairs } = await this.differentiate(texts);
    const length = norm(gradient);
    if (Number.isFinite(loss) && Number.isFinite(length)) {
      const scale = Math.min(1, clip / (length + 1e-6));
      this.optimizer.update(this.parameters.values, gradient, scale, learningRate, decay);
    }
    this.steps += 1;
    return {
      step: this.steps,
      loss,
      gradient_norm: length,
      learning_rate: learningRate,
      pairs,
      seconds: (performance.now() - start) / 1000,
    };
  }

  /** Keep weights, moments and step for a fork; returns the state's number. */
  state() {
    const number = this.states.size ? Math.max(...this.states.keys()) + 1 : 0;
    this.states.set(number, {
      values: this.parameters.values.slice(),
      optimizer: this.optimizer.copy(),
      steps: this.steps,
      settings: { ...this.settings },
    });
    return number;
  }

  /** Return to a state; it stays, so that several forks can start there. */
  restore(number) {
    const state = this.states.get(number);
    if (!state) throw new Error(`there is no state ${number}`);
    this.parameters.values.set(state.values);
    this.optimizer = state.optimizer.copy();
    this.steps = state.steps;
    this.settings = { ...state.settings };
  }

  forget(number) {
    this.states.delete(number);
  }

  /** model.safetensors in float16, with the names of the file that was opened. */
  weights() {
    return writeSafetensors(this.parameters.forFile());
  }
}
