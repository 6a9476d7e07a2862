// Losses of the sphere lab against their formulas and against finite differences.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  alignmentUniformity,
  cosines,
  directPredictor,
  infoNCE,
  unitRows,
  withoutNegatives,
} from "../src/sphere/losses.js";

const D = 3;
const B = 5;

/** Numbers between -1 and 1 that depend on `seed` alone. */
function rows(seed) {
  let state = seed;
  return Float64Array.from({ length: B * D }, () => {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    return (2 * state) / 2 ** 32 - 1;
  });
}

const z1 = rows(1);
const z2 = rows(2);
const nearly = (a, b, within = 1e-9) => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);

test("InfoNCE is the mean of -log softmax of the cosines", () => {
  const temperature = 0.3;
  const s = cosines(unitRows(z1, D).unit, unitRows(z2, D).unit, D);
  let expected = 0;
  for (let i = 0; i < B; i++) {
    let sum = 0;
    for (let j = 0; j < B; j++) sum += Math.exp(s[i * B + j] / temperature);
    expected -= Math.log(Math.exp(s[i * B + i] / temperature) / sum) / B;
  }
  nearly(infoNCE(z1, z2, D, { temperature }).loss, expected);
});

test("a forbidden negative does not push", () => {
  const allowed = new Uint8Array(B * B).fill(1);
  for (let i = 0; i < B; i++) allowed.fill(0, i * B, (i + 1) * B);
  const { loss } = infoNCE(z1, z2, D, { temperature: 0.3, allowed });
  nearly(loss, 0);
});

const OBJECTIVES = {
  infoNCE: (a, b) => infoNCE(a, b, D, { temperature: 0.4, pull: 0.7, push: 1.3 }),
  alignmentUniformity: (a, b) => alignmentUniformity(a, b, D, { pull: 0.7, push: 1.3 }),
  withoutNegatives: (a, b) =>
    withoutNegatives(a, b, D, { predictor: directPredictor(z1, D), stopGradient: false }),
};

for (const [name, objective] of Object.entries(OBJECTIVES)) {
  test(`${name}: pulls and pushes are the gradient of the loss`, () => {
    const { pulls, pushes } = objective(z1, z2);
    const step = 1e-5;
    for (const view of [0, 1]) {
      for (let k = 0; k < B * D; k++) {
        const [more, less] = [step, -step].map((by) => {
          const moved = [z1.slice(), z2.slice()];
          moved[view][k] += by;
          return objective(...moved).loss;
        });
        nearly(pulls[view][k] + pushes[view][k], (more - less) / (2 * step), 1e-6);
      }
    }
  });
}

test("a stopped gradient changes the gradient, not the loss", () => {
  const predictor = directPredictor(z1, D);
  const stopped = withoutNegatives(z1, z2, D, { predictor });
  const whole = withoutNegatives(z1, z2, D, { predictor, stopGradient: false });
  nearly(stopped.loss, whole.loss);
  assert.notDeepEqual(stopped.pulls[0], whole.pulls[0]);
});
