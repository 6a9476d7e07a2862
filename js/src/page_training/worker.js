// The Trainer in a Web Worker: answers the calls of remote.js, one after the other.

import { Trainer } from "./trainer.js";

let trainer;
// a step must not meet a restore
let last = Promise.resolve();

async function answer({ id, method, parameters }) {
  try {
    let result;
    if (method === "open") {
      trainer = await Trainer.open(...parameters);
      result = { backend: trainer.backend, fallback: trainer.fallback };
    } else result = await trainer[method](...parameters);
    postMessage({ id, result });
  } catch (error) {
    postMessage({ id, error: String(error?.message ?? error) });
  }
}

addEventListener("message", ({ data }) => {
  last = last.then(() => answer(data));
});
