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
// The streams of random numbers of a step (random.js).
const TRAINING = 4;
const FORCES = 5;

export class Trainer {
  /**
   * Read the weights and choose a device.
   *
   * weights     ArrayBuffer, model.safetensors in float16 or float32
   * config      parsed config.json
   * vocabulary  pieces in the order of their ids, as a list or as lines of a text
   * backend     "wasm", "webgpu", or "auto": webgpu where it computes the same as wasm
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
    const onProcessor = async () => new Network(await Device.open("wasm"), this.config);
    this.backend = "wasm";
    if (backend === "wasm" || (backend === "auto" && !globalThis.navigator?.gpu)) {
      this.network = await onProcessor();
      return;
    }
    try {
      this.network = new Network(await Device.open("webgpu"), this.config);
      this.backend = "webgpu";
      if (backend === "webgpu") return;
      this.progress({ work: "testing", done: 0, total: 1 });
      const difference = await this.#difference(this.network, await onProcessor());
      if (!(difference < AGREEMENT)) throw new Error(`WebGPU differs by ${difference}`);
    } catch (error) {
      if (backend === "webgpu") throw error;
      this.fallback = error.message;
      this.backend = "wasm";
      this.network = await onProcessor();
    }
  }

  /** The largest relative difference of loss and gradients of two networks on two sentences. */
  async #difference(one, other) {
    const rows = ["a red bird sings", "the river is long"].map((text) => this.#ids(text, 16));
    const width = paddedWidth(1);
    const inputs = this.#inputs([...rows, ...rows], width);
    const padding = paddingOf([...rows, ...rows], width);
    const masks = one.masks(4, width, this.settings, 0, 0, TRAINING);
    const results = [];
    for (const network of [one, other]) {
      const { loss, gradients } = await network.differentiate(inputs, padding, masks, 0.05);
      results.push([loss, this.parameters.gather(gradients, [...rows, ...rows], width, 0)]);
    }
    const [[loss, gradient], [expected, expectedGradient]] = results;
    const change = gradient.map((slope, index) => slope - expectedGradient[index]);
    return Math.max(
      Math.abs(loss - expected) / Math.abs(expected),
      norm(change) / norm(expectedGradient),
    );
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

  /** Rows, padding and masks of both views of a batch. */
  #batch(texts, stream) {
    const once = texts.map((text) => this.#ids(text, this.settings.max_length));
    const rows = [...once, ...once];
    const width = paddedWidth(Math.max(...once.map((row) => row.length)));
    const { seed } = this.settings;
    const masks = this.network.masks(rows.length, width, this.settings, seed, this.steps, stream);
    return {
      rows,
      width,
      inputs: this.#inputs(rows, width),
      padding: paddingOf(rows, width),
      masks,
    };
  }

  /** Unit vectors of two passes with dropout, as the loss sees them; nothing is updated. */
  async views(texts) {
    const { rows, width, inputs, padding, masks } = this.#batch(texts, FORCES);
    const { data } = await this.#compiling("views", rows.length, width, () =>
      this.network.trainedVectors(inputs, padding, masks),
    );
    return { first: data.slice(0, data.length / 2), second: data.slice(data.length / 2) };
  }

  /** Loss, gradient of all parameters and both views of a batch; nothing is updated. */
  async differentiate(texts) {
    const { rows, width, inputs, padding, masks } = this.#batch(texts, TRAINING);
    const { loss, vectors, gradients } = await this.#compiling("step", rows.length, width, () =>
      this.network.differentiate(inputs, padding, masks, this.settings.temperature),
    );
    const gradient = this.parameters.gather(gradients, rows, width, this.tokenizer.pad);
    return { loss, gradient, vectors: vectors.data };
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
    const { loss, gradient, vectors } = await this.differentiate(texts);
    const length = norm(gradient);
    if (Number.isFinite(loss) && Number.isFinite(length)) {
      const scale = Math.min(1, clip / (length + 1e-6));
      this.optimizer.update(this.parameters.values, gradient, scale, learningRate, decay);
    }
    this.steps += 1;
    const half = vectors.length / 2;
    return {
      step: this.steps,
      loss,
      gradient_norm: length,
      learning_rate: learningRate,
      pairs: { first: vectors.slice(0, half), second: vectors.slice(half) },
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
