// SimCSE's training in a page: sentences in, steps and unit vectors out.

import { AdamW, learningRateFactor, norm } from "./adamw.js";
import { Device } from "./arrays.js";
import { groupsByLength, paddedWidth, paddingOf } from "./batches.js";
import { simcse, unit } from "./loss.js";
import { encode, makeMasks, project } from "./model.js";
import { Parameters } from "./parameters.js";
import { dropoutMask, streamOf } from "./random.js";
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

export class Trainer {
  /**
   * Read the weights and choose a device.
   *
   * weights     ArrayBuffer, model.safetensors in float16
   * config      parsed config.json
   * vocabulary  pieces in the order of their ids
   * backend     "wasm", "webgpu", or "auto": webgpu where it computes the same as wasm, and faster
   * settings    by name, those that differ from SETTINGS
   */
  static async open({ weights, config, vocabulary, backend = "auto", settings }) {
    const trainer = new Trainer(readSafetensors(weights), config, vocabulary, settings);
    await (backend === "auto" ? trainer.#choose() : trainer.#use(backend));
    return trainer;
  }

  constructor(file, config, vocabulary, settings) {
    this.settings = { ...SETTINGS, ...settings };
    this.config = config;
    this.tokenizer = new WordPiece(vocabulary);
    this.parameters = new Parameters(file, config, this.settings.seed);
    this.optimizer = new AdamW(this.parameters.values.length);
    this.steps = 0;
    this.states = new Map();
  }

  /** Use WebGPU if it has the loss and the gradient of WebAssembly, and is faster. */
  async #choose() {
    if (!globalThis.navigator?.gpu) return this.#use("wasm");
    try {
      const onGpu = await this.#trial("webgpu");
      const { compiled } = this;
      const onWasm = await this.#trial("wasm");
      const change = onGpu.gradient.map((slope, index) => slope - onWasm.gradient[index]);
      const ofGradient = norm(change) / norm(onWasm.gradient);
      const difference = Math.max(Math.abs(onGpu.loss / onWasm.loss - 1), ofGradient);
      if (!(difference < AGREEMENT)) throw new Error(`WebGPU's gradient is off by ${difference}`);
      if (onGpu.seconds > onWasm.seconds) throw new Error("WebGPU is slower than WebAssembly here");
      return Object.assign(this, { compiled, backend: "webgpu" });
    } catch (error) {
      // why WebGPU is not used
      this.fallback = error.message;
      return this.backend === "wasm" || this.#use("wasm");
    }
  }

  /** Loss and gradient of a few sentences on a device, and the seconds without compiling. */
  async #trial(name) {
    await this.#use(name);
    await this.differentiate(TRIAL);
    const start = performance.now();
    const found = await this.differentiate(TRIAL);
    return { ...found, seconds: performance.now() - start };
  }

  /** Compile for a device: vectors as clwork measures, vectors as the loss sees them, gradients. */
  async #use(name) {
    const { config } = this;
    const device = await Device.open(name);
    const views = ({ weights, pieces }, padding, masks) =>
      unit(project(encode(weights, pieces, padding, masks, config), weights));
    this.compiled = {
      vectors: device.compile(({ weights, pieces }, padding) =>
        unit(encode(weights, pieces, padding, null, config)),
      ),
      views: device.compile(views),
      gradient: device.compileGradient((inputs, padding, masks, temperature) =>
        simcse(views(inputs, padding, masks), temperature),
      ),
    };
    this.backend = name;
  }

  /** Change a setting; it counts from the next step on. */
  set(name, value) {
    if (!(name in SETTINGS)) throw new Error(`there is no setting ${name}`);
    this.settings[name] = value;
  }

  #ids(text, longest = this.config.max_position_embeddings) {
    return this.tokenizer.encode(text, Math.min(longest, this.config.max_position_embeddings));
  }

  /** Unit vectors of texts without dropout and head, as clwork measures: n × width numbers. */
  async encode(texts) {
    const rows = texts.map((text) => this.#ids(text));
    const width = this.config.hidden_size;
    const vectors = new Float32Array(texts.length * width);
    const size = rows.length > FEW ? MANY : FEW;
    for (const group of groupsByLength(rows, size)) {
      const padded = group.map((number) => rows[number]);
      while (padded.length < size) padded.push(padded[0]);
      const pieces = paddedWidth(padded);
      const inputs = this.parameters.inputs(padded, pieces, this.tokenizer.pad);
      const { data } = await this.compiled.vectors(inputs, paddingOf(padded, pieces));
      for (const [place, number] of group.entries())
        vectors.set(data.subarray(place * width, (place + 1) * width), number * width);
    }
    return vectors;
  }

  /** Both views of a batch: rows, their width, and what the compiled functions read. */
  #batch(texts, stream) {
    const { settings, steps } = this;
    const once = texts.map((text) => this.#ids(text, settings.max_length));
    const rows = [...once, ...once];
    const width = paddedWidth(rows);
    let number = 0;
    const masks = makeMasks(rows.length, width, this.config, (kind, ...shape) => {
      number += 1;
      const own = streamOf(settings.seed, steps, stream, number);
      return dropoutMask(shape, settings[`dropout_${kind}`], own);
    });
    const inputs = this.parameters.inputs(rows, width, this.tokenizer.pad);
    return { rows, width, read: [inputs, paddingOf(rows, width), masks] };
  }

  /** Unit vectors of two passes with dropout, as the loss sees them; nothing is updated. */
  async views(texts) {
    const { data } = await this.compiled.views(...this.#batch(texts, FORCES).read);
    const half = data.length / 2;
    return { first: data.slice(0, half), second: data.slice(half) };
  }

  /** Loss and gradient of all parameters of a batch; nothing is updated. */
  async differentiate(texts) {
    const { rows, width, read } = this.#batch(texts, TRAINING);
    const temperature = { data: Float32Array.of(this.settings.temperature), shape: [1, 1] };
    const [loss, slopes] = await this.compiled.gradient(...read, temperature);
    const gradient = this.parameters.gather(slopes, rows, width, this.tokenizer.pad);
    return { loss: loss.data[0], gradient };
  }

  /**
   * Train one step on a batch. Loss and gradient norm are those before update and clipping; if they
   * are not finite, nothing is updated.
   */
  async step(texts) {
    const start = performance.now();
    const { learning_rate: peak, clip, weight_decay: decay } = this.settings;
    const learningRate = peak * learningRateFactor(this.settings, this.steps);
    const { loss, gradient } = await this.differentiate(texts);
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
