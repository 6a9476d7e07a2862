"""What a vocabulary cannot read is told, by pieces and by words."""

from __future__ import annotations

from pathlib import Path

from clwork.encoders import load_encoder, readings, textcnn


def test_pieces_that_are_unknown_are_counted_and_shown(bert_folder: Path) -> None:
    encoder = load_encoder(bert_folder)
    plain, strange, nothing = readings(encoder, ["The cat sat.", "the 猫 sat on 猫 ☃", ""])
    assert (plain.pieces, plain.unknown, plain.share) == (4, 0, 0.0)
    assert strange.unknown == 3 and strange.pieces == 6 and strange.share == 0.5 and strange.words == ("猫", "☃")
    assert (nothing.pieces, nothing.share) == (0, 1.0)


def test_words_without_a_vector_are_unknown_to_word_vectors() -> None:
    known, strange, marks = readings(textcnn(), ["The cat sleeps.", "A qwrtzpl cat; qwrtzpl!", "42 ☃"])
    assert known.unknown == 0 and known.pieces == 3
    assert strange.words == ("qwrtzpl",) and strange.unknown == 2 and strange.pieces == 4
    assert marks.share == 1.0
