// The objectives and their gradients, derived by hand; arrays in, numbers out, no drawing. A batch
// is a Float64Array of B rows with D numbers each. Only the directions of rows matter, not their
// lengths. Row i of z1 is an anchor, row i of z2 its positive. tests/browser/test_sphere.py
// compares every result with torch.

/** Rows normalised to length 1, and their original lengths. */
export function unitRows(rows, D) {
  const unit = new Float64Array(rows.length);
  const lengths = new Float64Array(rows.length / D);
  for (let i = 0; i < lengths.length; i++) {
    let sum = 0;
    for (let d = 0; d < D; d++) sum += rows[i * D + d] ** 2;
    lengths[i] = Math.max(Math.sqrt(sum), 1e-12);
    for (let d = 0; d < D; d++) unit[i * D + d] = rows[i * D + d] / lengths[i];
  }
  return { unit, lengths };
}

/**
 * The gradient with respect to the rows, from the gradient with respect to unit rows: the component
 * along a row is removed.
 */
function throughUnit(gradient, { unit, lengths }, D) {
  for (let i = 0; i < lengths.length; i++) {
    let along = 0;
    for (let d = 0; d < D; d++) along += gradient[i * D + d] * unit[i * D + d];
    for (let d = 0; d < D; d++) {
      gradient[i * D + d] = (gradient[i * D + d] - along * unit[i * D + d]) / lengths[i];
    }
  }
  return gradient;
}

/** cos(row i of a, row j of b), B x B. */
export function cosines(a, b, D) {
  const A = a.length / D;
  const B = b.length / D;
  const all = new Float64Array(A * B);
  for (let i = 0; i < A; i++) {
    for (let j = 0; j < B; j++) {
      let sum = 0;
      for (let d = 0; d < D; d++) sum += a[i * D + d] * b[j * D + d];
      all[i * B + j] = sum;
    }
  }
  return all;
}

/** rows[i] += factor * from[j], for rows of D numbers. */
const add = (rows, i, factor, from, j, D) => {
  for (let d = 0; d < D; d++) rows[i * D + d] += factor * from[j * D + d];
};

/** Gradients of pull and push with respect to both views, still zero. */
const noGradients = (size) => {
  const zeros = () => [new Float64Array(size), new Float64Array(size)];
  return { pulls: zeros(), pushes: zeros() };
};

/** What every objective returns: loss, and gradients with respect to z1 and z2 from those of unit rows. */
function result(loss, { pulls, pushes }, views, D, more) {
  for (const gradients of [pulls, pushes])
    for (const view of [0, 1]) throughUnit(gradients[view], views[view], D);
  return { loss, pulls, pushes, ...more };
}

/**
 * InfoNCE (SimCSE, eq. 1), mean over anchors:  pull * (-s_ii / T)  +  push * log sum_j exp(s_ij / T).
 * With pull = push = 1 this is -log softmax. The sum runs over the positive and the negatives with allowed[i * B + j] = 1
 * (default: all other rows of z2). `softmax` is each candidate's share of the sum.
 */
