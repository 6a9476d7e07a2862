"""The table that comes with clwork, the script that builds it, and nltk's copy where it is asked for."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import types
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from clwork.data import wordnet_relations as module
from clwork.data.wordnet_relations import Nltk, Table, wordnet

ROOT = Path(__file__).resolve().parents[2]
TABLE = resources.files("clwork.data").joinpath("relations/wordnet.txt")
LINES = TABLE.read_text(encoding="ascii").splitlines()


def test_the_table_is_what_it_says_it_is() -> None:
    kinds = [line.split(" ", 1)[0] for line in LINES]
    assert sum(kind in {"n", "v", "a", "r"} for kind in kinds) == 25_600  # as the module's docstring has it
    assert kinds.count("!") == 3_374
    assert len(TABLE.read_text(encoding="ascii")) <= 2_000_000


def test_the_licence_is_beside_it_and_in_the_notice() -> None:
    licence = resources.files("clwork.data").joinpath("relations/LICENSE").read_text(encoding="ascii")
    for sentence in (
        "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.",
        "Permission to use, copy, modify and distribute this software and",
        'THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON',
    ):
        assert sentence in licence
    assert "Copyright 2006 by Princeton" in LINES[0]
    assert "clwork/data/relations/LICENSE" in (ROOT / "NOTICE").read_text(encoding="utf-8")


def test_words_and_relations_only() -> None:
    rows = [line.split() for line in LINES if not line.startswith("#")]
    for kind, *fields in rows:
        words = fields[1:] if kind == "!" else fields[:1] if kind == "~" else [field.split("/")[0] for field in fields]
        assert all(word.replace("-", "").isalpha() and word.islower() for word in words), (kind, fields)
        assert kind == "~" or len(words) >= 2


def test_some_words_that_everybody_knows() -> None:
    relations = wordnet()
    assert relations.antonyms("hot", "a") == ("cold",) and relations.antonyms("cold", "a") == ("hot",)
    assert relations.synonyms("big", "a")[0] == ("large",)
    assert relations.synonyms("purchase", "v")[0] == ("buy",)
    assert relations.parts("light") == ("n",)  # oftener a noun than an adjective
    assert relations.parts("used") == ()  # mostly a form of a verb, and forms are not looked up
    assert not relations.parts("zyxt") and not relations.synonyms("zyxt", "n") and not relations.antonyms("zyxt", "n")


def test_relations_go_both_ways() -> None:
    relations = wordnet()
    for word in ("happy", "arrive", "death", "quickly", "big"):
        for part in "nvar":
            for other in relations.antonyms(word, part):
                assert word in relations.antonyms(other, part)
            for group in relations.synonyms(word, part):
                assert word not in group
                for other in group:
                    assert any(word in groups for groups in relations.synonyms(other, part))


def test_meanings_come_in_the_order_of_their_frequency() -> None:
    table = Table(["# about", "a fast/2 quick/1", "a fast/1 loyal/3", "! a fast slow", "~ fast r"])
    assert table.synonyms("fast", "a") == (("loyal",), ("quick",))
    assert table.parts("fast") == () and table.parts("quick") == ("a",)


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"clwork.data.{path.stem}_loaded_again", path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_it_is_read_once_and_not_before_it_is_asked_for() -> None:
    fresh = load(ROOT / "clwork" / "data" / "wordnet_relations.py")
    assert fresh._table.cache_info().currsize == 0
    assert fresh.wordnet() is fresh.wordnet("table")
    assert fresh._table.cache_info().currsize == 1


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'wiktionary'.*'table', 'nltk'"):
        wordnet("wiktionary")


# --- the script -------------------------------------------------------------------------------------------------------

WNDB: dict[str, str] = {
    "data.adj": """\
  1 This is the licence, which each file begins with.
00000010 00 a 02 hot 0 Fahrenheit 0 001 ! 00000020 a 0101 | having heat; "a hot day"
00000020 00 a 01 cold(p) 0 001 ! 00000010 a 0101 | lacking heat
00000030 00 s 03 cold 1 frigid 0 icy 0 001 & 00000020 a 0000 | extremely cold
00000040 00 a 02 used 0 second-hand 0 000 | previously owned
""",
    "data.noun": """\
00000050 06 n 02 cold 0 common_cold 0 000 | an illness
00000060 06 n 03 heat 0 hotness 0 New_York 0 001 ! 00000070 n 0201 | high temperature
00000070 06 n 01 coldness 0 001 ! 00000060 n 0102 | low temperature
""",
    "data.verb": "00000080 30 v 02 use 0 apply 0 000 01 + 02 00 | put to work\n",
    "data.adv": "",
    "index.adj": """\
  1 This is the licence.
hot a 1 1 ! 1 1 00000010
fahrenheit a 1 0 1 0 00000010
cold a 2 2 ! & 2 1 00000030 00000020
frigid a 1 0 1 0 00000030
icy a 1 0 1 0 00000030
used a 1 0 1 0 00000040
second-hand a 1 0 1 0 00000040
""",
    "index.noun": """\
