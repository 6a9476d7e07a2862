"""What of a lesson becomes a slide, and in which words."""

from __future__ import annotations

import re

from clwork import lab
from scripts.site.pictures import WHOLE
from scripts.site.slides import slides

FIGURE = '<img alt="{}" src="{}" class="clwork-light"/>'
PARTLY = FIGURE.format("Who leads?", "part") + WHOLE + FIGURE.format("Who leads?", "whole")
READ: dict[str, object] = {
    "cell_type": "markdown",
    "source": ["**The first of them leads by a point.**"],
}


def output(html: str, title: str = "") -> dict[str, object]:
    source = [f"#@title {title}\n"] if title else []
    return {"cell_type": "code", "source": source, "outputs": [{"data": {"text/html": [html]}}]}


def asked(outcome: str) -> dict[str, object]:
    return output(lab.predict("Which one?", ["this", "that"], outcome)._repr_html_())


def made(*cells: dict[str, object]) -> list[str]:
    """The slides of these cells, without that of the title."""
    opening = {"cell_type": "markdown", "source": ["# A lesson"]}
    page = slides({"cells": [opening, *cells]})
    return re.findall(r"<section.*?</section>", page, re.DOTALL)[1:]


def test_the_name_of_an_index_moves_to_the_row_of_the_columns() -> None:
    row = "<tr>\n<th>{}</th>\n<th>{}</th>\n</tr>"
    head = row.format("", "score") + row.format("seed", "")
    body = "<tr><th>1</th><td>-.5</td></tr>"
    (slide,) = made(output(f"<p>A note.</p><table>{head}{body}</table><p>-1</p>", "Scores"))
    assert slide.count("<tr>") == 2
    assert re.search(r"<th>seed</th>\s*<th>score</th>", slide)
    assert "<td>−.5</td>" in slide, "a minus sign in the place of the hyphen"
    assert "A note." not in slide, "a slide has the table only"


def test_a_table_of_few_numbers_is_one_of_words() -> None:
    words = "<tr><td>0.9</td><td>A fox.</td><td>A hound.</td></tr>"
    numbers = "<tr><td>0.9</td><td>-1</td><td>no</td></tr>"
    first, second = (made(output(f"<table>{row}</table>", "T"))[0] for row in (words, numbers))
    assert "class='table words'" in first
    assert "class='table'" in second


def test_sentences_of_an_outcome_that_are_about_cells_or_legends_are_left_out() -> None:
    for sentence in (
        "Run the next two cells.",
        "The figure below shows it, in 1.5 points:",
        "To see them, click *other words* in the legend of the figure.",
    ):
        (slide,) = made(asked(f"The first, by 1.5. {sentence} It leads in each run."))
        assert "<div><strong>The first, by 1.5.</strong> It leads in each run.</div>" in slide
        (slide,) = made(asked(sentence))
        assert "<strong>The next slides show it.</strong>" in slide
    for sentence in ("The figure shows it.", "The cells of the table push."):
        (slide,) = made(asked(f"The first. {sentence}"))
        assert sentence in slide


def test_a_figure_is_whole_after_its_question_only() -> None:
    question = asked("That one. To see it, click *that* in the legend of the figure.")
    before, between, after = made(output(PARTLY), question, READ)
    assert 'src="part"' in before
    assert 'src="whole"' not in before + between
    assert 'src="whole"' in after
    assert 'src="part"' not in after
    _, figure = made(question, output(PARTLY), READ)
    assert f"<div class='whole' hidden>{FIGURE.format('Who leads?', 'whole')}</div>" in figure
    assert "<details>" not in figure
    assert "The first of them leads by a point." in figure
    assert len(made(output(PARTLY))) == 2, "without a question, too, the whole figure is shown"


def test_a_live_part_is_on_a_slide_without_its_note() -> None:
    player = lab.player("simcse")._repr_html_().replace("srcdoc=", 'src="a.html" srcdoc=')
    player = re.sub(r' srcdoc="[^"]*"', "", player)
    (slide,) = made(output(f"<p>Open the notebook.</p>{player}", "A run"))
    assert "Open the notebook" not in slide
    assert 'src="a.html#slide"' in slide
    assert "<script" not in slide