export function infoNCE(z1, z2, D, { temperature, pull = 1, push = 1, allowed = null }) {
  const one = unitRows(z1, D);
  const two = unitRows(z2, D);
  const B = one.lengths.length;
  const s = cosines(one.unit, two.unit, D);
  const softmax = new Float64Array(B * B);
  const sums = new Float64Array(B);
  const gradients = noGradients(B * D);
  const { pulls, pushes } = gradients;
  let pulling = 0;
  let pushing = 0;
  for (let i = 0; i < B; i++) {
    let most = s[i * B + i];
    let sum = 0;
    for (let j = 0; j < B; j++)
      if (!allowed || allowed[i * B + j]) most = Math.max(most, s[i * B + j]);
    for (let j = 0; j < B; j++) {
      if (i !== j && allowed && !allowed[i * B + j]) continue;
      sum += softmax[i * B + j] = Math.exp((s[i * B + j] - most) / temperature);
    }
    // log-sum-exp: the largest term was factored out
    sums[i] = most / temperature + Math.log(sum);
    pulling += (pull * -s[i * B + i]) / temperature / B;
    pushing += (push * sums[i]) / B;
    const by = pull / temperature / B;
    add(pulls[0], i, -by, two.unit, i, D);
    add(pulls[1], i, -by, one.unit, i, D);
    for (let j = 0; j < B; j++) {
      // the page's hottest loop: no function calls
      softmax[i * B + j] /= sum;
      const share = softmax[i * B + j];
      const weight = (push * share) / temperature / B;
      if (share === 0) continue;
      for (let d = 0, a = i * D, b = j * D; d < D; d++, a++, b++) {
        pushes[0][a] += weight * two.unit[b];
        pushes[1][b] += weight * one.unit[a];
      }
    }
  }
  return result(pulling + pushing, gradients, [one, two], D, { cosines: s, softmax, sums });
}

/**
 * log of the mean over allowed (i, j) of exp(-t |u_i - u_j|^2); adds its gradient with respect to
 * unit rows to `gradient`.
 */
function uniformityOf(rows, D, allowed, t, factor, gradient) {
  const B = rows.lengths.length;
  const weights = new Float64Array(B * B);
  const u = rows.unit;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < B; i++) {
    for (let j = 0; j < B; j++) {
      if (i === j || (allowed && !allowed[i * B + j])) continue;
      let square = 0;
      for (let d = 0; d < D; d++) square += (u[i * D + d] - u[j * D + d]) ** 2;
      sum += weights[i * B + j] = Math.exp(-t * square);
      count++;
    }
  }
  if (count === 0) return { value: 0, weights };
  for (let i = 0; i < B; i++) {
    for (let j = 0; j < B; j++) {
      weights[i * B + j] /= sum;
      const share = weights[i * B + j];
      if (share === 0) continue;
      for (let d = 0; d < D; d++) {
        const slope = -2 * t * factor * share * (u[i * D + d] - u[j * D + d]);
        gradient[i * D + d] += slope;
        gradient[j * D + d] -= slope;
      }
    }
  }
  return { value: Math.log(sum / count), weights };
}

/**
 * Wang & Isola 2020:  pull * mean |u_i - v_i|^2  +  push * (uniformity of z1 + uniformity of z2) / 2,
 * each uniformity over the allowed pairs (default: all).
 */
export function alignmentUniformity(z1, z2, D, { pull = 1, push = 1, allowed = null, t = 2 }) {
  const one = unitRows(z1, D);
  const two = unitRows(z2, D);
  const B = one.lengths.length;
  const gradients = noGradients(B * D);
  const { pulls, pushes } = gradients;
  let apart = 0;
  for (let i = 0; i < B * D; i++) {
    const gap = one.unit[i] - two.unit[i];
    apart += gap ** 2 / B;
    pulls[0][i] = (2 * pull * gap) / B;
    pulls[1][i] = -pulls[0][i];
  }
  const first = uniformityOf(one, D, allowed, t, push / 2, pushes[0]);
  const second = uniformityOf(two, D, allowed, t, push / 2, pushes[1]);
  const even = (first.value + second.value) / 2;
  return result(pull * apart + push * even, gradients, [one, two], D, {
    cosines: cosines(one.unit, two.unit, D),
    softmax: first.weights,
    alignment: apart,
    uniformity: even,
  });
}

/**
 * Without negatives (SimSiam; GCLSR with one group):  -pull * (cos(P u, sg(v)) + cos(P v, sg(u))) / 2.
 * P is the predictor, a D x D matrix, here constant. Without stop-gradient the targets receive a gradient as well.
 */
