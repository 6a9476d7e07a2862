// The encoder: BERT without its pooler, from embeddings to the vector of [CLS].
//
// Shapes: B rows of T pieces, width D, H heads of width d. Weights have the names of the file.

const layerName = (layer) => `bert.encoder.layer.${layer}`;

/** x Wᵀ + b: (…, inputs) to (…, outputs). */
function linear(x, weights, name) {
  const weight = weights[`${name}.weight`];
  return x.matmul(weight.transpose(1, 0)).add(weights[`${name}.bias`]);
}

function layerNorm(x, weights, name, epsilon) {
  const centred = x.sub(x.mean());
  const deviation = centred.mul(centred).mean().add(epsilon).sqrt();
  return centred.div(deviation).mul(weights[`${name}.weight`]).add(weights[`${name}.bias`]);
}

/** Dropout: `mask` has 0 where a number is dropped, else 1 / (1 - rate). */
const drop = (x, mask) => (mask ? x.mul(mask) : x);

/** (B, T, D) to (B, H, T, d). */
function splitHeads(x, heads) {
  const [rows, pieces, width] = x.shape;
  return x.reshape(rows, pieces, heads, width / heads).transpose(0, 2, 1, 3);
}

/**
 * One layer. Queries are those of the first `queries` positions: all T, or 1 in the last layer, of
 * which only [CLS] is read.
 */
function layer(x, padding, weights, masks, name, queries, config) {
  const [rows, pieces, width] = x.shape;
  const heads = config.num_attention_heads;
  const asking = queries < pieces ? x.columns(0, queries) : x; // (B, Q, D)
  const query = splitHeads(linear(asking, weights, `${name}.attention.self.query`), heads);
  const key = splitHeads(linear(x, weights, `${name}.attention.self.key`), heads);
  const value = splitHeads(linear(x, weights, `${name}.attention.self.value`), heads);

  const scale = 1 / Math.sqrt(width / heads);
  const scores = query
    .matmul(key.transpose(0, 1, 3, 2))
    .mul(scale)
    .add(padding); // (B, H, Q, T)
  const shares = drop(scores.softmax(), masks.attention);
  // By broadcasting, so that the result is in the order (B, Q, H, d): jax-js computes the product of
  // a transposed array 30 times slower.
  const ofHeads = shares.transpose(0, 2, 1, 3).reshape(rows, queries, heads, 1, pieces);
  const joined = ofHeads.matmul(value.reshape(rows, 1, heads, pieces, width / heads));

  const mixed = linear(
    joined.reshape(rows, queries, width),
    weights,
    `${name}.attention.output.dense`,
  );
  const attended = drop(mixed, masks.attended);
  const epsilon = config.layer_norm_eps;
  const middle = layerNorm(
    asking.add(attended),
    weights,
    `${name}.attention.output.LayerNorm`,
    epsilon,
  );
  const wide = linear(middle, weights, `${name}.intermediate.dense`).gelu();
  const fed = drop(linear(wide, weights, `${name}.output.dense`), masks.fed);
  return layerNorm(middle.add(fed), weights, `${name}.output.LayerNorm`, epsilon);
}

/**
 * Vectors of [CLS], (B, D).
 *
 * pieces   (B, T, D)     embeddings of the pieces
 * padding  (B, 1, 1, T)  0 at pieces, a large negative number at padding
 * masks    those of `makeMasks`; null without dropout
 */
export function encode(weights, pieces, padding, masks, config) {
  const count = config.num_hidden_layers;
  const tables = ["position", "token_type"].map(
    (name) => weights[`bert.embeddings.${name}_embeddings.weight`],
  );
  const embedded = pieces.add(tables[0].rows(0, pieces.shape[1])).add(tables[1].rows(0, 1));
  let x = layerNorm(embedded, weights, "bert.embeddings.LayerNorm", config.layer_norm_eps);
  x = drop(x, masks?.embedded);
  for (let number = 0; number < count; number++) {
    const queries = number === count - 1 ? 1 : x.shape[1];
    x = layer(x, padding, weights, masks?.layers[number] ?? {}, layerName(number), queries, config);
  }
  return x.reshape(x.shape[0], x.shape[2]);
}

/** SimCSE's head, which is used in training only. */
export const project = (x, weights) => linear(x, weights, "head.dense").tanh();

/** The dropout masks of a batch; `draw(kind, ...shape)` is called for each of them, in this order. */
export function makeMasks(rows, pieces, config, draw) {
  const { hidden_size: width, num_attention_heads: heads, num_hidden_layers: count } = config;
  const embedded = draw("hidden", rows, pieces, width);
  const layers = Array.from({ length: count }, (_, number) => {
    const queries = number === count - 1 ? 1 : pieces;
    return {
      attention: draw("attention", rows, heads, queries, pieces),
      attended: draw("hidden", rows, queries, width),
      fed: draw("hidden", rows, queries, width),
    };
  });
  return { embedded, layers };
}
