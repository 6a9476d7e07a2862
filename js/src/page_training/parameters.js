// The trained numbers in one array, so that the optimizer is one loop, with a view for each tensor.

import { normal, streamOf } from "./random.js";

const TABLES = {
  piece: "bert.embeddings.word_embeddings.weight",
  position: "bert.embeddings.position_embeddings.weight",
  type: "bert.embeddings.token_type_embeddings.weight",
};
const HEAD_DEVIATION = 0.02;

export class Parameters {
  /** `file` has the tensors of model.safetensors; SimCSE's head is drawn by `seed`. */
  constructor(file, config, seed) {
    const width = config.hidden_size;
    const head = normal(width * width, HEAD_DEVIATION, streamOf(seed, 0, 3));
    // those that only predict masked words are neither trained nor changed
    this.untrained = {};
    const trained = {};
    for (const [name, tensor] of Object.entries(file)) {
      const group = name.startsWith("bert.") ? trained : this.untrained;
      group[name] = tensor;
    }
    trained["head.dense.weight"] = { shape: [width, width], data: head };
    trained["head.dense.bias"] = { shape: [width], data: new Float32Array(width) };

    this.shapes = Object.fromEntries(
      Object.entries(trained).map(([name, { shape }]) => [name, shape]),
    );
    const tensors = Object.values(trained);
    this.values = new Float32Array(tensors.reduce((count, { data }) => count + data.length, 0));
    for (const [name, view] of Object.entries(this.views())) view.data.set(trained[name].data);
  }

  /** Views of each tensor in an array of all of them: by name, { data, shape }. */
  views(values = this.values) {
    const views = {};
    let start = 0;
    for (const [name, shape] of Object.entries(this.shapes)) {
      const end = start + shape.reduce((product, length) => product * length, 1);
      views[name] = { data: values.subarray(start, end), shape };
      start = end;
    }
    return views;
  }

  /** The tensors that the model multiplies: all but the embedding tables. */
  weights() {
    const views = this.views();
    for (const table of Object.values(TABLES)) delete views[table];
    return views;
  }

  /** The tensors of the file, without the head. */
  forFile() {
    const trained = Object.entries(this.views()).filter(([name]) => name.startsWith("bert."));
    return { ...Object.fromEntries(trained), ...this.untrained };
  }

  /** Sums of the embeddings of piece, position and type: (rows, pieces, width). */
  embed(rows, pieces, pad) {
    const {
      [TABLES.piece]: piece,
      [TABLES.position]: position,
      [TABLES.type]: type,
    } = this.views();
    const width = type.data.length;
    const data = new Float32Array(rows.length * pieces * width);
    forEachPiece(rows, pieces, pad, (start, place, id) => {
      for (let column = 0; column < width; column++)
        data[start * width + column] =
          piece.data[id * width + column] +
          position.data[place * width + column] +
          type.data[column];
    });
    return { data, shape: [rows.length, pieces, width] };
  }

  /** The gradient of all parameters, from those of `weights` and of the embeddings' sums. */
  gather({ weights, embedded }, rows, pieces, pad) {
    const gradient = new Float32Array(this.values.length);
    const views = this.views(gradient);
    for (const [name, { data }] of Object.entries(weights)) views[name].data.set(data);
    const { [TABLES.piece]: piece, [TABLES.position]: position, [TABLES.type]: type } = views;
    const width = type.data.length;
    forEachPiece(rows, pieces, pad, (start, place, id) => {
      for (let column = 0; column < width; column++) {
        const slope = embedded.data[start * width + column];
        piece.data[id * width + column] += slope;
        position.data[place * width + column] += slope;
        type.data[column] += slope;
      }
    });
    return gradient;
  }
}

/** Call `visit(index, place in its row, id)` for each piece of padded rows. */
function forEachPiece(rows, pieces, pad, visit) {
  for (const [number, row] of rows.entries())
    for (let place = 0; place < pieces; place++)
      visit(number * pieces + place, place, row[place] ?? pad);
}