export function withoutNegatives(z1, z2, D, { predictor, stopGradient = true, pull = 1 }) {
  const rows = [unitRows(z1, D), unitRows(z2, D)];
  const B = rows[0].lengths.length;
  const gradients = noGradients(B * D);
  const { pulls } = gradients;
  // for each anchor the mean cosine of its two predictions with their targets
  const agreement = new Float64Array(B);
  let loss = 0;
  for (const [own, other] of [
    [0, 1],
    [1, 0],
  ]) {
    const u = rows[own].unit;
    const v = rows[other].unit;
    const p = new Float64Array(B * D);
    for (let i = 0; i < B; i++) {
      for (let d = 0; d < D; d++)
        for (let e = 0; e < D; e++) p[i * D + d] += predictor[d * D + e] * u[i * D + e];
    }
    const predicted = unitRows(p, D);
    const byP = new Float64Array(B * D);
    const factor = -pull / 2 / B;
    for (let i = 0; i < B * D; i++) {
      loss += factor * predicted.unit[i] * v[i];
      agreement[Math.floor(i / D)] += (predicted.unit[i] * v[i]) / 2;
      byP[i] = factor * v[i];
      if (!stopGradient) pulls[other][i] += factor * predicted.unit[i];
    }
    throughUnit(byP, predicted, D);
    for (let i = 0; i < B; i++) {
      for (let d = 0; d < D; d++) {
        for (let e = 0; e < D; e++) pulls[own][i * D + e] += predictor[d * D + e] * byP[i * D + d];
      }
    }
  }
  return result(loss, gradients, rows, D, {
    cosines: cosines(rows[0].unit, rows[1].unit, D),
    agreement,
  });
}

/**
 * The predictor computed from a cloud (Tian, Chen & Ganguli 2021, "DirectPred"): the root of its second moment, with its
 * largest eigenvalue set to 1, plus a small multiple of the identity. SimSiam learns its predictor by gradient steps.
 */
export function directPredictor(u, D, extra = 0.1) {
  const moment = secondMoment(u, D);
  const { values, vectors } = eigen(moment, D);
  const P = new Float64Array(D * D);
  const most = Math.max(...values, 1e-12);
  for (let k = 0; k < D; k++) {
    const root = Math.sqrt(Math.max(values[k], 0) / most) + extra;
    for (let d = 0; d < D; d++)
      for (let e = 0; e < D; e++) P[d * D + e] += root * vectors[d * D + k] * vectors[e * D + k];
  }
  return P;
}

/** Mean of u uᵀ over rows, D x D. */
function secondMoment(u, D) {
  const N = u.length / D;
  const moment = new Float64Array(D * D);
  for (let i = 0; i < N; i++) {
    for (let d = 0; d < D; d++)
      for (let e = 0; e < D; e++) moment[d * D + e] += (u[i * D + d] * u[i * D + e]) / N;
  }
  return moment;
}

/** Rotate two entries of a matrix by an angle with this cosine and sine. */
function rotate(matrix, i, j, c, s) {
  const [first, second] = [matrix[i], matrix[j]];
  matrix[i] = c * first - s * second;
  matrix[j] = s * first + c * second;
}

/** Eigenvalues and eigenvectors (columns) of a small symmetric matrix, by Jacobi rotations. */
function eigen(matrix, D) {
  const a = Float64Array.from(matrix);
  const v = new Float64Array(D * D);
  for (let d = 0; d < D; d++) v[d * D + d] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    for (let p = 0; p < D; p++) {
      for (let q = p + 1; q < D; q++) {
        if (Math.abs(a[p * D + q]) < 1e-15) continue;
        const angle = 0.5 * Math.atan2(2 * a[p * D + q], a[q * D + q] - a[p * D + p]);
        const c = Math.cos(angle);
        const s = Math.sin(angle);
        for (let k = 0; k < D; k++) rotate(a, k * D + p, k * D + q, c, s);
        for (let k = 0; k < D; k++) {
          rotate(a, p * D + k, q * D + k, c, s);
          rotate(v, k * D + p, k * D + q, c, s);
        }
      }
    }
  }
  return { values: Array.from({ length: D }, (_, d) => a[d * D + d]), vectors: v };
}
