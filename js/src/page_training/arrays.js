// Arrays with automatic differentiation: the only module that knows jax-js.
//
// jax-js counts references: each operation consumes its operands. A Tensor never consumes: its
// operations take another reference, and all tensors that a compiled function made are released when
// it has returned.

/*! @jax-js/jax
 * MIT License
 *
 * Copyright (c) 2025 Eric Zhang
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of
 * this software and associated documentation files (the "Software"), to deal in
 * the Software without restriction, including without limitation the rights to
 * use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of
 * the Software, and to permit persons to whom the Software is furnished to do so,
 * subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS
 * FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
 * IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
 * CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */

import { init, jit, nn, numpy, valueAndGrad } from "@jax-js/jax";

/** The tensors that the function that is being traced has made so far. */
let made = [];

const raw = (value) => (value instanceof Tensor ? value.array.ref : value);

/** An array of float32 with the operations of the model. */
export class Tensor {
  constructor(array) {
    this.array = array;
    made.push(array);
  }

  get shape() {
    return this.array.shape;
  }

  add(other) {
    return new Tensor(numpy.add(raw(this), raw(other)));
  }

  sub(other) {
    return new Tensor(numpy.subtract(raw(this), raw(other)));
  }

  mul(other) {
    return new Tensor(numpy.multiply(raw(this), raw(other)));
  }

  div(other) {
    return new Tensor(numpy.divide(raw(this), raw(other)));
  }

  /** Product of the last two axes; the others must be equal. */
  matmul(other) {
    return new Tensor(numpy.matmul(raw(this), raw(other)));
  }

  reshape(...shape) {
    return new Tensor(raw(this).reshape(shape));
  }

  transpose(...axes) {
    return new Tensor(raw(this).transpose(axes));
  }

  /** Elements `start` to `stop` of an axis. */
  slice(axis, start, stop) {
    const ranges = this.shape.map((_, number) => (number === axis ? [start, stop] : []));
    return new Tensor(raw(this).slice(...ranges));
  }

  /** Mean over the last axis, which stays with length 1. */
  mean() {
    return new Tensor(raw(this).mean(-1, { keepdims: true }));
  }

  /** Sum over the last axis, which stays with length 1. */
  sum() {
    return new Tensor(raw(this).sum(-1, { keepdims: true }));
  }

  /** Sum of all elements. */
  total() {
    return new Tensor(raw(this).sum());
  }

  sqrt() {
    return new Tensor(numpy.sqrt(raw(this)));
  }

  tanh() {
    return new Tensor(numpy.tanh(raw(this)));
  }

  /** x Φ(x), with the error function and not its approximation by tanh. */
  gelu() {
    return new Tensor(nn.gelu(raw(this), { approximate: false }));
  }

  softmax() {
    return new Tensor(nn.softmax(raw(this), -1));
  }

  logSoftmax() {
    return new Tensor(nn.logSoftmax(raw(this), -1));
  }
}

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
   * Compile a function that returns [loss, others]. The result resolves to [[loss, others],
   * gradients], the gradients of the loss by the first argument.
   */
  compileGradient(ofTensors) {
    return this.#calling(valueAndGrad(ofArrays(ofTensors), { hasAux: true }));
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
      const flat = { data: null, shape: array.shape };
      reading.push(
        array.data().then((data) => {
          flat.data = data;
        }),
      );
      return flat;
    });
    await Promise.all(reading);
    return read;
  }
}
