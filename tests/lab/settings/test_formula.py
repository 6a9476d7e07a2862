"""Every method's formula reaches the page as MathML, with the symbols that its controls set."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from clwork import methods
from clwork.lab.page.mathml import mathml
from clwork.lab.settings.formula import marked
from clwork.lab.settings.inputs import Inputs


@pytest.mark.parametrize("name", methods.names())
def test_every_symbol_of_one_letter_is_marked_in_the_formula(name: str) -> None:
    about = Inputs(name).about()["method"]
    tree = ElementTree.fromstring(about["formula"])
    assert tree.get("display") == "block" and len(list(tree.iter())) > 20, "it was converted, not quoted"
    fields = {element.get("data-field") for element in tree.iter()} - {None}
    assert fields == set(about["symbols"]) and fields


def test_tau_is_marked_wherever_it_is() -> None:
    formula = Inputs("simcse").about()["method"]["formula"]
    assert formula.count('<mi data-field="temperature">τ</mi>') == 2
    assert Inputs("simcse").about()["method"]["symbols"] == ["temperature", "batch_size"]


@pytest.mark.parametrize("latex", [r"\frac", r"\begin{<script>", r"\left( <b>", "x_"])
def test_what_cannot_be_converted_is_shown_as_it_is_written(latex: str) -> None:
    for made in (mathml(latex), marked(latex, {"a": latex})):
        assert [element.text for element in ElementTree.fromstring(made)] == [latex]


def test_markup_within_a_formula_stays_text() -> None:
    for made in (mathml(r"\text{<script>&lt;b&gt;</script>} < 1"), marked(r"\text{<script>x</script>} < 1", {})):
        assert {element.tag.split("}")[1] for element in ElementTree.fromstring(made).iter()} == {
            "math",
            "mrow",
            "mtext",
            "mo",
            "mn",
        }


def test_without_a_formula_there_is_none() -> None:
    assert mathml("") == marked("", {"a": "x"}) == ""
