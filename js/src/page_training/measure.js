// Measures a cloud of sentence vectors as clwork does: clwork/metrics/geometry.py has the formulas,
// clwork/run_folder/positions.py the axes and neighbours. Vectors are rows of unit length in one
// Float32Array, n × width.

import { STEPS } from "../shared/bytes.js";

// nearest sentences of each sentence
const NEAREST = 5;
// the first principal axes
export const AXES = 8;
// the largest distance of two unit vectors, stored as the largest int16
export const SPAN = 2;
// iterations to find the axes; even two axes of nearly equal variance are apart after these
const ITERATIONS = 200;
// as in clwork/metrics/diagnosis.py: share of a run before which it is too early for a verdict, and
// changes of log(1 - mean cosine)
const EARLY = 0.1;
const [OPENED, CLOSED, LOST] = [0.14, -0.027, -0.38];
const CONE_COSINE = 0.45;

/** Scalar product of two rows. */
export function dot(one, i, other, j, width) {
  let sum = 0;
  for (let k = 0; k < width; k++) sum += one[i * width + k] * other[j * width + k];
  return sum;
}

/** The angle of a cosine in degrees. */
export const degrees = (cosine) => (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI;

/** Scale a vector to length 1 in place; zeros stay zero. */
function normalise(vector) {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/**
 * Mean and principal axes of rows: {mean, axes}. The largest entry of each axis is positive, since
 * the sign is arbitrary.
 */
export function fitBasis(vectors, width) {
  const n = vectors.length / width;
  const mean = new Float64Array(width);
  vectors.forEach((value, at) => {
    mean[at % width] += value / n;
  });
  const covariance = new Float64Array(width * width);
  for (let row = 0; row < n; row++) {
    const centred = mean.map((value, k) => vectors[row * width + k] - value);
    for (let i = 0; i < width; i++)
      for (let j = 0; j < width; j++) covariance[i * width + j] += centred[i] * centred[j];
  }
  const count = Math.min(AXES, n - 1, width);
  let axes = Array.from({ length: count }, (_, a) =>
    // any start that is not orthogonal to an axis
    Float64Array.from({ length: width }, (_, k) => Math.sin(1 + (a + 1) * (k + 1))),
  );
  for (let turn = 0; turn < ITERATIONS; turn++)
    axes = orthonormal(axes.map((axis) => axis.map((_, i) => dot(covariance, i, axis, 0, width))));
  const largest = (axis) => axis.reduce((most, v) => (Math.abs(v) > Math.abs(most) ? v : most), 0);
  return { mean, axes: axes.map((axis) => (largest(axis) < 0 ? axis.map((v) => -v) : axis)) };
}

/** Gram–Schmidt: each vector less its parts along the earlier ones, of length 1. */
function orthonormal(vectors) {
  const made = [];
  for (const vector of vectors) {
    let left = vector;
    for (const axis of made) {
      const part = dot(left, 0, axis, 0, axis.length);
      left = left.map((value, k) => value - part * axis[k]);
    }
    made.push(normalise(left));
  }
  return made;
}

/** The coordinates of all rows on the axes as int16, little-endian: what a page draws. */
export function coordinates(vectors, { mean, axes }) {
  const width = mean.length;
  const n = vectors.length / width;
  const data = new DataView(new ArrayBuffer(2 * n * axes.length));
  for (let row = 0; row < n; row++) {
    axes.forEach((axis, a) => {
      const value = dot(vectors, row, axis, 0, width) - dot(mean, 0, axis, 0, width);
      const unit = Math.max(-1, Math.min(1, value / SPAN));
      data.setInt16(2 * (row * axes.length + a), Math.round(unit * STEPS), true);
    });
  }
  return data;
}

/** The rows nearest to a vector, the nearest first, as [row, cosine]; `but` is left out. */
export function nearestTo(vector, vectors, width, count = NEAREST, but = -1) {
  const n = vectors.length / width;
  const all = Array.from({ length: n }, (_, row) => [row, dot(vectors, row, vector, 0, width)]);
  const others = all.filter(([row]) => row !== but);
  return others.sort((a, b) => b[1] - a[1]).slice(0, count);
}

/** The nearest sentences of each row as uint16, little-endian. */
export function neighbours(vectors, width) {
  const n = vectors.length / width;
  const count = Math.min(NEAREST, n - 1);
  const data = new DataView(new ArrayBuffer(2 * n * count));
  for (let row = 0; row < n; row++) {
    const own = vectors.subarray(row * width, (row + 1) * width);
    nearestTo(own, vectors, width, count, row).forEach(([near], k) => {
      data.setUint16(2 * (row * count + k), near, true);
    });
  }
  return data;
}

/** Mean cosine and uniformity over all pairs of rows. */
export function shapeOf(vectors, width) {
  const n = vectors.length / width;
  let cosines = 0;
  let weights = 0;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const cosine = dot(vectors, i, vectors, j, width);
      cosines += cosine;
      // the squared distance is 2 - 2 cos
      weights += Math.exp(-2 * (2 - 2 * cosine));
    }
  const pairs = (n * (n - 1)) / 2;
  return { mean_cosine: cosines / pairs, uniformity: Math.log(weights / pairs) };
}

/** Mean squared distance of consecutive rows: the first two, the next two, and so on. */
export function alignmentOf(pairs, width) {
  const n = pairs.length / width / 2;
  let sum = 0;
  for (let k = 0; k < n; k++) sum += 2 - 2 * dot(pairs, 2 * k, pairs, 2 * k + 1, width);
  return sum / n;
}

/** The width of a cloud; see Measurement.width in clwork/metrics/diagnosis.py. */
const widthOf = ({ mean_cosine }) => Math.log(Math.max(1 - mean_cosine, 1e-6));

/** Whether a cloud is opening or closing, from its measurements so far; "" if it is too early. */
export function courseOf(measured, total) {
  const [first, last] = [measured[0], measured.at(-1)];
  if ((last.step - first.step) / Math.max(1, total - first.step) < EARLY) return "";
  const change = widthOf(last) - widthOf(first);
  const widest = Math.max(...measured.map(widthOf));
  if (change < CLOSED || widthOf(last) - widest < LOST) return "closing";
  if (change > OPENED) return "opening";
  return last.mean_cosine < CONE_COSINE ? "open" : "not opening";
}

/** The sentence on the angles of the last measurement: `in_angles` of clwork/metrics/diagnosis.py. */
export function trendOf(measured, total) {
  const [first, last] = [measured[0], measured.at(-1)];
  const angle = (cosine) => `${degrees(cosine).toFixed(0)}°`;
  const related = `Related sentences ${angle(1 - last.alignment / 2)} apart`;
  const before = first === last ? "" : ` (${angle(first.mean_cosine)} at first)`;
  const course = courseOf(measured, total);
  const end = course ? `: ${course}.` : ".";
  return `${related}, strangers ${angle(last.mean_cosine)}${before}${end}`;
}
