import assert from "node:assert/strict";
import test from "node:test";
import { inflateRawSync } from "node:zlib";
import { forcesOn } from "../../src/page_training/forces.js";
import { Kernel } from "../../src/page_training/kernel.js";
import {
  alignmentOf,
  coordinates,
  courseOf,
  fitBasis,
  shapeOf,
} from "../../src/page_training/measure.js";
import { plain } from "../../src/page_training/run.js";
import { zipOf } from "../../src/page_training/zip.js";
import { StandIn } from "./stand_in.js";

const number = (name, more) => ({
  name,
  title: name.replaceAll("_", " "),
  kind: "float",
  low: 0,
  high: 1,
  hot: true,
  ...more,
});
const WHOLE = { kind: "int", low: 1, high: 1000, hot: false };
const DATA = {
  about: {
    mode: "panel",
    fields: [number("temperature", { low: 0.001 }), number("batch_size", { ...WHOLE, low: 2 })],
    steps: number("steps", WHOLE),
    seed: number("seed", WHOLE),
  },
  defaults: { steps: 6, seed: 1, temperature: 0.05, batch_size: 4 },
  recorded: { id: "recorded:simcse", status: "finished", head: { name: "simcse-1" }, probes: [] },
  recordedSettings: { batch_size: 64 },
  texts: Array.from({ length: 20 }, (_, k) => `sentence ${k}`),
  labels: Array.from({ length: 20 }, (_, k) => (k % 2 ? "odd" : "even")),
  pairs: [
    ["a dog", "a hound"],
    ["a car", "an automobile"],
  ],
  wikipedia: { note: "many", credit: "" },
};

