// Arrays with automatic differentiation: the only module that knows jax-js.
//
// jax-js counts references: each operation consumes its operands. A Tensor never consumes: its
// operations take another reference, and all tensors that a compiled function made are released when
// it has returned.

import { init, jit, nn, numpy, valueAndGrad } from "@jax-js/jax";

/** The tensors that the function that is being traced has made so far. */
let made = [];

const raw = (value) => (value instanceof Tensor ? value.array.ref : value);

/** Reduce the last axis, which stays with length 1. */
const LAST = [-1, { keepdims: true }];

/** The operations of a Tensor, on arrays. */
const OPERATIONS = {
  add: numpy.add,
  sub: numpy.subtract,
  mul: numpy.multiply,
  div: numpy.divide,
  // product of the last two axes; the others must be equal
  matmul: numpy.matmul,
  reshape: (x, ...shape) => x.reshape(shape),
  transpose: (x, ...axes) => x.transpose(axes),
  // elements `start` to `stop` of the first axis, or of the second one
  rows: (x, start, stop) => x.slice([start, stop]),
  columns: (x, start, stop) => x.slice([], [start, stop]),
  mean: (x) => x.mean(...LAST),
  sum: (x) => x.sum(...LAST),
  total: (x) => x.sum(),
  sqrt: numpy.sqrt,
  tanh: numpy.tanh,
  // x Φ(x), with the error function and not its approximation by tanh
  gelu: (x) => nn.gelu(x, { approximate: false }),
  softmax: nn.softmax,
  logSumExp: (x) => nn.logsumexp(x, ...LAST),
};

/** An array of float32 with the operations of the model. */
export class Tensor {
  constructor(array) {
    this.array = array;
    made.push(array);
  }

  get shape() {
    return this.array.shape;
  }
}

for (const [name, operation] of Object.entries(OPERATIONS))
  Tensor.prototype[name] = function operate(...others) {
    return new Tensor(operation(raw(this), ...others.map(raw)));
  };

/** Call `change` on each leaf of nested objects and lists. */
function mapTree(tree, isLeaf, change) {
  if (isLeaf(tree)) return change(tree);
  if (Array.isArray(tree)) return tree.map((part) => mapTree(part, isLeaf, change));
  const entries = Object.entries(tree);
  return Object.fromEntries(entries.map(([key, part]) => [key, mapTree(part, isLeaf, change)]));
}

const isTensor = (value) => value instanceof Tensor;
const isArray = (value) => typeof value?.dispose === "function";
const isFlat = (value) => ArrayBuffer.isView(value?.data);

/** A function of arrays that calls one of tensors, and releases the tensors that it made. */
function ofArrays(ofTensors) {
  return (...trees) => {
    const outer = made;
    made = [];
    try {
      const tensors = trees.map((tree) => mapTree(tree, isArray, (array) => new Tensor(array)));
      return mapTree(ofTensors(...tensors), isTensor, raw);
    } finally {
      for (const array of made) array.dispose();
      made = outer;
    }
  };
}

/** A device that computes: "wasm" or "webgpu". */
export class Device {
  /** Resolves to the device of this name; rejects if the browser lacks it. */
  static async open(name) {
    // jax-js reads the name of the browser, which Node before version 21 lacks
    globalThis.navigator ??= { userAgent: "" };
    const found = await init(name);
    if (!found.includes(name)) throw new Error(`this browser offers no ${name}`);
    return new Device(name);
  }

  constructor(name) {
    this.name = name;
  }

  /**
   * Compile a function of trees of tensors. The result takes trees of { data: Float32Array, shape }
   * and resolves to such a tree. It is compiled again for each new combination of shapes.
   */
  compile(ofTensors) {
    return this.#calling(ofArrays(ofTensors));
  }

  /**
   * Compile a function that returns a loss. The result resolves to the loss and its gradients by the
   * first argument.
   */
  compileGradient(ofTensors) {
    return this.#calling(valueAndGrad(ofArrays(ofTensors)));
  }

  #calling(ofArrayTrees) {
    const compiled = jit(ofArrayTrees, { device: this.name });
    return async (...trees) => this.#download(compiled(...trees.map((tree) => this.#upload(tree))));
  }

  #upload(tree) {
    return mapTree(tree, isFlat, ({ data, shape }) =>
      numpy.array(data, { shape, device: this.name }),
    );
  }

  /** Read all arrays of a tree, and release them. */
  async #download(tree) {
    const reading = [];
    const read = mapTree(tree, isArray, (array) => {
      const flat = { shape: array.shape };
      reading.push(array.data().then((data) => Object.assign(flat, { data })));
      return flat;
    });
    await Promise.all(reading);
    return read;
  }
}
