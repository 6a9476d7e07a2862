"""A warm start for the token embeddings: singular vectors of the corpus's word co-occurrences."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.utils.extmath import randomized_svd

from .corpus import MASK, Packed

Array = npt.NDArray[np.float64]


def cooccurrence(packed: Packed, vocab_size: int, window: int = 5) -> Array:
    """Symmetric counts of pieces at most ``window`` apart within one sentence. Shape ``(V, V)``."""
    ids = packed.ids.astype(np.int64)
    counts = np.zeros(vocab_size * vocab_size)
    for offset in range(1, window + 1):
        left, right = ids[:, :-offset], ids[:, offset:]
        same = packed.segments[:, :-offset] == packed.segments[:, offset:]
        words = (left > MASK) & (right > MASK) & same
        pairs = left[words] * vocab_size + right[words]
        counts += np.bincount(pairs, minlength=vocab_size * vocab_size) / offset
    square = counts.reshape(vocab_size, vocab_size)
    return square + square.T


def ppmi_svd(
    packed: Packed, vocab_size: int, dim: int, std: float, seed: int
) -> npt.NDArray[np.float32]:
    """Token embeddings from a truncated SVD of positive pointwise mutual information.

    ``PPMI(a, b) = max(0, log P(a, b) / (P(a) P(b)^0.75))``, embedding ``U sqrt(S)``, each dimension
    centred and the whole scaled to standard deviation ``std``; pieces never seen get a normal draw.
    Levy & Goldberg (2014).

    Shapes: returns ``(V, dim)``.
    """
    counts = cooccurrence(packed, vocab_size)
    row = counts.sum(1)
    smooth = counts.sum(0) ** 0.75
    a, b = np.nonzero(counts)
    pmi = np.log(counts[a, b] / row[a] * smooth.sum() / smooth[b])
    keep = pmi > 0
    ppmi = csr_matrix((pmi[keep], (a[keep], b[keep])), shape=counts.shape)
    u, s, _ = randomized_svd(ppmi, n_components=dim, n_iter=4, random_state=seed)
    table = u * np.sqrt(s)
    seen = row > 0
    table[seen] -= table[seen].mean(0)
    table[seen] /= table[seen].std()
    table[~seen] = np.random.default_rng(seed).standard_normal((int((~seen).sum()), dim))
    return np.asarray(table * std, dtype=np.float32)


def log_frequencies(packed: Packed, vocab_size: int) -> npt.NDArray[np.float32]:
    """Natural log of each piece's share of the corpus, add-one smoothed. Shape ``(V,)``.

    The output bias starts from it.
    """
    pieces = packed.ids[packed.segments > 0].astype(np.int64)
    counts = np.bincount(pieces, minlength=vocab_size) + 1.0
    counts[: MASK + 1] = 1.0
    return np.asarray(np.log(counts / counts.sum()), dtype=np.float32)
