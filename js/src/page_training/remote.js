// The page's end of worker.js: the Trainer's methods as promises.

const METHODS = ["encode", "forget", "restore", "set", "state", "step", "views", "weights"];

/**
 * Start a worker and open a Trainer in it.
 *
 * source    text of the worker's script
 * options   those of Trainer.open
 * progress  called with { work, done, total }
 *
 * Resolves to an object with the Trainer's methods, `backend`, `settings` and `close()`.
 */
export async function openRemote(source, options, progress = () => {}) {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  const waiting = new Map();
  const remote = {};
  let failure;
  let calls = 0;

  function fail(message) {
    failure = new Error(message);
    worker.terminate();
    URL.revokeObjectURL(url);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  }

  worker.addEventListener("error", (event) => {
    event.preventDefault();
    fail(event.message || "the training worker could not start");
  });
  worker.addEventListener("message", ({ data }) => {
    if (data.progress) {
      progress(data.progress);
      return;
    }
    Object.assign(remote, data.status);
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if ("error" in data) reject(new Error(data.error));
    else resolve(data.result);
  });

  function call(method, ...parameters) {
    if (failure) return Promise.reject(failure);
    return new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      worker.postMessage({ id: calls, method, parameters });
    });
  }

  for (const method of METHODS) remote[method] = (...parameters) => call(method, ...parameters);
  remote.close = () => fail("the trainer is closed");
  Object.assign(remote, await call("open", options));
  return remote;
}
