// Numbers as texts, and the ticks and lines of charts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Chart, scaleLinear, ticksOf } from "../src/shared/chart.js";
import { brief, counted, cut, digits, measured, percent, short } from "../src/shared/text.js";

const CASES = [
  [digits(1024, 3), "1,024"],
  [digits(-0.31512), "−0.315"],
  [digits(0.00001), "1.0e−5"],
  [brief(0.31512), "0.315"],
  [brief(null), "–"],
  [brief(-0.00001), "−1.0e−5"],
  [measured(0.5123), "0.512"],
  [measured(42.3), "42.30"],
  [measured(NaN), "–"],
  [percent(0.05), "5.0 %"],
  [short(0.0500001), "0.05"],
  [counted(1, "sentence"), "1 sentence"],
  [counted(3, "sentence"), "3 sentences"],
  [cut("a long sentence", 7), "a long…"],
];

test("numbers and counts are short and exact", () => {
  for (const [text, expected] of CASES) assert.equal(text, expected);
});

test("ticks are round and have labels", () => {
  const linear = ticksOf(scaleLinear([0, 300], [0, 100]), 3);
  assert.deepEqual(
    linear.map(({ value, label }) => [value, label]),
    [
      [0, "0"],
      [100, "100"],
      [200, "200"],
      [300, "300"],
    ],
  );
  assert.deepEqual(ticksOf(scaleLinear([2, 2], [0, 1]), 4), [{ value: 2, label: "2" }]);
});

test("a line ends at its axis and draws only one of points that coincide", () => {
  const chart = new Chart(110, 60, { left: 5, right: 5, top: 5, bottom: 5 }, [0, 10], [0, 1]);
  assert.equal(chart.path([0, 5, 20], [0, 1, 0]), "M5.0,55.0L55.0,5.0");
  assert.equal(chart.path([0, 0.01, 10], [0, 1, 1]), "M5.0,55.0L105.0,5.0");
  assert.equal(chart.level(99), 3);
});
