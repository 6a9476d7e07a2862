// BERT's forward pass over one sentence: plain loops over Float32Array, rows of tokens one after the other.

/** y (T × out) = x (T × in) · weightᵀ + bias, in tiles of four tokens and two outputs, so that a number is read once. */
function linear(x, count, { weight, bias }, width) {
  const out = bias.length;
  const full = 4 * Math.ceil(count / 4); // tokens beyond the last are zeros, and are left out below
  const rows = new Float32Array(full * width);
  rows.set(x);
  const y = new Float32Array(full * out);
  for (let t = 0; t < full; t += 4) {
    const a = t * width, b = a + width, c = b + width, d = c + width;
    for (let o = 0; o + 1 < out; o += 2) {
      const w = o * width, v = w + width;
      let a0 = bias[o], b0 = a0, c0 = a0, d0 = a0;
      let a1 = bias[o + 1], b1 = a1, c1 = a1, d1 = a1;
      for (let i = 0; i < width; i++) {
        const p = weight[w + i], q = weight[v + i];
        const xa = rows[a + i], xb = rows[b + i], xc = rows[c + i], xd = rows[d + i];
        a0 += p * xa; b0 += p * xb; c0 += p * xc; d0 += p * xd;
        a1 += q * xa; b1 += q * xb; c1 += q * xc; d1 += q * xd;
      }
      let at = t * out + o;
      y[at] = a0; y[at + 1] = a1; at += out;
      y[at] = b0; y[at + 1] = b1; at += out;
      y[at] = c0; y[at + 1] = c1; at += out;
      y[at] = d0; y[at + 1] = d1;
    }
  }
  return y.subarray(0, count * out);
}

/** Each row at mean 0 and variance 1, scaled and shifted; in place. */
function normalise(x, count, { weight, bias }, epsilon) {
  const width = weight.length;
  for (let t = 0; t < count; t++) {
    const row = x.subarray(t * width, (t + 1) * width);
    let mean = 0, square = 0;
    for (let i = 0; i < width; i++) mean += row[i];
    mean /= width;
    for (let i = 0; i < width; i++) square += (row[i] - mean) ** 2;
    const scale = 1 / Math.sqrt(square / width + epsilon);
    for (let i = 0; i < width; i++) row[i] = (row[i] - mean) * scale * weight[i] + bias[i];
  }
  return x;
}

/** x Φ(x), with the error function of Abramowitz and Stegun, formula 7.1.26 (error below 1.5e-7); in place. */
function gelu(x) {
  for (let i = 0; i < x.length; i++) {
    const z = Math.abs(x[i]) * Math.SQRT1_2;
    const t = 1 / (1 + 0.3275911 * z);
    const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-z * z);
    x[i] *= x[i] < 0 ? tail / 2 : 1 - tail / 2;
  }
  return x;
}

/** Attention of all heads: softmax(q·k / √d) over values, (T × width). */
function attend(q, k, v, count, width, heads) {
  const each = width / heads;
  const out = new Float32Array(count * width);
  const share = new Float32Array(count);
  for (let h = 0; h < heads; h++) {
    for (let t = 0; t < count; t++) {
      const at = t * width + h * each;
      let most = -Infinity, total = 0;
      for (let s = 0; s < count; s++) {
        let dot = 0;
        for (let i = 0; i < each; i++) dot += q[at + i] * k[s * width + h * each + i];
        share[s] = dot / Math.sqrt(each);
        if (share[s] > most) most = share[s];
      }
      for (let s = 0; s < count; s++) total += share[s] = Math.exp(share[s] - most);
      for (let s = 0; s < count; s++) {
        const part = share[s] / total;
        for (let i = 0; i < each; i++) out[at + i] += part * v[s * width + h * each + i];
      }
    }
  }
  return out;
}

function add(x, y) {
  for (let i = 0; i < x.length; i++) x[i] += y[i];
  return x;
}

/** Hidden states after the embeddings and after each layer, each (T × width). */
export function hiddenStates(numbers, weights, shape) {
  const { layers, heads, width, epsilon } = shape;
  const count = numbers.length;
  let x = new Float32Array(count * width);
  const [words, places, kinds] = ["word", "position", "token_type"].map((name) => weights.get(`${name}_embeddings`));
  for (let t = 0; t < count; t++) {
    for (let i = 0; i < width; i++) x[t * width + i] = words[numbers[t] * width + i] + places[t * width + i] + kinds[i];
  }
  const part = (name) => ({ weight: weights.get(`${name}.weight`), bias: weights.get(`${name}.bias`) });
  normalise(x, count, part("norm"), epsilon);
  const states = [x];
  for (let layer = 0; layer < layers; layer++) {
    const [q, k, v] = ["query", "key", "value"].map((name) => linear(x, count, part(`${layer}.${name}`), width));
    const seen = linear(attend(q, k, v, count, width, heads), count, part(`${layer}.out`), width);
    const middle = normalise(add(seen, x), count, part(`${layer}.norm1`), epsilon);
    const inner = gelu(linear(middle, count, part(`${layer}.up`), width));
    const after = linear(inner, count, part(`${layer}.down`), shape.inner);
    x = normalise(add(after, middle), count, part(`${layer}.norm2`), epsilon);
    states.push(x);
  }
  return states;
}

/** A sentence's vector at length 1: [CLS], or the mean over tokens of the mean of the first layer and the last. */
export function pooled(states, pooling, { width, first }) {
  const last = states.at(-1);
  const out = new Float32Array(width);
  if (pooling === "first_last") for (let i = 0; i < last.length; i++) out[i % width] += last[i] + states[first][i];
  else out.set(last.subarray(0, width));
  let square = 0;
  for (const value of out) square += value * value;
  const scale = 1 / (Math.sqrt(square) || 1);
  return out.map((value) => value * scale);
}
