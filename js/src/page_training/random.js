// Random numbers as functions of a seed and an index, so that a step can be repeated exactly.

const FRACTION = 2 ** -32;

/** Mix the bits of a 32-bit integer (the last step of MurmurHash3). */
export function mix(value) {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A stream's number from several integers, such as seed, step and number of a mask. */
export const streamOf = (...integers) =>
  integers.reduce((stream, integer) => mix(stream ^ mix(integer + 0x9e3779b9)), 0);

/** The number at `index` of a stream: uniform over 0 to 2³² - 1. */
export const draw = (stream, index) => mix(stream + Math.imul(index, 0x9e3779b9));

/** How many elements an array of this shape has. */
export const sizeOf = (shape) => shape.reduce((product, length) => product * length, 1);

/** Numbers from N(0, deviation²), by the formula of Box and Muller. */
export function normal(length, deviation, stream) {
  return Float32Array.from({ length }, (_, index) => {
    const radius = Math.sqrt(-2 * Math.log((draw(stream, 2 * index) + 1) * FRACTION));
    const angle = 2 * Math.PI * draw(stream, 2 * index + 1) * FRACTION;
    return deviation * radius * Math.cos(angle);
  });
}

/**
 * A dropout mask: 0 with the probability `rate`, else 1 / (1 - rate). Rates are multiples of 1/65536
 * as in clwork: each draw decides two elements.
 */
export function dropoutMask(shape, rate, stream) {
  const dropped = Math.min(Math.round(rate * 65536), 65535);
  const kept = 65536 / (65536 - dropped);
  const length = sizeOf(shape);
  const mask = new Float32Array(length);
  for (let index = 0; index < length; index += 2) {
    const bits = draw(stream, index >>> 1);
    if ((bits & 0xffff) >= dropped) mask[index] = kept;
    // beyond the end of an odd length, this changes nothing
    if (bits >>> 16 >= dropped) mask[index + 1] = kept;
  }
  return { data: mask, shape };
}

/** The integers below `count` in a random order. */
export function permutation(count, stream) {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(draw(stream, last) * FRACTION * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
