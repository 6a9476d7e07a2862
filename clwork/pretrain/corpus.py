"""From sentences to a WordPiece vocabulary and to packed, fixed-length rows of token ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import BertWordPieceTokenizer
from tokenizers import Tokenizer as FastTokenizer
from transformers import BertTokenizer

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNK, CLS, SEP, MASK = range(5)


def train_tokenizer(sentences: Sequence[str], vocab_size: int, max_length: int) -> BertTokenizer:
    """Learn a lower-casing WordPiece vocabulary.

    Args:
        sentences: the corpus.
        vocab_size: number of entries, the five special tokens included.
        max_length: longest input, in pieces, that the encoder will have positions for.
    """
    learner = BertWordPieceTokenizer(lowercase=True)
    learner.train_from_iterator(
        sentences, vocab_size=vocab_size, special_tokens=SPECIALS, show_progress=False, min_frequency=2
    )
    return BertTokenizer(
        tokenizer_object=FastTokenizer.from_str(learner.to_str()), do_lower_case=True, model_max_length=max_length
    )


@dataclass(frozen=True)
class Packed:
    """Whole sentences laid end to end in rows of equal length.

    Shapes: every array is ``(rows, T)``. ``segments`` numbers the sentences of a row from 1, 0 is padding;
    ``positions`` restarts at 0 with every sentence, so that a packed sentence sees what it would see alone.
    """

    ids: npt.NDArray[np.uint16]
    segments: npt.NDArray[np.uint8]
    positions: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def fill(self) -> float:
        """Share of positions that hold a token."""
        return float((self.segments > 0).mean())

    def save(self, path: Path) -> None:
        """Write the three arrays as one ``.npz`` file."""
        np.savez(path, ids=self.ids, segments=self.segments, positions=self.positions)

    @staticmethod
    def load(path: Path) -> Packed:
        """Read what :meth:`save` wrote; object arrays, which would need pickle, are refused by numpy."""
        with np.load(path, allow_pickle=False) as stored:
            return Packed(stored["ids"], stored["segments"], stored["positions"])


def encode_ids(tokenizer: BertTokenizer, sentences: Sequence[str], max_length: int) -> list[list[int]]:
    """Token ids of each sentence, ``[CLS]`` and ``[SEP]`` included, cut to ``max_length``."""
    batch = tokenizer(list(sentences), truncation=True, max_length=max_length, return_attention_mask=False)
    ids: list[list[int]] = batch["input_ids"]
    return ids


def pack(ids: Sequence[Sequence[int]], length: int, open_rows: int = 32) -> Packed:
    """First-fit packing: each sentence goes whole into the first of ``open_rows`` rows that has room for it."""
    rows: list[list[Sequence[int]]] = []
    room: list[tuple[int, int]] = []  # (free positions, row number) of the rows still open
    for sentence in ids:
        for k, (free, row) in enumerate(room):
            if len(sentence) <= free:
                rows[row].append(sentence)
                room[k] = (free - len(sentence), row)
                break
        else:
            rows.append([sentence])
            room.append((length - len(sentence), len(rows) - 1))
            if len(room) > open_rows:
                room.remove(min(room))  # close the fullest
    out = Packed(*(np.zeros((len(rows), length), kind) for kind in (np.uint16, np.uint8, np.uint8)))
    for r, row_sentences in enumerate(rows):
        at = 0
        for s, sentence in enumerate(row_sentences, start=1):
            end = at + len(sentence)
            out.ids[r, at:end], out.segments[r, at:end] = sentence, s
            out.positions[r, at:end] = np.arange(len(sentence))
            at = end
    return out
