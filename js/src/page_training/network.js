// The compiled functions of a device: vectors of sentences, and loss and gradient of SimCSE.

import { simcse, unit } from "./loss.js";
import { encode, maskShapes, project } from "./model.js";
import { dropoutMask, streamOf } from "./random.js";

const sizeOf = (shape) => shape.reduce((product, length) => product * length, 1);
const scalar = (number) => ({ data: Float32Array.of(number), shape: [1, 1] });

function unitMatrix(size) {
  const data = new Float32Array(size * size);
  for (let row = 0; row < size; row++) data[row * size + row] = 1;
  return { data, shape: [size, size] };
}

export class Network {
  constructor(device, config) {
    this.config = config;
    this.vectors = device.compile(({ weights, embedded }, padding) =>
      unit(encode(weights, embedded, padding, null, config)),
    );
    const trained = ({ weights, embedded }, padding, masks) =>
      unit(project(encode(weights, embedded, padding, masks, config), weights));
    this.trainedVectors = device.compile(trained);
    this.lossAndGradient = device.compileGradient((inputs, padding, masks, own, temperature) => {
      const z = trained(inputs, padding, masks); // (2B, D)
      const count = z.shape[0] / 2;
      const loss = simcse(z.slice(0, 0, count), z.slice(0, count, 2 * count), own, temperature);
      return [loss, z];
    });
  }

  /** Dropout masks of a batch: those of the same stream are equal. */
  masks(rows, pieces, { dropout_hidden: hidden, dropout_attention: attention }, ...stream) {
    let number = 0;
    const draw = (shape, rate) => {
      number += 1;
      return { data: dropoutMask(sizeOf(shape), rate, streamOf(...stream, number)), shape };
    };
    const shapes = maskShapes(rows, pieces, this.config);
    return {
      embedded: draw(shapes.embedded, hidden),
      layers: shapes.layers.map((layer) => ({
        attention: draw(layer.attention, attention),
        attended: draw(layer.attended, hidden),
        fed: draw(layer.fed, hidden),
      })),
    };
  }

  /** Loss, unit vectors of both views (2B, D), and gradients by weights and embeddings. */
  async differentiate(inputs, padding, masks, temperature) {
    const own = unitMatrix(inputs.embedded.shape[0] / 2);
    const found = await this.lossAndGradient(inputs, padding, masks, own, scalar(temperature));
    const [[loss, vectors], gradients] = found;
    return { loss: loss.data[0], vectors, gradients };
  }
}
