// AdamW, gradient clipping and the learning rate's schedule, as clwork trains with.

const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-8;

/** By what the peak learning rate is multiplied at `step`, from 0: a linear warm-up and decay. */
export function learningRateFactor({ warmup, steps }, step) {
  const warmSteps = warmup * steps;
  if (step < warmSteps) return (step + 1) / (warmSteps + 1);
  return Math.max(0, (steps - step) / Math.max(1, steps - warmSteps));
}

/** The Euclidean length of a gradient. */
export function norm(gradient) {
  let sum = 0;
  for (let index = 0; index < gradient.length; index++) sum += gradient[index] * gradient[index];
  return Math.sqrt(sum);
}

/** Moving averages of the gradient and of its square, for all parameters in one array. */
export class AdamW {
  constructor(count) {
    this.mean = new Float32Array(count);
    this.square = new Float32Array(count);
    this.updates = 0;
  }

  /** Update `weights` by `scale` times `gradient`. */
  update(weights, gradient, scale, learningRate, weightDecay) {
    const { mean, square } = this;
    this.updates += 1;
    const stepSize = learningRate / (1 - BETA1 ** this.updates);
    const correction = 1 / Math.sqrt(1 - BETA2 ** this.updates);
    const decay = 1 - learningRate * weightDecay;
    for (let index = 0; index < weights.length; index++) {
      const slope = scale * gradient[index];
      const average = BETA1 * mean[index] + (1 - BETA1) * slope;
      const variance = BETA2 * square[index] + (1 - BETA2) * slope * slope;
      mean[index] = average;
      square[index] = variance;
      const change = (stepSize * average) / (Math.sqrt(variance) * correction + EPSILON);
      weights[index] = decay * weights[index] - change;
    }
  }

  copy() {
    const copied = new AdamW(0);
    return Object.assign(copied, {
      mean: this.mean.slice(),
      square: this.square.slice(),
      updates: this.updates,
    });
  }
}
