"""From documents to a WordPiece vocabulary and to packed, fixed-length rows of token ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import BertWordPieceTokenizer
from tokenizers import Tokenizer as FastTokenizer
from transformers import BertTokenizer

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNK, CLS, SEP, MASK = range(5)
Ids = npt.NDArray[np.uint16]


def train_tokenizer(sentences: Iterable[str], vocab_size: int, max_length: int) -> BertTokenizer:
    """Learn a lower-casing WordPiece vocabulary."""
    learner = BertWordPieceTokenizer(lowercase=True)
    learner.train_from_iterator(
        iter(sentences),
        vocab_size=vocab_size,
        special_tokens=SPECIALS,
        show_progress=False,
        min_frequency=2,
    )
    return BertTokenizer(
        tokenizer_object=FastTokenizer.from_str(learner.to_str()),
        do_lower_case=True,
        model_max_length=max_length,
    )


@dataclass(frozen=True)
class Text:
    """A tokenised text without special tokens."""

    ids: Ids  # (pieces,)
    ends: npt.NDArray[np.int64]  # (sentences,), where each ends
    first: npt.NDArray[np.bool_]  # (sentences,), true where one begins a document


def encode_text(
    tokenizer: BertTokenizer, documents: Iterable[list[str]], at_once: int = 20_000
) -> Text:
    """Token ids of all documents, a few thousand of them in memory at a time."""
    backend = tokenizer.backend_tokenizer
    ids, lengths, first = [], [], []
    documents = iter(documents)
    while chunk := list(islice(documents, at_once)):
        sentences = [sentence for document in chunk for sentence in document]
        for start in range(0, len(sentences), at_once):
            part = sentences[start : start + at_once]
            encodings = backend.encode_batch_fast(part, add_special_tokens=False)
            pieces = [np.asarray(encoding.ids, dtype=np.uint16) for encoding in encodings]
            ids.append(np.concatenate(pieces))
            lengths += [len(sentence) for sentence in pieces]
        for document in chunk:
            first += [position == 0 for position in range(len(document))]
    return Text(np.concatenate(ids), np.cumsum(lengths), np.array(first))


def stretches(text: Text, limit: int) -> list[Ids]:
    """Inputs of at most ``limit`` pieces: neighbouring sentences between [CLS] and [SEP].

    The sentences of an input are whole and of one document.
    """
    begins = np.concatenate([[0], text.ends[:-1]])
    inputs: list[Ids] = []
    # Of the open stretch: where its pieces begin and end, and where it must end.
    start = 0
    end = 0
    limit_at = 0
    for begin, stop, first in zip(
        begins.tolist(), text.ends.tolist(), text.first.tolist(), strict=True
    ):
        if first or stop > limit_at:
            inputs.append(_with_specials(text.ids[start:end]))
            start, limit_at = begin, begin + limit - 2
        end = min(stop, limit_at)
    inputs.append(_with_specials(text.ids[start:end]))
    return [stretch for stretch in inputs if len(stretch) > 2]


def _with_specials(pieces: Ids) -> Ids:
    return np.concatenate([np.array([CLS], np.uint16), pieces, np.array([SEP], np.uint16)])


@dataclass(frozen=True)
class Packed:
    """Inputs laid end to end in rows of equal length; every array is ``(rows, T)``."""

    ids: Ids
    segments: npt.NDArray[np.uint8]  # numbers the inputs of a row from 1; 0 is padding
    positions: npt.NDArray[np.uint8]  # restarts at 0 with every input, as if the input were alone

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def fill(self) -> float:
        """Share of positions that hold a token."""
        return float((self.segments > 0).mean())

    def rows(self, start: int, stop: int) -> Packed:
        """Rows ``start`` to ``stop``."""
        return Packed(self.ids[start:stop], self.segments[start:stop], self.positions[start:stop])

    def save(self, path: Path) -> None:
        """Write the three arrays as one ``.npz`` file."""
        np.savez(path, ids=self.ids, segments=self.segments, positions=self.positions)

    @staticmethod
    def load(path: Path) -> Packed:
        """Read what :meth:`save` wrote; numpy refuses object arrays, which would need pickle."""
        with np.load(path, allow_pickle=False) as stored:
            return Packed(stored["ids"], stored["segments"], stored["positions"])


def pack(ids: Sequence[Sequence[int] | Ids], length: int, open_rows: int = 32) -> Packed:
    """First-fit packing: each input goes whole into the first open row with enough room."""
    rows: list[list[Sequence[int] | Ids]] = []
    # (free positions, row number) of the rows still open.
    open_list: list[tuple[int, int]] = []
    for sentence in ids:
        for k, (free, row) in enumerate(open_list):
            if len(sentence) <= free:
                rows[row].append(sentence)
                open_list[k] = (free - len(sentence), row)
                break
        else:
            rows.append([sentence])
            open_list.append((length - len(sentence), len(rows) - 1))
            if len(open_list) > open_rows:
                # Close the fullest.
                open_list.remove(min(open_list))
    packed = Packed(
        ids=np.zeros((len(rows), length), np.uint16),
        segments=np.zeros((len(rows), length), np.uint8),
        positions=np.zeros((len(rows), length), np.uint8),
    )
    for row, row_sentences in enumerate(rows):
        start = 0
        for number, sentence in enumerate(row_sentences, start=1):
            end = start + len(sentence)
            packed.ids[row, start:end] = sentence
            packed.segments[row, start:end] = number
            packed.positions[row, start:end] = np.arange(len(sentence))
            start = end
    return packed
