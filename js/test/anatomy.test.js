// The anatomy's texts name only what the method's loss has.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textsOf, traits } from "../src/anatomy/texts.js";
import { inWords, kindsOf } from "../src/anatomy/timeline.js";

const own = [
  [true, false],
  [false, true],
];
const all = [
  [true, true],
  [true, true],
];

test("a loss without softmax, pushes and dropout is not described by them", () => {
  const group = { counts: own, positive: own, weight: null };
  const has = traits({ groups: [group], settings: [] });
  assert.deepEqual(has, { softmax: false, pushes: false, dropout: false });
  const { softmax, ...shown } = textsOf(has);
  assert.doesNotMatch(Object.values(shown).flat().join(" "), /dropout|softmax|the pushes/);
});

test("the texts of a softmax over the batch name dropout and pushes", () => {
  const group = { counts: all, positive: own, weight: all };
  const has = traits({ groups: [group], settings: [{ name: "dropout_hidden" }] });
  assert.deepEqual(has, { softmax: true, pushes: true, dropout: true });
  assert.match(textsOf(has).table[0], /dropout on/);
  assert.match(textsOf(has).plane[1], /Arrows/);
});

test("the timeline names each kind once, and who pulls", () => {
  const recorded = [{ positive: 2, noise: 2 }, { positive: 1 }];
  assert.deepEqual(kindsOf([recorded, [{ positive: 1, negative: 1 }]]), [
    "positive",
    "noise",
    "negative",
  ]);
  assert.equal(inWords("positive", true, 12.34), "positive pulls with 12");
  assert.equal(inWords("noise", false, 2e-6), "noise pushes with 2.0e−6");
});
