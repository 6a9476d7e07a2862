"""The tokenizer and the frozen word embedding of a TextCNN."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from ...data.vectors import GLOVE, KINDS, WordVectors, word_vectors
from ..backbones import read_transformer
from ..disk.files import Source, inside

MINI = "mini"
BUCKETS = 8192  # vectors for words outside the table
UNKNOWN_RANGE = 0.1  # uniform in ±0.1, as in GCLSR's released code
WORD = re.compile(r"[^\W\d_]+")


def split_words(text: str) -> list[str]:
    """Split into runs of letters, in lower case; digits and marks only separate (GCLSR §4.1 and the released code).

    >>> split_words("The U.S. didn't re-open 42 cafés.")
    ['the', 'u', 's', 'didn', 't', 're', 'open', 'cafés']
    """
    return WORD.findall(text.lower())


class WordTokenizer:
    """Tokenizer of words: ids are row numbers, no special tokens, one piece a word.

    A word without a row gets the constant id ``V + hash mod 8192``, so that equal sentences have equal vectors.
    (GCLSR's released code draws a new vector each time: C12.)
    """

    pad_token_id = 0  # the mask alone marks padding
    cls_token_id = None
    model_max_length = 512

    def __init__(self, vectors: WordVectors) -> None:
        self._rows, self._known, self._words = vectors.rows, len(vectors.words), vectors.words

    def knows(self, word: str) -> bool:
        """Whether the word has a row; other words share randomly drawn vectors of buckets."""
        return word in self._rows

    def id_of(self, word: str) -> int:
        """Return a word's row, or its bucket's number beyond the rows."""
        row = self._rows.get(word)
        if row is not None:
            return row
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return self._known + int.from_bytes(digest, "little") % BUCKETS

    def __call__(self, text: str, **_: object) -> dict[str, list[int]]:
        """Tokenize a text; without letters it has no ids."""
        return {"input_ids": [self.id_of(word) for word in split_words(text)]}

    def get_special_tokens_mask(self, ids: list[int], already_has_special_tokens: bool = True) -> list[int]:
        """No token is special."""
        return [0] * len(ids)

    def state(self) -> bytes:
        """Serialize the words in the order of their rows, which define the tokenizer."""
        return "\n".join(self._words).encode("utf-8", "surrogatepass")

    def save_pretrained(self, folder: str | Path) -> None:
        """No-op: the rule is code, and the words belong to the vectors, which are found by name."""

    def __deepcopy__(self, memo: dict[int, object]) -> WordTokenizer:
        return self  # immutable


class FrozenVectors(nn.Module):
    """A constant embedding, never trained, saved or copied; source and fingerprint identify it.

    Shapes: ``(B, T)`` int64 ids to ``(B, T, d)``.
    """

    def __init__(self, vectors: WordVectors) -> None:
        super().__init__()
        self.known = vectors
        self.register_buffer("table", torch.from_numpy(vectors.table), persistent=False)
        drawn = torch.rand(BUCKETS, vectors.dim, generator=torch.Generator().manual_seed(0))
        self.register_buffer("unknown", UNKNOWN_RANGE * (2 * drawn - 1), persistent=False)

    table: Tensor
    unknown: Tensor

    @property
    def embedding_dim(self) -> int:
        """Width of the vectors."""
        return self.known.dim

    def forward(self, ids: Tensor, generator: torch.Generator | None = None) -> Tensor:
        """Look the ids up; those beyond the table are buckets of unknown words.

        With a ``generator``, on the table's device, each occurrence of an unknown word has a vector drawn anew (C12).
        """
        rows = len(self.table)
        known = self.table[ids.clamp_max(rows - 1)]  # (B, T, d)
        if generator is None:
            unknown = self.unknown[(ids - rows).clamp_min(0)]
        else:
            unknown = UNKNOWN_RANGE * (2 * torch.rand(known.shape, generator=generator, device=known.device) - 1)
        return torch.where((ids < rows)[..., None], known, unknown)

    def __deepcopy__(self, memo: dict[int, object]) -> FrozenVectors:
        copy = FrozenVectors.__new__(FrozenVectors)
        nn.Module.__init__(copy)
        copy.known = self.known
        for name, constant in self.named_buffers():
            copy.register_buffer(name, constant, persistent=False)
        return copy


def find_vectors(source: str) -> tuple[FrozenVectors, Any]:
    """Return the vectors that ``source`` names, and their tokenizer.

    ``"mini"`` is the mini encoder's own token embeddings, with its word pieces for words and without [CLS] and [SEP];
    anything else is what :func:`clwork.data.word_vectors` reads.
    """
    if source == MINI:
        return _of_mini()
    vectors = word_vectors(source)
    return FrozenVectors(vectors), WordTokenizer(vectors)


def vectors_for(folder: Path, source: str, fingerprint: str) -> tuple[FrozenVectors, Any]:
    """Return the vectors that a saved TextCNN names: a file of that name in its folder, else at their former place.

    Raises:
        FileNotFoundError: there are none.
        ValueError: no vectors, or not those of the fingerprint. The message does not quote the file, whose name comes
            from an untrusted folder.
    """
    beside = inside(folder, Path(source).name) if Path(source).suffix in KINDS else None
    place = source if beside is None else str(beside)
    try:
        if "\0" in source or (source not in (MINI, GLOVE) and Path(source).suffix not in KINDS):
            raise ValueError
        table, tokenizer = find_vectors(place)
    except ValueError:
        raise ValueError(
            f"{place!r:.200}, which the encoder in {folder} names as its word vectors, holds none; put the file that "
            "it was trained on into the folder"
        ) from None
    if table.known.fingerprint() != fingerprint:
        raise ValueError(
            f"the encoder in {folder} was trained on other word vectors than {source} now holds (the fingerprint "
            f"differs); put the file {Path(source).name} that it was trained on into the folder"
        )
    return table, tokenizer


def _of_mini() -> tuple[FrozenVectors, Any]:
    from tokenizers import processors
    from transformers import AutoTokenizer

    backbone: Any = read_transformer(Source(MINI)).backbone
    tokenizer: Any = AutoTokenizer.from_pretrained(str(Path(__file__).parents[1] / MINI), local_files_only=True)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing("$A", None, [])
    table = backbone.get_input_embeddings().weight.detach().numpy()
    words = tuple(tokenizer.convert_ids_to_tokens(range(len(table))))
    return FrozenVectors(WordVectors(words, table, MINI)), tokenizer
