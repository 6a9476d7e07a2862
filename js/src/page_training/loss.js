// The loss of SimCSE (Gao, Yao, Chen 2021, equation 1).

/** Rows of length 1. Like PyTorch's, a vector shorter than 1e-8 would have another length. */
export const unit = (x) => x.div(x.mul(x).sum().sqrt());

/**
 * Mean over the sentences of -log(exp(cos(z_i, z'_i) / τ) / Σ_j exp(cos(z_i, z'_j) / τ)).
 *
 * z  (2B, D), unit rows: the first views of all sentences, then the second ones
 */
export function simcse(z, temperature) {
  const count = z.shape[0] / 2;
  const first = z.rows(0, count);
  const second = z.rows(count, 2 * count);
  const own = first.mul(second).sum().div(temperature); // (B, 1)
  const scores = first.matmul(second.transpose(1, 0)).div(temperature); // (B, B)
  return scores
    .logSumExp()
    .sub(own)
    .total()
    .mul(1 / count);
}
