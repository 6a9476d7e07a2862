"""Every method's formula reaches the page as MathML, with the symbols that its controls set."""

from __future__ import annotations

from xml.etree import ElementTree

from clwork import methods
from clwork.lab.page.mathml import mathml
from clwork.lab.settings.formula import marked
from clwork.lab.settings.inputs import Inputs


def test_every_symbol_of_one_letter_is_marked_in_the_formula() -> None:
    for name in methods.names():
        about, method = Inputs(name).about()["method"], methods.get(name)
        assert (about["title"], about["paper"]) == (method.title, method.paper)
        assert method.formula.count("{") == method.formula.count("}"), name
        tree = ElementTree.fromstring(about["formula"])
        assert tree.get("display") == "block" and len(list(tree.iter())) > 20, "it was converted, not quoted"
        fields = {element.get("data-field") for element in tree.iter()} - {None}
        assert fields == set(about["symbols"]) and fields, name


def test_tau_is_marked_wherever_it_is() -> None:
    formula = Inputs("simcse").about()["method"]["formula"]
    assert formula.count('<mi data-field="temperature">τ</mi>') == 2
    assert Inputs("simcse").about()["method"]["symbols"] == ["temperature", "batch_size"]


def test_what_cannot_be_converted_is_shown_as_it_is_written() -> None:
    for latex in (r"\frac", r"\begin{<script>", r"\left( <b>", "x_"):
        for made in (mathml(latex), marked(latex, {"a": latex})):
            assert [element.text for element in ElementTree.fromstring(made)] == [latex]
    assert mathml("") == marked("", {"a": "x"}) == ""


def test_markup_within_a_formula_stays_text() -> None:
    for made in (mathml(r"\text{<script>&lt;b&gt;</script>} < 1"), marked(r"\text{<script>x</script>} < 1", {})):
        assert {element.tag.split("}")[1] for element in ElementTree.fromstring(made).iter()} == {
            "math",
            "mrow",
            "mtext",
            "mo",
            "mn",
        }
