// The points and their moves. Everything is a function of the settings, the seed and the step
// number.

import * as losses from "./losses.js";

// maximum radians a point moves in a step, so that a large step size cannot throw it across the
// sphere
const FARTHEST = 0.15;
// below this a measured value is a rounding error
const LEAST = 1e-9;

/** A generator of numbers in [0, 1), seeded by seed and step (mulberry32). */
function random(seed, step) {
  let a = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(step + 1, 0xc2b2ae35)) >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A standard normal number, from two uniform ones. */
const normal = (draw) => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

/** The points at step 0 as unit rows: random, or in a cone around the last axis. */
function startPoints({ shape, points, start, seed }) {
  const D = shape === "circle" ? 2 : 3;
  const draw = random(seed, -1);
  const rows = new Float64Array(points * D);
  for (let i = 0; i < points; i++) {
    for (let d = 0; d < D; d++) rows[i * D + d] = normal(draw);
    if (start === "cone") rows[i * D + D - 1] = 2.2 + 0.6 * rows[i * D + D - 1];
  }
  return losses.unitRows(rows, D).unit;
}

/**
 * N points of D dimensions, `x`, as rows of unit length. `now` is the present batch, `found` its
 * loss and gradients, `move` the resulting move of each point.
 */
export class World {
  /** `given`: initial rows; if null, or if there are more or fewer points, the seed draws them. */
  constructor(settings, given = null) {
    const { points, meanings } = settings;
    this.settings = { ...settings, chosen: Math.min(settings.chosen, points - 1) };
    this.D = settings.shape === "circle" ? 2 : 3;
    this.N = points;
    this.given = given?.length === this.N * this.D ? given : null;
    this.x = this.given ? Float64Array.from(this.given) : startPoints(settings);
    this.step = 0;
    this.colours = Math.min(meanings, points);
    // Neighbours in the list share a meaning; half as many as points give the pairs 0-1, 2-3, ...
    const indices = Array.from({ length: points }, (_, i) => i);
    this.meaning = indices.map((i) => Math.floor((i * this.colours) / points));
    this.mates = indices.map((i) =>
      indices.filter((j) => j !== i && this.meaning[j] === this.meaning[i]),
    );
    this.evaluateBatch();
  }

  /** The coordinates of a point. */
  row(i) {
    return Array.from(this.x.subarray(i * this.D, (i + 1) * this.D));
  }

  /** The size of a batch. */
  get batch() {
    return Math.min(this.settings.batch_size, this.N);
  }

  /**
   * The batch of the current step: anchors, positives with noise, and which candidates count as
   * whose negatives.
   */
  draw() {
    const s = this.settings;
    const { D, N, x } = this;
    const B = this.batch;
    const draw = random(s.seed, this.step);
    const order = Int32Array.from({ length: N }, (_, i) => i);
    for (let i = 0; i < B; i++) {
      const j = i + Math.floor(draw() * (N - i));
      [order[i], order[j]] = [order[j], order[i]];
    }
    // the first B points of a shuffle
    const anchors = order.slice(0, B);
    // the page shows its forces, so it is in every batch
    if (!anchors.includes(s.chosen)) anchors[0] = s.chosen;
    const partners = anchors.map((anchor) => {
      const mates = this.mates[anchor];
      const pick = draw();
      // no partner: a noisy copy of itself
      return mates.length ? mates[Math.floor(pick * mates.length)] : anchor;
    });
    const z1 = new Float64Array(B * D);
    const z2 = new Float64Array(B * D);
    const spread = s.noise / Math.sqrt(D);
    for (let i = 0; i < B; i++) {
      for (let d = 0; d < D; d++) {
        z1[i * D + d] = x[anchors[i] * D + d];
        z2[i * D + d] = x[partners[i] * D + d] + spread * normal(draw);
      }
    }
    const allowed = new Uint8Array(B * B);
    // under InfoNCE, candidates are the partners' views
    const views = s.objective === "infonce";
    for (let i = 0; i < B; i++) {
      for (let k = 1; k <= Math.min(s.negatives, B - 1); k++) {
        const j = (i + k) % B;
        const isFalse = this.meaning[anchors[i]] === this.meaning[anchors[j]];
        const isKept = draw() < s.false_negatives;
        const isItself = views && partners[j] === anchors[i];
        if ((!isFalse || isKept) && !isItself) allowed[i * B + j] = 1;
      }
    }
    return { anchors, partners, z1, z2, allowed, row: anchors.indexOf(s.chosen) };
  }

  /** Loss and gradients of a batch for the chosen objective. */
  evaluate(batch) {
    const s = this.settings;
    const { D } = this;
    const { z1, z2, allowed } = batch;
    const { pull, push, temperature } = s;
    if (s.objective === "infonce")
      return losses.infoNCE(z1, z2, D, { temperature, pull, push, allowed });
    if (s.objective === "alignment-uniformity") {
      return losses.alignmentUniformity(z1, z2, D, { pull, push, allowed });
    }
    const predictor = losses.directPredictor(this.x, D);
    const stopGradient = s.objective === "no-negatives";
    return losses.withoutNegatives(z1, z2, D, { predictor, stopGradient, pull });
  }

