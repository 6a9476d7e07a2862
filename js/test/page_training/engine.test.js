// The engine against PyTorch: loss, gradients, training steps, token ids; and its files and states.

import assert from "node:assert/strict";
import { test } from "node:test";
import { draw, streamOf } from "../../src/page_training/random.js";
import { readSafetensors, writeSafetensors } from "../../src/page_training/safetensors.js";
import { WordPiece } from "../../src/page_training/wordpiece.js";
import { config, open, reference, sentences, vocabulary, weights } from "./engine.js";

const TOLERANCE = 1e-4;
// The gradient of some tensors is 0 but for rounding, as that of the keys' biases.
const ROUNDING = 1e-6;
const BATCH = 8;

const { seed } = reference;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Sums of a gradient with random signs, as in page_reference.py. */
function projections(gradient) {
  const sums = new Float64Array(8);
  const stream = streamOf(9);
  for (const [index, slope] of gradient.entries()) {
    const bits = draw(stream, index);
    for (let number = 0; number < 8; number++)
      sums[number] += (bits >>> number) & 1 ? -slope : slope;
  }
  return sums;
}

for (const [number, expected] of reference.gradients.entries())
  test(`loss and every gradient are those of PyTorch, shape ${number + 1}`, async () => {
    const trainer = await open({ seed });
    const { loss, gradient } = await trainer.differentiate(expected.texts);
    assert.ok(Math.abs(loss - expected.loss) < TOLERANCE * expected.loss, `${loss}`);

    const views = trainer.parameters.views(gradient);
    assert.deepEqual(Object.keys(views).sort(), Object.keys(expected.gradients).sort());
    const norms = Object.values(expected.gradients).map(({ norm }) => norm);
    const total = Math.sqrt(sum(norms.map((norm) => norm ** 2)));
    assert.ok(total > 1, "a gradient of zeros would show nothing");
    for (const [name, { norm, projections: signed }] of Object.entries(expected.gradients)) {
      const found = projections(views[name].data);
      const difference = Math.sqrt(sum(signed.map((value, k) => (value - found[k]) ** 2)) / 8);
      const limit = TOLERANCE * norm + ROUNDING * total;
      assert.ok(difference < limit, `${name}: ${difference} of ${norm}`);
    }
  });

test("40 steps have the losses of clwork's steps", async () => {
  const trainer = await open({ seed, steps: reference.steps.length, batch_size: BATCH });
  for (const [step, [loss, norm]] of reference.steps.entries()) {
    const start = (step * BATCH) % sentences.length;
    const row = await trainer.step(sentences.slice(start, start + BATCH));
    assert.ok(Math.abs(row.loss - loss) < 0.01 * loss, `step ${step}: ${row.loss}, ${loss}`);
    assert.ok(Math.abs(row.gradient_norm - norm) < 0.02 * norm, `step ${step}: norm`);
  }
  // the batches of the last ten steps are those of the first ten
  const losses = reference.steps.map(([loss]) => loss);
  assert.ok(sum(losses.slice(-10)) < 0.8 * sum(losses.slice(0, 10)), "nothing was learnt");
});

test("ids of pieces are those of the tokenizer", () => {
  const tokenizer = new WordPiece(vocabulary);
  const texts = [...sentences, ...reference.odd_texts];
  assert.ok(texts.length > 200);
  for (const [number, text] of texts.entries())
    assert.deepEqual(tokenizer.encode(text, 64), reference.ids[number], JSON.stringify(text));
});

test("weights that are read and written are the same bytes", () => {
  assert.deepEqual(
    readSafetensors(writeSafetensors(readSafetensors(weights))),
    readSafetensors(weights),
  );
  const odd = [0, -0, 1e-8, 6e-8, 65504, 65519, 65520, -1e9, 1 + 2 ** -11, 1 + 3 * 2 ** -11];
  const shape = [odd.length];
  const { x } = readSafetensors(writeSafetensors({ x: { shape, data: Float32Array.from(odd) } }));
  const infinity = Number.POSITIVE_INFINITY;
  const rounded = [0, -0, 0, 2 ** -24, 65504, 65504, infinity, -infinity, 1, 1 + 2 ** -9];
  assert.deepEqual(Array.from(x.data), rounded);
});

test("without a WebGPU adapter it trains on WebAssembly, and reports why", async () => {
  assert.equal((await open({ seed })).fallback, undefined);
  const { navigator } = globalThis;
  navigator.gpu = { requestAdapter: async () => null };
  try {
    const trainer = await open({ seed });
    assert.equal(trainer.backend, "wasm");
    assert.match(trainer.fallback, /offers no webgpu/);
    await assert.rejects(open({ seed }, "webgpu"), /offers no webgpu/);
  } finally {
    delete navigator.gpu;
  }
});

test("a fork repeats its steps, and vectors are unit vectors of each text", async () => {
  const trainer = await open({ seed });
  const batch = sentences.slice(0, 4);
  await trainer.step(batch);
  const state = trainer.state();
  const before = await trainer.encode(batch);
  const { loss } = await trainer.step(batch);
  trainer.set("temperature", 0.5);
  const other = await trainer.step(batch);
  assert.ok(Math.abs(other.loss - loss) > 0.1);
  trainer.restore(state);
  assert.deepEqual(await trainer.encode(batch), before);
  assert.equal((await trainer.step(batch)).loss, loss);
  const written = readSafetensors(trainer.weights());
  const shapesOf = (file) =>
    Object.fromEntries(Object.entries(file).map(([name, tensor]) => [name, tensor.shape]));
  assert.deepEqual(shapesOf(written), shapesOf(readSafetensors(weights)));
  trainer.forget(state);
  assert.throws(() => trainer.restore(state), /no state/);

  const width = config.hidden_size;
  const many = await trainer.encode([...sentences.slice(0, 40), "", sentences[0]]);
  const row = (number) => many.slice(number * width, (number + 1) * width);
  assert.ok(Math.abs(sum(Array.from(row(40), (value) => value ** 2)) - 1) < 1e-5);
  const distance = sum(Array.from(row(0), (value, column) => (value - row(41)[column]) ** 2));
  assert.ok(distance < 1e-10, `${distance}`);
});
