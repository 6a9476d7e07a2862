// Reads the weights and sentences of the mini encoder, and opens the trainer with them.

import { Batches } from "../page_training/batches.js";
import { openRemote } from "../page_training/remote.js";
import packedWorker from "../page_training/worker.js?script";
import { zipOf } from "../page_training/zip.js";
import { view } from "../shared/bytes.js";

const WEIGHTS = "model.safetensors";
const TEXTS = ["config.json", "tokenizer.json", "tokenizer_config.json", "sentences.txt"];
const README = `An encoder that was trained in a page. Unpack this archive into a folder, then

    import clwork
    encoder = clwork.load_encoder("FOLDER")
    encoder.encode(["a sentence"])
`;

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** The bytes of a file of the folder, or of the page if it holds them; `progress(done, total)`. */
async function read(mini, name, progress = () => {}) {
  const held = document.getElementById(`clwork-${name}`);
  if (held) return view(held.textContent).buffer;
  const response = await fetch(mini + name).catch(() => null);
  if (!response?.ok)
    throw new Error(
      location.protocol === "file:"
        ? "A browser reads no weights next to a page on a disk: open the page from its address, or the one-file version."
        : `${name} could not be read: is there a network? Press Start to try again.`,
    );
  const total = Number(response.headers.get("content-length")) || 0;
  let done = 0;
  const counted = new TransformStream({
    transform(part, stream) {
      done += part.length;
      progress(done, Math.max(total, done));
      stream.enqueue(part);
    },
  });
  return new Response(response.body.pipeThrough(counted)).arrayBuffer();
}

/** The address of the worker's script. */
async function workerAddress() {
  const packed = new Blob([view(packedWorker)]).stream();
  const script = new Response(packed.pipeThrough(new DecompressionStream("gzip")));
  const text = await script.text();
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

const asked = () => new URLSearchParams(location.search).get("backend") ?? "auto";

/**
 * A function that opens a session: trainer, sentences, batches, and the files for saving. Its second
 * argument is a backend; default: that of the address, or the fastest.
 */
export function opener(mini) {
  let files;
  let worker;
  return async (progress, backend = asked()) => {
    const reading = (done, total) =>
      progress(`Reading the encoder: ${megabytes(done)} of ${megabytes(total)} MB.`, done / total);
    if (!files) {
      const [weights, ...texts] = await Promise.all([
        read(mini, WEIGHTS, reading),
        ...TEXTS.map(async (name) => new TextDecoder().decode(await read(mini, name))),
      ]);
      files = { weights, texts: Object.fromEntries(TEXTS.map((name, k) => [name, texts[k]])) };
    }
    const { weights, texts } = files;
    const { vocab } = JSON.parse(texts["tokenizer.json"]).model;
    const options = {
      weights,
      config: JSON.parse(texts["config.json"]),
      vocabulary: Object.keys(vocab).sort((a, b) => vocab[a] - vocab[b]),
      backend,
    };
    progress("Compiling the training step; this takes some seconds.");
    worker ??= await workerAddress();
    return {
      trainer: await openRemote(worker, options),
      files,
      sentences: texts["sentences.txt"].split("\n").filter(Boolean),
      makeBatches: (all, settings) => new Batches(all, settings),
    };
  };
}

/** Seconds of a training step on a backend, without compiling. */
export async function secondsOf({ trainer, sentences, makeBatches }, settings) {
  const texts = makeBatches(sentences, settings).next();
  try {
    await trainer.step(texts);
    return (await trainer.step(texts)).seconds;
  } finally {
    trainer.close();
  }
}

/** The encoder as an archive: the files that clwork.load_encoder reads. */
export async function savedEncoder(trainer, { texts }) {
  const { "sentences.txt": _, ...own } = texts;
  return zipOf({ "README.txt": README, ...own, [WEIGHTS]: await trainer.weights() });
}
