// The page's end of worker.js: the Trainer's methods as promises.

const METHODS = ["encode", "forget", "restore", "set", "state", "step", "views", "weights"];

/**
 * Start a worker, `url` being that of its script, and open a Trainer in it with the options of
 * Trainer.open. Resolves to an object with the Trainer's methods, `backend`, `fallback`, `close()`.
 */
export async function openRemote(url, options) {
  const worker = new Worker(url);
  const waiting = new Map();
  let failure;
  let calls = 0;

  function fail(message) {
    failure = new Error(message);
    worker.terminate();
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  }

  worker.onerror = (event) => {
    event.preventDefault();
    fail(event.message || "the training worker could not start");
  };
  worker.onmessage = ({ data: { id, result, error } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  };

  const call = (method, ...parameters) =>
    new Promise((resolve, reject) => {
      if (failure) throw failure;
      calls += 1;
      waiting.set(calls, { resolve, reject });
      worker.postMessage({ id: calls, method, parameters });
    });

  const remote = Object.fromEntries(
    METHODS.map((method) => [method, (...parameters) => call(method, ...parameters)]),
  );
  remote.close = () => fail("the trainer is closed");
  return Object.assign(remote, await call("open", options));
}