cold n 1 0 1 0 00000050
common_cold n 1 0 1 0 00000050
heat n 1 0 1 0 00000060
hotness n 1 1 ! 1 0 00000060
new_york n 1 0 1 0 00000060
coldness n 1 1 ! 1 0 00000070
""",
    "index.verb": "use v 1 0 1 0 00000080\napply v 1 0 1 0 00000080\n",
    "index.adv": "",
    "cntlist.rev": "cold%1:26:00:: 1 9\ncold%3:00:01:: 1 4\nuse%2:34:01:: 1 40\nused%3:00:00:: 1 3\n",
    "verb.exc": "used use\n",
}


@pytest.fixture
def wndb(tmp_path: Path) -> Path:
    for name, text in WNDB.items():
        (tmp_path / name).write_text(text, encoding="latin-1")
    return tmp_path


def script() -> Any:
    return load(ROOT / "scripts" / "wordnet_table.py")


def test_the_script_takes_words_and_relations_from_a_wndb_folder(wndb: Path) -> None:
    assert script().table(wndb) == [
        "a cold/1 frigid/1 icy/1",
        "a used/1 second-hand/1",
        "n heat/1 hotness/1",
        "v use/1 apply/1",
        "! a cold hot",
        "! n coldness hotness",
        "~ cold n",
        "~ used v",
    ]


def test_the_script_does_without_frequencies(wndb: Path) -> None:
    (wndb / "cntlist.rev").unlink()
    (wndb / "verb.exc").unlink()
    assert not any(line.startswith("~") for line in script().table(wndb))


def test_the_script_writes_what_clwork_reads(wndb: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.txt"
    command = [sys.executable, str(ROOT / "scripts" / "wordnet_table.py"), str(wndb), "--out", str(out)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "'pairs of antonyms': 2" in said
    written = Table(out.read_text().splitlines())
    assert written.antonyms("cold", "a") == ("hot",)
    assert out.read_text().splitlines()[:5] == LINES[:5]  # the same heading as the shipped one


# --- nltk -------------------------------------------------------------------------------------------------------------


class Lemma:
    def __init__(self, name: str, count: int, opposite: str = "") -> None:
        self._name, self._count, self._opposite = name, count, opposite

    def name(self) -> str:
        return self._name

    def count(self) -> int:
        return self._count

    def antonyms(self) -> list[Lemma]:
        return [Lemma(self._opposite, 0)] if self._opposite else []


class Synset:
    def __init__(self, *lemmas: Lemma) -> None:
        self._lemmas = lemmas

    def lemmas(self) -> tuple[Lemma, ...]:
        return self._lemmas

    def lemma_names(self) -> list[str]:
        return [lemma.name() for lemma in self._lemmas]


class Corpus:
    """What clwork uses of nltk's corpus reader."""

    def synsets(self, word: str, part: str) -> list[Synset]:
        known = {
            ("cold", "a"): [Synset(Lemma("cold", 4, "hot")), Synset(Lemma("cold", 1), Lemma("icy", 0))],
            ("cold", "n"): [Synset(Lemma("cold", 9), Lemma("common_cold", 0))],
            ("icy", "a"): [Synset(Lemma("cold", 1), Lemma("icy", 0))],
        }
        return known.get((word, part), [])

    def ensure_loaded(self) -> None:
        pass


def test_nltk_gives_the_same_kind_of_answers() -> None:
    relations = Nltk(Corpus())
    assert relations.parts("cold") == ("n",) and relations.parts("icy") == ("a",)
    assert relations.synonyms("cold", "a") == (("icy",),) and relations.synonyms("cold", "n") == ()
    assert relations.antonyms("cold", "a") == ("hot",)


def pretend(monkeypatch: pytest.MonkeyPatch, corpus: Any) -> None:
    package, corpora = types.ModuleType("nltk"), types.ModuleType("nltk.corpus")
    if corpus is not None:
        corpora.wordnet = corpus  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nltk", package)
    monkeypatch.setitem(sys.modules, "nltk.corpus", corpora)
    module._nltk.cache_clear()


def test_nltk_is_used_where_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, Corpus())
    assert wordnet("nltk").antonyms("cold", "a") == ("hot",)
    module._nltk.cache_clear()


def test_what_is_missing_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing(Corpus):
        def ensure_loaded(self) -> None:
            raise LookupError("resource wordnet not found")

    pretend(monkeypatch, Missing())
    with pytest.raises(LookupError, match=r"nltk\.downloader wordnet.*source='table'"):
        wordnet("nltk")
    monkeypatch.setitem(sys.modules, "nltk", None)
    monkeypatch.setitem(sys.modules, "nltk.corpus", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install nltk.*source='table'"):
        wordnet("nltk")