  /** Evaluate the current batch without moving points; the page shows the result. */
  evaluateBatch() {
    this.now = this.draw();
    this.found = this.evaluate(this.now);
    const { D, N, found } = this;
    const { anchors, partners } = this.now;
    const B = anchors.length;
    // negative gradient of the batch's summed loss, by point
    this.move = new Float64Array(N * D);
    this.chosenMove = {};
    for (const [name, [onAnchors, onPartners]] of [
      ["pull", found.pulls],
      ["push", found.pushes],
    ]) {
      const part = new Float64Array(N * D);
      for (let i = 0; i < B; i++) {
        for (let d = 0; d < D; d++) {
          part[anchors[i] * D + d] -= B * onAnchors[i * D + d];
          part[partners[i] * D + d] -= B * onPartners[i * D + d];
        }
      }
      for (let k = 0; k < N * D; k++) this.move[k] += part[k];
      const first = this.settings.chosen * D;
      this.chosenMove[name] = Array.from(part.subarray(first, first + D));
    }
    this.forces = this.forcesOnChosen();
    this.measured = { loss: found.loss, ...this.geometry() };
    for (const [name, value] of Object.entries(this.measured))
      if (Math.abs(value) < LEAST) this.measured[name] = 0;
  }

  /** What pulls and pushes the chosen point as an anchor: its partner, then the negatives, strongest first. */
  forcesOnChosen() {
    const { anchors, partners, row, allowed } = this.now;
    const { pull, push, objective, chosen } = this.settings;
    const B = anchors.length;
    const cosines = this.found.cosines.subarray(row * B, (row + 1) * B);
    const weights = this.found.softmax?.subarray(row * B, (row + 1) * B);
    const total = weights?.reduce((sum, weight) => sum + weight, 0) || 1;
    const shares = weights?.map((weight) => weight / total);
    const isInfoNCE = objective === "infonce";
    // several views of one point push together
    const pushers = new Map();
    for (let j = 0; shares && push > 0 && j < B; j++) {
      if (j === row || !allowed[row * B + j]) continue;
      // candidate j is the view of j's partner under InfoNCE, else j itself
      const point = isInfoNCE ? partners[j] : anchors[j];
      let role = this.meaning[point] === this.meaning[chosen] ? "false neg." : "negative";
      if (point === partners[row]) role = "second view";
      const force = pushers.get(point) ?? {
        point,
        kind: "push",
        role,
        cosine: -1,
        share: 0,
        times: 0,
      };
      // several rows of the batch may be views of one point: the nearest one's cosine is shown
      force.cosine = Math.max(force.cosine, cosines[j]);
      force.share += shares[j];
      force.times += 1;
      pushers.set(point, force);
    }
    const sorted = [...pushers.values()].sort((a, b) => b.share - a.share);
    if (pull === 0) return sorted;
    // other objectives have no partner in the sum
    const share = isInfoNCE ? shares[row] : null;
    const cosine = cosines[row];
    return [{ point: partners[row], kind: "pull", role: "partner", cosine, share }, ...sorted];
  }

  /** Move all points along the negative gradient on the sphere. */
  advance() {
    const { D, N, x, move } = this;
    const rate = this.settings.step_size;
    for (let n = 0; n < N; n++) {
      // the part of the move along the point's own direction would only change its length
      let along = 0;
      let length = 0;
      for (let d = 0; d < D; d++) along += move[n * D + d] * x[n * D + d];
      for (let d = 0; d < D; d++) length += (rate * (move[n * D + d] - along * x[n * D + d])) ** 2;
      const scale = rate * Math.min(1, FARTHEST / Math.max(Math.sqrt(length), 1e-12));
      for (let d = 0; d < D; d++) x[n * D + d] += scale * (move[n * D + d] - along * x[n * D + d]);
    }
    this.x = losses.unitRows(x, D).unit;
    this.step++;
    this.evaluateBatch();
  }

  /** Measurements over all points without noise; partners are points of one meaning. */
  geometry() {
    const { D, N, x, meaning } = this;
    let apart = 0;
    let pairs = 0;
    let near = 0;
    for (let i = 0; i < N; i++) {
      for (let j = i + 1; j < N; j++) {
        let square = 0;
        for (let d = 0, a = i * D, b = j * D; d < D; d++, a++, b++) square += (x[a] - x[b]) ** 2;
        near += Math.exp(-2 * square);
        if (meaning[i] !== meaning[j]) continue;
        apart += square;
        pairs++;
      }
    }
    return {
      alignment: pairs ? apart / pairs : 0,
      uniformity: Math.log(near / ((N * (N - 1)) / 2)),
    };
  }

  /** Mean angles between points of equal and of different meaning; NaN if there are none. */
  angles() {
    const { D, N, x, meaning } = this;
    const sums = [0, 0];
    const counts = [0, 0];
    for (let i = 0; i < N; i++) {
      for (let j = i + 1; j < N; j++) {
        let cosine = 0;
        for (let d = 0; d < D; d++) cosine += x[i * D + d] * x[j * D + d];
        const kind = meaning[i] === meaning[j] ? 0 : 1;
        sums[kind] += Math.acos(Math.min(1, Math.max(-1, cosine)));
        counts[kind]++;
      }
    }
    return { same: sums[0] / counts[0], other: sums[1] / counts[1] };
  }
}
