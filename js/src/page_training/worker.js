// The Trainer in a Web Worker: answers the calls of remote.js, one after the other.

import { Trainer } from "./trainer.js";

let trainer;
// a step must not meet a restore
let last = Promise.resolve();

/** Buffers that need not be copied to the page. */
function buffersOf(result) {
  const values = result instanceof ArrayBuffer || ArrayBuffer.isView(result) ? [result] : [];
  if (result?.first) values.push(result.first, result.second);
  if (result?.pairs) values.push(result.pairs.first, result.pairs.second);
  return values.map((value) => value.buffer ?? value);
}

const status = () => ({
  backend: trainer.backend,
  fallback: trainer.fallback,
  settings: { ...trainer.settings },
});

async function answer({ id, method, parameters }) {
  try {
    if (method === "open") {
      const progress = (work) => postMessage({ progress: work });
      trainer = await Trainer.open(parameters[0], progress);
      postMessage({ id, result: status() });
      return;
    }
    const result = await trainer[method](...parameters);
    postMessage({ id, result, status: status() }, { transfer: buffersOf(result) });
  } catch (error) {
    postMessage({ id, error: String(error?.message ?? error) });
  }
}

addEventListener("message", ({ data }) => {
  // a setting counts from the next step on, and so need not wait for this one
  if (data.method === "set") answer(data);
  else last = last.then(() => answer(data));
});
