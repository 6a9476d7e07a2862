"""The diagrams of the methods."""

from __future__ import annotations

import pytest

from clwork import methods, views
from clwork.views.lessons.diagrams import DIAGRAMS, HALF, LOOKS


def test_every_paper_has_one() -> None:
    assert set(DIAGRAMS) == set(methods.names())
    with pytest.raises(ValueError, match="simcse"):
        views.method_diagram("simcsse")


@pytest.mark.parametrize("name", DIAGRAMS)
def test_lines_join_boxes_that_lie_apart(name: str) -> None:
    boxes, lines, _ = DIAGRAMS[name]
    pairs = [pair.split() for joined in lines.values() for pair in joined.split(", ")]
    assert set(lines) <= set(LOOKS) and "pull" in lines
    assert {end for pair in pairs for end in pair} == set(boxes)
    for one in boxes:
        for other in boxes:
            apart = abs(boxes[one].x - boxes[other].x) > 2 * HALF[0] or abs(boxes[one].y - boxes[other].y) > 2 * HALF[1]
            assert one == other or apart, f"{one} lies on {other}"


@pytest.mark.parametrize("name", DIAGRAMS)
def test_its_picture_has_all_words_and_strokes(name: str) -> None:
    svg = views.to_svg(views.method_diagram(name))
    boxes, lines, says = DIAGRAMS[name]
    assert says.split(".")[0].split(",")[0][:12] in svg and svg.count("<text") >= len(boxes)
    assert svg.count("stroke-dasharray") >= sum(box.kind == "frozen" for box in boxes.values())
    assert ("push" in lines) == (name != "gclsr")
