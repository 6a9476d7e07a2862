// The points and their moves. Everything is a function of the settings, the seed and the step
// number.

import * as losses from "./losses.js";

// maximum radians a point moves in a step, so that a large step size cannot throw it across the
// sphere
const FARTHEST = 0.15;

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
 * The meaning of each point. Neighbours in the list share one; half as many meanings as points give
 * the pairs 0-1, 2-3, ...
 */
function meaningsOf({ points, meanings }) {
  return Int32Array.from({ length: points }, (_, i) =>
    Math.floor((i * Math.min(meanings, points)) / points),
  );
}

/**
 * N points of D dimensions, `x`, as rows of unit length. `now` is the present batch, `found` its
 * loss and gradients, `move` the resulting move of each point.
 */
export class World {
  /** `given`: initial rows; if null, the seed draws them. */
  constructor(settings, given = null) {
    this.settings = { ...settings };
    this.given = given;
    this.reset();
  }

  /** Back to step 0. */
  reset() {
    const s = this.settings;
    this.D = s.shape === "circle" ? 2 : 3;
    this.N = s.points;
    const fits = this.given && this.given.length === this.N * this.D;
    this.x = fits ? Float64Array.from(this.given) : startPoints(s);
    this.meaning = meaningsOf(s);
    this.step = 0;
    this.mates = Array.from({ length: this.N }, () => []);
    for (let i = 0; i < this.N; i++) {
      for (let j = 0; j < this.N; j++)
        if (i !== j && this.meaning[i] === this.meaning[j]) this.mates[i].push(j);
    }
    this.evaluateBatch();
  }

  /** The number of meanings. */
  get colours() {
    return Math.min(this.settings.meanings, this.N);
  }
  /** The size of a batch. */
  get batch() {
    return Math.min(this.settings.batch_size, this.N);
  }
  /** The largest number of negatives of an anchor. */
  get negatives() {
    return Math.min(this.settings.negatives, this.batch - 1);
  }

  /**
   * The batch of the current step: anchors, positives with noise, and which candidates count as
   * whose negatives.
   */
  draw() {
    const s = this.settings;
    const { D, N } = this;
    const B = this.batch;
    const draw = random(s.seed, this.step);
    const order = Int32Array.from({ length: N }, (_, i) => i);
    const chosen = Math.min(s.chosen, N - 1);
    for (let i = 0; i < B; i++) {
      const j = i + Math.floor(draw() * (N - i));
      [order[i], order[j]] = [order[j], order[i]];
    }
    // the first B points of a shuffle
    const anchors = order.slice(0, B);
    // the page shows its forces, so it is in every batch
    if (!anchors.includes(chosen)) anchors[0] = chosen;
    const partners = anchors.map((a) => {
      const mates = this.mates[a];
      const pick = draw();
      // no partner: a noisy copy of itself
      return mates.length ? mates[Math.floor(pick * mates.length)] : a;
    });
    const z1 = new Float64Array(B * D);
    const z2 = new Float64Array(B * D);
    const spread = s.noise / Math.sqrt(D);
    for (let i = 0; i < B; i++) {
      for (let d = 0; d < D; d++) {
        z1[i * D + d] = this.x[anchors[i] * D + d];
        z2[i * D + d] = this.x[partners[i] * D + d] + spread * normal(draw);
      }
    }
    const allowed = new Uint8Array(B * B);
    // if true, candidates are the partners' views
    const views = s.objective === "infonce";
    let counted = 0;
    let wrong = 0;
    for (let i = 0; i < B; i++) {
      for (let k = 1; k <= this.negatives; k++) {
        const j = (i + k) % B;
        const same = this.meaning[anchors[i]] === this.meaning[anchors[j]];
        const kept = draw() < s.false_negatives;
        // a point never pushes itself
        if ((same && !kept) || (views && partners[j] === anchors[i])) continue;
        allowed[i * B + j] = 1;
        counted++;
        wrong += same ? 1 : 0;
      }
    }
    return { anchors, partners, z1, z2, allowed, counted, wrong, row: anchors.indexOf(chosen) };
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

  /**
   * Evaluate the current batch without moving points; arrows, formula and curves show the result.
   */
  evaluateBatch() {
    this.now = this.draw();
    this.found = this.evaluate(this.now);
    const { D, N } = this;
    const { anchors, partners } = this.now;
    const B = anchors.length;
    // negative gradient of the batch's summed loss, by point
    this.move = new Float64Array(N * D);
    this.chosenMove = {};
    const lengths = { pull: 0, push: 0 };
    const chosen = Math.min(this.settings.chosen, N - 1);
    for (const [name, both] of [
      ["pull", this.found.pulls],
      ["push", this.found.pushes],
    ]) {
      const own = new Float64Array(N * D);
      for (let i = 0; i < B; i++) {
        for (let d = 0; d < D; d++) {
          own[anchors[i] * D + d] -= B * both[0][i * D + d];
          own[partners[i] * D + d] -= B * both[1][i * D + d];
        }
      }
      for (let n = 0; n < N; n++) {
        let square = 0;
        for (let d = 0; d < D; d++) square += own[n * D + d] ** 2;
        lengths[name] += Math.sqrt(square) / N;
      }
      for (let k = 0; k < N * D; k++) this.move[k] += own[k];
      this.chosenMove[name] = Array.from(own.subarray(chosen * D, (chosen + 1) * D));
    }
    this.forces = this.forcesOnChosen();
    this.measured = {
      loss: this.found.loss,
      ...this.geometry(),
      pull: lengths.pull,
      push: lengths.push,
    };
  }

  /**
   * The points that pull and push the chosen point as an anchor: its partner, then the negatives,
   * strongest first.
   */
  forcesOnChosen() {
    const { anchors, partners, row, allowed } = this.now;
    const B = anchors.length;
    const { cosines, softmax } = this.found;
    let all = 0;
    for (let j = 0; softmax && j < B; j++) all += softmax[row * B + j];
    const share = (j) => (softmax && all > 0 ? softmax[row * B + j] / all : 0);
    // candidate j is the view of j's partner under InfoNCE, and j itself if uniformity is measured
    // within a view
    const who = (j) => (this.settings.objective === "infonce" ? partners[j] : anchors[j]);
    const kin = (j) => this.meaning[anchors[j]] === this.meaning[anchors[row]];
    // several views of one point push together
    const byPoint = new Map();
    for (let j = 0; softmax && this.settings.push > 0 && j < B; j++) {
      if (j === row || !allowed[row * B + j]) continue;
      const cosine = cosines[row * B + j];
      const known = byPoint.get(who(j));
      if (known) known.share += share(j);
      else
        byPoint.set(who(j), {
          point: who(j),
          kind: "push",
          wrong: kin(j),
          cosine,
          share: share(j),
        });
    }
    const pushers = [...byPoint.values()].sort((a, b) => b.share - a.share);
    // other objectives have no partner in the sum
    const own = this.settings.objective === "infonce" ? share(row) : null;
    const partner = {
      point: partners[row],
      kind: "pull",
      wrong: false,
      cosine: cosines[row * B + row],
      share: own,
    };
    return [...(this.settings.pull > 0 ? [partner] : []), ...pushers];
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

  /** Mean angles between points of equal and of different meaning; null if there are none. */
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
    const [same, other] = sums.map((sum, kind) => (counts[kind] ? sum / counts[kind] : null));
    return { same, other };
  }
}