/** A kernel, and `ask(command, known)`, which resolves to the reply. */
function opened(change = {}) {
  const trainer = Object.assign(new StandIn(), change);
  const makeBatches = (texts, { batch_size }) => ({ next: () => texts.slice(0, batch_size) });
  const sentences = Array.from({ length: 50 }, (_, k) => `text ${k}`);
  const opens = [];
  const kernel = new Kernel(DATA, async (progress) => {
    opens.push(progress);
    progress("Reading the encoder: 1 of 2 MB.", 0.5);
    return { trainer, sentences, makeBatches };
  });
  let request = 0;
  const ask = (command, known = {}) =>
    new Promise((resolve) => {
      const own = ++request;
      const take = (content) => {
        if (content.answer !== own) return;
        kernel.off("msg:custom", take);
        resolve(content);
      };
      kernel.on("msg:custom", take);
      kernel.send({ request: own, page: "test", known, ...(command && { do: command }) });
    });
  const until = async (holds) => {
    for (;;) {
      const reply = await ask();
      if (holds(reply.news)) return reply.news;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { kernel, trainer, ask, until, opens };
}

const status = (wanted) => (news) => news.state.status === wanted;

test("before a start the recorded run is sent once, and a run cannot be forked", async () => {
  const { ask } = opened();
  const { news, answer, page } = await ask();
  assert.deepEqual([answer, page, news.state.status], [1, "test", "ready"]);
  assert.deepEqual(news.runs, [DATA.recorded]);
  const again = await ask(null, {
    runs: [{ id: "recorded:simcse" }],
    settings: news.settings.version,
  });
  assert.deepEqual(again.news.runs, [{ id: "recorded:simcse", status: "finished" }]);
  assert.equal(again.news.settings, undefined);
  assert.match((await ask({ name: "forces", row: 1 })).refused, /press Start/);
  assert.match((await ask({ name: "fork", step: 0 })).refused, /press Start/);
  assert.match((await ask({ name: "umap" })).refused, /no Python/);
});

test("the page says what computes, and why WebGPU does not", async () => {
  const { kernel, ask, until } = opened({ fallback: "WebGPU is slower than WebAssembly here" });
  assert.equal(kernel.speedText(), "");
  await ask({ name: "start" });
  await until(status("finished"));
  assert.match(
    kernel.speedText(),
    /^WebAssembly \(WebGPU is slower than WebAssembly here\), \d+\.\d s a step\.$/,
  );
});

test("a run trains to its end, with rows and probes of each measurement", async () => {
  const { kernel, trainer, ask, until } = opened();
  await ask({ name: "start" });
  const news = await until(status("finished"));
  assert.equal(news.state.step, 6);
  const [run] = news.runs;
  assert.equal(run.id, "run 1");
  assert.deepEqual(run.head.texts, DATA.texts);
  assert.ok(Math.abs(run.head.levels.loss["log N"] - Math.log(4)) < 1e-9);
  assert.equal(run.probes[0].step, 0);
  assert.equal(run.probes.at(-1).step, 6);
  assert.equal(run.probes[0].at.byteLength, 2 * 20 * run.head.axes);
  assert.equal(run.probes[0].near.byteLength, 2 * 20 * 5);
  assert.match(
    run.probes.at(-1).trend,
    /^Related sentences \d+° apart, strangers \d+° \(\d+° at first\)/,
  );
  const { rows } = run;
  const width = 1 + rows.columns.length;
  assert.equal(rows.values.byteLength, 4 * width * rows.upto);
  const loss = (row) => rows.values.getFloat32(4 * (row * width + 1), true);
  assert.ok(Number.isNaN(loss(0)), "the untrained encoder has no loss");
  assert.equal(loss(1), 3);
  assert.equal(trainer.batches.length, 6);
  assert.equal(trainer.values.temperature, 0.05);
  // what the page knows is not sent again
  const known = { runs: [{ id: "run 1", probe: 6, row: rows.upto }] };
  const { news: later } = await ask(null, known);
  assert.deepEqual(Object.keys(later.runs[0]).sort(), ["changes", "id", "status"]);
  assert.equal(kernel.active, false);
});

test("pause, a moved control, one step, stop", async () => {
  const { trainer, ask, until } = opened();
  await ask({ name: "step" });
  let news = await until(status("paused"));
  assert.equal(news.state.step, 1);
  assert.match((await ask({ name: "set", setting: "batch_size", value: 8 })).refused, /stop it/);
  assert.match(
    (await ask({ name: "set", setting: "temperature", value: "2" })).refused,
    /0.001 to 1/,
  );
  assert.equal(
    (await ask({ name: "set", setting: "temperature", value: "0.1" })).refused,
    undefined,
  );
  // a field sends its value twice, after Enter and when it is left
  await ask({ name: "set", setting: "temperature", value: "0.1" });
  assert.equal(trainer.values.temperature, 0.1);
  await ask({ name: "step" });
  news = await until(({ state }) => state.step === 2 && state.status === "paused");
  assert.deepEqual(news.runs[0].rows.events, [[2, "temperature → 0.1"]]);
  assert.equal(news.settings.controls.temperature.text, "0.1");
  assert.equal(news.settings.controls.batch_size.off, true);
  await ask({ name: "stop" });
  news = await until(status("stopped"));
  assert.equal(news.state.step, 2);
  assert.equal(news.state.alive, false);
});

test("a fork begins at a kept state, with the present settings, and asks before it ends a run", async () => {
  const { trainer, ask, until } = opened();
  await ask({ name: "step" });
  await until(status("paused"));
  await ask({ name: "set", setting: "temperature", value: 0.2 });
  assert.match((await ask({ name: "fork", step: 1 })).refused, /would end it: stop it first/);
  const asked = await ask({ name: "fork", step: 1, stop: true });
  assert.equal(asked.refused, undefined);
  const news = await until(
    ({ state, runs }) => state.status === "finished" && runs[0].id === "run 2",
  );
  assert.equal(news.runs[0].changes, "temperature 0.05 → 0.2");
  assert.equal(trainer.count, 6, "trained from step 0 to the end");
  await ask({ name: "compare", run: true });
  const { news: both } = await ask();
  assert.deepEqual(
    both.runs.map(({ id }) => id),
    ["run 2", "run 1"],
  );
});

test("typed sentences and forces need a run: the first typed one makes a run that waits", async () => {
  const { kernel, ask, until } = opened();
  await ask({ name: "typed", texts: ["sentence 3", " "] });
  let news = await until(({ state, typed }) => state.status === "paused" && typed.sentences[0].at);
  assert.equal(news.state.step, 0);
  assert.equal(news.typed.sentences[0].at.byteLength, 2 * news.runs[0].head.axes);
  const [[nearest, cosine]] = kernel.run.search("sentence 3");
  assert.equal(nearest, "sentence 3");
  assert.ok(cosine > 0.9999);
  await ask({ name: "forces", row: 2 });
  news = await until(({ forces }) => forces?.pairs);
  assert.equal(news.forces.row, 2);
  assert.match(news.forces.formula[1], /3 in-batch negatives/);
  assert.ok(news.forces.pairs[0].pull >= 0);
});

test("own text is what it trains on; a failure is a sentence, and Start opens a new trainer", async () => {
  const { kernel, trainer, ask, until, opens } = opened();
  await ask({ name: "corpus", choice: "own text" });
  await ask({ name: "start" });
  const few = await until(({ state }) => state.trouble);
  assert.match(few.state.sentence, /0 sentences: paste at least 8/);
  const text = Array.from({ length: 9 }, (_, k) => `line ${k}`).join("\n");
  await ask({ name: "corpus", text });
  await until(status("paused"));
  assert.equal(kernel.run.texts.length, 9, "the own cloud is there before the training");
  trainer.fails = "WebAssembly.Memory(): could not allocate memory";
  await ask({ name: "pause" });
  const news = await until(status("failed"));
  assert.deepEqual(news.runs[0].head.texts[0], "line 0");
  assert.match(news.state.sentence, /too little memory for this batch: set a smaller batch size/);
  assert.ok(trainer.batches[0].every((text) => text.startsWith("line")));
  assert.ok(trainer.closed);
  trainer.fails = "";
  await ask({ name: "start" });
  await until(status("finished"));
  assert.equal(opens.length, 2);
});

test("stop during the start leaves no run", async () => {
  const { kernel, ask, until } = opened();
  kernel.start();
  await ask({ name: "stop" });
  await until(status("ready"));
  assert.equal(kernel.run, null);
});

test("measures equal their definitions, and axes are those of the largest variance", () => {
  // four unit vectors in the plane of the first two axes
  const angles = [0, 0.3, 1, 1.2];
  const vectors = Float32Array.from(angles.flatMap((a) => [Math.cos(a), Math.sin(a), 0]));
  const pairs = [];
  for (let i = 0; i < 4; i++)
    for (let j = i + 1; j < 4; j++) pairs.push(Math.cos(angles[i] - angles[j]));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const { mean_cosine, uniformity } = shapeOf(vectors, 3);
  assert.ok(Math.abs(mean_cosine - mean(pairs)) < 1e-6);
  const weights = pairs.map((cosine) => Math.exp(-4 + 4 * cosine));
  assert.ok(Math.abs(uniformity - Math.log(mean(weights))) < 1e-6);
  const alignment = mean([2 - 2 * Math.cos(0.3), 2 - 2 * Math.cos(0.2)]);
  assert.ok(Math.abs(alignmentOf(vectors, 3) - alignment) < 1e-6);
  const basis = fitBasis(vectors, 3);
  assert.ok(basis.axes.slice(0, 2).every((axis) => Math.abs(axis[2]) < 1e-6));
  const at = coordinates(vectors, basis);
  const first = [0, 1, 2, 3].map((row) => at.getInt16(2 * row * basis.axes.length, true));
  assert.ok(Math.abs(first.reduce((sum, value) => sum + value, 0)) < 4, "around the mean");
  const variance = (axis) =>
    mean([0, 1, 2, 3].map((row) => at.getInt16(2 * (row * basis.axes.length + axis), true) ** 2));
  assert.ok(variance(0) > variance(1));
});

test("the course of a run is that of clwork's diagnosis", () => {
  const at = (step, mean_cosine) => ({ step, mean_cosine });
  assert.equal(courseOf([at(0, 0.96), at(4, 0.9)], 80), "");
  assert.equal(courseOf([at(0, 0.96), at(40, 0.61)], 80), "opening");
  assert.equal(courseOf([at(0, 0.96), at(40, 0.97)], 80), "closing");
  assert.equal(courseOf([at(0, 0.96), at(40, 0.958)], 80), "not opening");
});

test("forces sum to zero by weights: the positive pulls as much as all negatives push", () => {
  const first = Float32Array.from([1, 0, 0, 1, 0.6, 0.8]);
  const { pairs, loss } = forcesOn({
    rows: [7, 1, 2],
    texts: ["a", "b", "c"],
    first,
    second: Float32Array.from([0.8, 0.6, 0, 1, 0.6, 0.8]),
    temperature: 0.5,
    step: 3,
  });
  const exps = [0.8, 0, 0.6].map((cosine) => Math.exp(cosine / 0.5));
  assert.ok(Math.abs(loss + Math.log(exps[0] / (exps[0] + exps[1] + exps[2]))) < 1e-6);
  assert.equal(pairs[0].kind, "positive");
  const byScore = ({ pull, score }) => pull / Math.sqrt(1 - score ** 2);
  assert.ok(Math.abs(pairs.reduce((sum, pair) => sum + byScore(pair), 0)) < 1e-6);
});

test("an archive has the bytes of its files, and errors end as sentences", async () => {
  const archive = await zipOf({ "a.txt": "héllo", b: new Uint8Array([1, 2]) });
  const bytes = new Uint8Array(await archive.arrayBuffer());
  assert.deepEqual([...bytes.slice(0, 4)], [80, 75, 3, 4]);
  assert.equal(new TextDecoder().decode(bytes.slice(30, 35)), "a.txt");
  const size = new DataView(bytes.buffer).getUint32(18, true);
  assert.equal(inflateRawSync(bytes.slice(35, 35 + size)).toString(), "héllo");
  assert.equal(plain(new Error("it broke")), "it broke.");
});
