// What pulls and pushes one sentence in a batch: clwork/training/forces.py for SimCSE's loss.

import { dot } from "./measure.js";

// most sentences of the batch
const BATCH = 64;
// pairs that pull, and as many that push
const SHOWN = 8;

/** Items at even distances, at most `most`. */
export const spread = (items, most) =>
  items.length <= most
    ? items
    : Array.from({ length: most }, (_, k) => items[Math.floor((k * items.length) / most)]);

/** A batch as rows: a sentence, its nearest ones, and others at even distances. */
export function batchAround(row, near, count, batchSize) {
  const size = Math.min(BATCH, batchSize, count);
  const batch = [row, ...near.filter((other) => other !== row)].slice(0, size);
  const others = [...Array(count).keys()].filter((other) => !batch.includes(other));
  return [...batch, ...spread(others, size - batch.length)];
}

const power = (exponent) =>
  `<msup><mi>e</mi><mrow><mn>${exponent.toPrecision(4)}</mn></mrow></msup>`;

/** The loss of a sentence with its numbers, as MathML. */
function formulaOf(own, others, count, loss) {
  const negatives = `<munder><munder><mrow>${power(others)}</mrow><mo>⏟</mo></munder><mrow><mtext>${count} in-batch negatives</mtext></mrow></munder>`;
  const fraction = `<mfrac><mrow>${power(own)}</mrow><mrow>${power(own)}<mo>+</mo>${negatives}</mrow></mfrac>`;
  return `<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><msub><mi>ℓ</mi><mn>1</mn></msub><mo>=</mo><mo>−</mo><mi>log</mi>${fraction}<mo>=</mo><mn>${loss.toPrecision(4)}</mn></mrow></math>`;
}

/**
 * The forces on the first sentence of a batch. `rows`: the batch; `first`, `second`: unit vectors
 * of its two views, B × width.
 */
export function forcesOn({ rows, texts, first, second, temperature, step }) {
  const size = rows.length;
  const width = first.length / size;
  const cosines = rows.map((_, j) => dot(first, 0, second, j, width));
  const scores = cosines.map((cosine) => cosine / temperature);
  const logSum = (values) => {
    const most = Math.max(...values);
    return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
  };
  const total = logSum(scores);
  const loss = total - scores[0];
  const pairs = rows.map((row, j) => {
    const weight = Math.exp(scores[j] - total);
    // by the score; a negative gradient pulls
    const gradient = (weight - (j ? 0 : 1)) / (temperature * size);
    // ∂cos/∂anchor of unit vectors has the length sin
    const norm = Math.abs(gradient) * Math.sqrt(Math.max(0, 1 - cosines[j] ** 2));
    const kind = j ? "in-batch negative" : "positive";
    return { row, kind, text: texts[j], score: cosines[j], pull: gradient > 0 ? -norm : norm };
  });
  const strongest = pairs.sort((a, b) => Math.abs(b.pull) - Math.abs(a.pull));
  const of = (sign) => strongest.filter(({ pull }) => sign * pull > 0).slice(0, SHOWN);
  return {
    row: rows[0],
    step,
    about: `in a batch of ${size} sentences of this cloud, at the weights after step ${step}`,
    loss,
    measure: "cosine",
    formula: ["", formulaOf(scores[0], logSum(scores.slice(1)), size - 1, loss)],
    pairs: [...of(1), ...of(-1)],
  };
}
