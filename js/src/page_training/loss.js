// The loss of SimCSE (Gao, Yao, Chen 2021, equation 1).

/** Rows of length 1. Like PyTorch's, a vector shorter than 1e-8 would have another length. */
export const unit = (x) => x.div(x.mul(x).sum().sqrt());

/**
 * Mean over the sentences of -log(exp(cos(z_i, z'_i) / τ) / Σ_j exp(cos(z_i, z'_j) / τ)).
 *
 * first, second  (B, D), unit rows of the two views
 * own            (B, B), the unit matrix, which picks each sentence's own second view
 */
export function simcse(first, second, own, temperature) {
  const scores = first.matmul(second.transpose(1, 0)).div(temperature); // (B, B)
  return scores
    .logSoftmax()
    .mul(own)
    .total()
    .mul(-1 / first.shape[0]);
}
