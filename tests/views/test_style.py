"""Colours and symbols of topics, in every picture."""

from __future__ import annotations

from clwork.views.style import DARK, PALETTE, SYMBOLS, colour, symbol


def test_eleven_topics_differ_in_colour_and_all_pairs_of_cues_are_unlike() -> None:
    assert len({colour(place) for place in range(11)}) == 11
    assert len({(colour(place), symbol(place)) for place in range(len(PALETTE) * len(SYMBOLS))}) == 77
    assert set(PALETTE) <= set(DARK) and len({DARK[shade] for shade in PALETTE}) == 11
