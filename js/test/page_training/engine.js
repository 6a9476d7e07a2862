// What the tests of the engine share: the encoder of the repository, its sentences, and the numbers
// of PyTorch (scripts/page_reference.py).

import fs from "node:fs";
import { Trainer } from "../../src/page_training/trainer.js";

const read = (path) => fs.readFileSync(new URL(path, import.meta.url));
const mini = (name) => read(`../../../clwork/encoders/mini/${name}`);

export const reference = JSON.parse(read("reference.json"));
export const config = JSON.parse(mini("config.json"));
export const weights = new Uint8Array(mini("model.safetensors")).buffer;

const ids = JSON.parse(mini("tokenizer.json")).model.vocab;
export const vocabulary = Object.keys(ids).sort((one, other) => ids[one] - ids[other]);

const pairs = read("../../../clwork/data/handwritten/paraphrases.jsonl");
export const sentences = pairs
  .toString()
  .trim()
  .split("\n")
  .flatMap((line) => Object.values(JSON.parse(line)));

export const open = (settings, backend = "auto") =>
  Trainer.open({ weights, config, vocabulary, settings, backend });
