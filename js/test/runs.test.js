// Runs as a page receives them: time, history, and replies that a page has already or never received.

import assert from "node:assert/strict";
import { test } from "node:test";
import { between, Runs, Timeline } from "../src/panel/runs.js";

/** 32-bit floats as a kernel sends them. */
function packed(rows) {
  const data = new DataView(new ArrayBuffer(4 * rows.flat().length));
  for (const [i, value] of rows.flat().entries()) data.setFloat32(4 * i, value, true);
  return data;
}

/** 16-bit integers as a kernel sends them. */
function integers(values) {
  const data = new DataView(new ArrayBuffer(2 * values.length));
  for (const [i, value] of values.entries()) data.setInt16(2 * i, value, true);
  return data;
}

const HEAD = { name: "run", texts: ["a", "b"], axes: 2, span: 1, total_steps: 10 };
const probe = (step, at) => ({ step, at: integers(at), near: integers([1, 0]), share: 1 });
const part = (more) => ({ id: "run-1", status: "running", ...more });

test("between finds the interval of a step", () => {
  assert.deepEqual(between([0, 10, 30], 20), { low: 1, part: 0.5 });
  assert.deepEqual(between([0, 10, 30], -5), { low: 0, part: 0 });
  assert.deepEqual(between([0, 10, 30], 99), { low: 2, part: 0 });
});

test("the time of two runs counts the steps of both", () => {
  const time = new Timeline([{ steps: [0, 10] }, { steps: [0, 4] }]);
  assert.deepEqual([time.last, time.step(1), time.step(1.5), time.t(7)], [2, 4, 7, 1.5]);
});

test("rows are appended, and missing values are left out", () => {
  const runs = new Runs(1);
  const columns = ["loss", "uniformity"];
  const first = {
    from: 0,
    upto: 2,
    columns,
    values: packed([
      [1, 4, NaN],
      [2, 3, -1],
    ]),
  };
  runs.take([part({ head: HEAD, rows: first })]);
  const [record] = runs.records;
  assert.equal(record.history.value("loss", 1.5), 4);
  assert.equal(record.history.value("uniformity", 1), null);
  const gap = { from: 5, upto: 6, columns: ["loss"], values: packed([[6, 1]]) };
  runs.take([part({ rows: gap })]);
  assert.equal(record.history.upto, 2);
});

test("positions are interpolated between probes, and a known probe is ignored", () => {
  const runs = new Runs(1);
  const probes = [probe(0, [0, 0, 32767, 0]), probe(10, [32767, 0, 32767, 32767])];
  runs.take([part({ head: HEAD, probes })]);
  assert.equal(runs.take([part({ probes: [probes[1]] })]).probes, false);
  const [record] = runs.records;
  assert.deepEqual([...record.places(5, "pca")], [0.5, 0, 1, 0.5]);
  const room = record.bounds("pca").map((side) => Number(side.toFixed(9)));
  assert.deepEqual(room, [-0.6, 1.6, 0, 1], "a run in progress has room to open");
  const finished = new Runs(1);
  finished.take([part({ head: HEAD, probes, status: "finished" })]);
  assert.deepEqual(finished.records[0].bounds("pca"), [0, 1, 0, 1]);
  assert.deepEqual(runs.known([])[0], { id: "run-1", probe: 10, row: 0, verdict: -1, columns: [] });
});

test("the first run becomes the previous one when another begins", () => {
  const runs = new Runs(1);
  const rows = { from: 0, upto: 1, columns: ["loss"], values: packed([[1, 4]]) };
  runs.take([part({ head: HEAD, rows })]);
  const found = runs.take([{ id: "run-2", status: "running", head: { ...HEAD, name: "next" } }]);
  assert.equal(found.replaced, true);
  assert.equal(runs.previous.name, "run");
});
