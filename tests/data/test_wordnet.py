"""The table that comes with clwork, and the script that builds it."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from clwork.augmenters.wordnet import WordNet, wordnet

ROOT = Path(__file__).resolve().parents[2]
TABLE = resources.files("clwork.data").joinpath("relations/wordnet.txt")
LINES = TABLE.read_text(encoding="ascii").splitlines()


def test_the_table_is_what_it_says_it_is() -> None:
    kinds = [line.split(" ", 1)[0] for line in LINES]
    assert sum(kind in {"n", "v", "a", "r"} for kind in kinds) == 25_600  # as the module's docstring has it
    assert kinds.count("!") == 3_374
    assert len(TABLE.read_text(encoding="ascii")) <= 2_000_000


def test_some_words_that_everybody_knows() -> None:
    relations = wordnet()
    assert relations.antonyms("hot", "a") == ("cold",) and relations.antonyms("cold", "a") == ("hot",)
    assert relations.synonyms("big", "a")[0] == ("large",)
    assert relations.synonyms("purchase", "v")[0] == ("buy",)
    assert relations.parts("light") == ("n",)  # oftener a noun than an adjective
    assert relations.parts("used") == ()  # mostly a form of a verb, and forms are not looked up
    assert not relations.parts("zyxt") and not relations.synonyms("zyxt", "n") and not relations.antonyms("zyxt", "n")


def test_meanings_come_in_the_order_of_their_frequency() -> None:
    table = WordNet(["# about", "a fast/2 quick/1", "a fast/1 loyal/3", "! a fast slow", "~ fast r"])
    assert table.synonyms("fast", "a") == (("loyal",), ("quick",))
    assert table.parts("fast") == () and table.parts("quick") == ("a",)
