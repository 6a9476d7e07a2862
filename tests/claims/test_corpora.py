"""The corpora of the ledger: each name reads what it says, and what lacks says where it belongs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import clwork
from clwork import claims
from clwork.claims import corpora
from clwork.claims.corpora import corpus
from clwork.data import Sentences, Triplets

NLI = [("A dog runs.", "An animal moves.", "A dog sleeps."), ("A dog runs.", "A dog is outside.", "Nobody is out.")]
STSB = [("A plane lands.", "A plane is landing.", 4.8), ("A man eats.", "A man sings.", 1.0)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader's folder of a few lines; of its articles every second is read."""
    monkeypatch.setattr(corpora, "ARTICLES", 2)
    tables: dict[str, list[dict[str, object]]] = {
        "nli/triplets.jsonl": [dict(zip(("premise", "entailment", "contradiction"), row, strict=True)) for row in NLI],
        "stsb/train.jsonl": [dict(zip(("sentence1", "sentence2", "score"), row, strict=True)) for row in STSB],
        "transfer/wos/all.jsonl": [
            {"text": f"An abstract, number {n}.", "label": f"domain {n % 7}"} for n in range(70)
        ],
    }
    for name, rows in tables.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "pretraining").mkdir()
    texts = {
        "captions": "A red ball.\nA blue box.\n",
        "wikipedia_documents": "\nOne.\nTwo.\nThree.\n\n\nUnread.\nAnd this.\n \nFour.\nFive.\n\n",
    }
    for name, text in texts.items():
        (tmp_path / "pretraining" / f"{name}.txt.gz").write_bytes(gzip.compress(text.encode()))
    corpora._followed.cache_clear()
    return tmp_path


def test_every_corpus_of_the_ledger_is_known_and_the_shipped_one_has_shares() -> None:
    used = {arm.data for name in claims.names() for arm in claims.get(name).arms.values() if arm.data}
    assert not {name for name in used if name not in corpora.CORPORA and not corpora.SHARE.fullmatch(name)}
    whole = list(clwork.data.sentences("wikipedia-mini"))
    assert list(corpus("wikipedia-mini")) == whole
    for percent, stride in (("10", 10), ("1", 100), (".3", 333)):
        part = corpus(f"wikipedia-mini, {percent} %")
        assert isinstance(part, Sentences) and list(part) == whole[::stride]
        assert clwork.data.sentences(part.source)[5] == part[5], "a run's recipe leads back to it"


@pytest.mark.nightly
def test_usable_sentences_are_those_that_mocoutrl_uses() -> None:
    usable, whole = corpus("wikipedia-mini, usable"), clwork.data.sentences("wikipedia-mini")[:400]
    preset, encoder = clwork.methods.config("mocoutrl", "mini"), clwork.load_encoder("mini")
    swaps = clwork.augmenters.Swaps(encoder, parts=preset.parts, source=preset.wordnet, max_length=preset.max_length)
    expected = [text for text, example in zip(whole, swaps.find(whole), strict=True) if example.places]
    assert list(usable)[: len(expected)] == expected and 100 < len(expected) < 300
    assert isinstance(usable, Sentences) and usable.groups is not None and len(usable) == len(usable.groups)


def test_triplets_and_what_is_read_of_them(folder: Path) -> None:
    assert corpus("nli", folder) == Triplets(NLI)
    assert list(corpus("nli premises", folder)) == ["A dog runs."] * 2
    assert list(corpus("nli premises, each once", folder)) == ["A dog runs."]
    assert list(corpus("nli sentences", folder)) == [*NLI[0], *NLI[1][1:]]
    assert corpus("nli, entailments alone", folder) == [row[:2] for row in NLI]
    with pytest.raises(ValueError, match=r"triplets\.jsonl has no column neutral; give triplets with premise"):
        corpus("nli, with neutral", folder)
    names = ("premise", "entailment", "contradiction", "neutral")
    row = dict(zip(names, (*NLI[0], "A dog plays."), strict=True))
    (folder / "nli/triplets.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert corpus("nli, with neutral", folder) == [(*NLI[0], "A dog plays.")]


def test_text_of_tasks_comes_with_and_without_its_grades(folder: Path) -> None:
    assert list(corpus("stsb train with its grades", folder)) == STSB
    planted, whole = corpus("wikipedia-mini, rated pairs", folder), clwork.data.sentences("wikipedia-mini")
    assert isinstance(planted, Sentences) and list(planted) == [*whole, *STSB[0][:2]]
    assert planted.groups == [None] * len(whole) + ["pair 0"] * 2
    assert planted.labels == [*(whole.labels or ()), None, None]
    assert list(corpus("stsb-unlabelled", folder)) == [text for row in STSB for text in row[:2]]
    with pytest.warns(UserWarning, match="70 rows where wos"):
        texts, labelled = corpus("wos, texts without labels", folder), corpus("wos, labels of the domains", folder)
    assert isinstance(texts, Sentences) and texts.labels is None
    assert isinstance(labelled, list)
    rows: dict[str, int] = dict(labelled)
    assert list(texts) == list(rows) and set(rows.values()) == set(range(7))
    test = clwork.data.transfer_task("wos", folder / "transfer").splits["test"]
    assert len(texts) == 56 and not set(texts) & set(test.texts)


def test_running_text_keeps_sentences_that_another_follows(folder: Path) -> None:
    assert list(corpus("captions", folder)) == ["A red ball.", "A blue box."]
    documents = corpus("documents", folder)
    assert list(documents) == ["One.", "Two.", "Four."] and isinstance(documents, Sentences)
    assert documents.groups == ["0", "0", "1"]
    following = [("One.", "Two."), ("Two.", "Three."), ("Four.", "Five.")]
    assert corpus("documents, next sentence", folder) == following
    three = corpus("documents, one of the next three", folder)
    assert three == corpus("documents, one of the next three", folder) and three[1:] == following[1:]
    assert three[0][0] == "One." and three[0][1] in ("Two.", "Three.")


def test_a_missing_file_and_a_wrong_name_or_share_are_refused(folder: Path, tmp_path: Path) -> None:
    for name in ("captions", "documents", "nli", "stsb-unlabelled", "wos, texts without labels"):
        with pytest.raises(FileNotFoundError, match=r"has no \w+/.*\((a sentence|premise|sentence1|text)"):
            corpus(name, tmp_path / "empty")
        with pytest.raises(FileNotFoundError, match="give folder="):
            corpus(name)
    with pytest.raises(ValueError, match=r"is no corpus \(did you mean 'captions'"):
        corpus("caption", folder)
    for share in ("0", "101"):
        with pytest.raises(ValueError, match="above 0 and at most 100"):
            corpus(f"captions, {share} %", folder)
    with pytest.raises(TypeError, match="name"):
        corpus(3, folder)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="folder"):
        corpus("captions", 3)  # type: ignore[arg-type]
