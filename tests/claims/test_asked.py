"""Measures that some claims want, against a computation by hand on real encoders."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch

import clwork
from clwork import claims
from clwork.claims import arm_runs, asked
from clwork.claims.asked import measure_asked, opposites, warns
from clwork.claims.measures import Judges, judges
from clwork.claims.plan import BEHIND_HEAD, plan
from clwork.claims.representations import representation
from clwork.claims.results import MEASURED, recording_in
from clwork.training.preparation import build_method

FILMS = "textcnn:glove-6b-50d"
DOMAINS = ("CS", "Medical", "Civil")


@pytest.fixture(scope="module")
def network() -> clwork.Encoder:
    return clwork.load_encoder(FILMS)


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    """The judges that ship, and a folder with texts of three kinds."""
    folder = tmp_path_factory.mktemp("texts")
    (folder / "transfer" / "wos").mkdir(parents=True)
    sentences = list(dict.fromkeys(clwork.data.sentences("wikipedia-mini")[:900]))[:90]
    rows = [{"text": text, "label": DOMAINS[number // 30]} for number, text in enumerate(sentences)]
    (folder / "transfer" / "wos" / "all.jsonl").write_text("\n".join(map(json.dumps, rows)))
    own = judges()
    return Judges(own.tasks, own.sentences, own.articles, own.topics, own.paraphrases, folder=folder)


def distance(encoder: clwork.Encoder, first: str, second: str) -> float:
    one, other = (row / np.linalg.norm(row) for row in encoder.encode([first, second]).astype(float))
    return float(((one - other) ** 2).sum())


def test_sentences_with_an_opposite_differ_in_one_word() -> None:
    rows = opposites()
    assert len(rows) > 500 and len({text for text, _, _ in rows}) == len(rows)
    for row in rows:
        own, synonym, antonym = (text.lower().split() for text in row)
        assert len(set(row)) == 3 and len(own) == len(synonym) == len(antonym)
        assert all(sum(a != b for a, b in zip(own, other, strict=True)) == 1 for other in (synonym, antonym))
    assert not {text for text, _, _ in rows} & set(clwork.data.sentences("wikipedia-mini")), "no run reads them"


def test_the_antonym_s_margin_is_a_share_of_sentences(
    network: clwork.Encoder, given: Judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [*opposites()[:40], ("A hot day.", "A warm day.", "A warm day.")]  # the last one is a tie
    monkeypatch.setattr(asked, "opposites", lambda: few)
    won = sum(distance(network, own, near) < distance(network, own, far) for own, near, far in few[:-1])
    views = measure_asked(network, None, ["antonym_margin"], given)
    assert views["own"] == pytest.approx({"antonym_margin": (won + 0.5) / 41}) and 0 < won < 40
    assert "own, whitened" in views, "every score is compared with its controls"


def test_pairs_above_a_cosine_are_counted(network: clwork.Encoder, given: Judges) -> None:
    few = Judges(given.tasks, given.sentences[:60], given.articles[:60], given.topics[:60], given.paraphrases)
    raw = network.encode(few.sentences).astype(float)
    found = measure_asked(network, None, ["share_above"], few)
    for view, vectors in (("own", raw), ("own, mean removed", raw - raw.mean(axis=0))):
        unit = [row / np.linalg.norm(row) for row in vectors]
        by_hand = sum(float(a @ b) >= 0.7 for a, b in combinations(unit, 2)) / math.comb(60, 2)
        assert found[view] == pytest.approx({"share_above": by_hand}, abs=1e-4)
    assert found["own"]["share_above"] == 1 > found["own, mean removed"]["share_above"]


def test_categories_are_those_that_no_arm_is_trained_on(network: clwork.Encoder, given: Judges) -> None:
    assert given.folder is not None
    texts, labels = asked.categories(given.folder)
    trained = clwork.claims.corpus("wos, texts without labels", given.folder)
    assert texts and not set(texts) & set(trained)
    unit = [row / np.linalg.norm(row) for row in network.encode(texts).astype(float)]
    pairs = [(a, b) for (a, x), (b, y) in combinations(zip(unit, labels, strict=True), 2) if x == y]
    by_hand = sum(float(np.linalg.norm(a - b)) for a, b in pairs) / len(pairs)
    views = measure_asked(network, None, ["within_class", "clustering"], given)
    assert views["own"]["within_class"] == pytest.approx(by_hand, abs=1e-5)
    assert set(views["own"]) == {"within_class", "clustering"} and views["own"]["clustering"] < 1
    assert measure_asked(network, None, ["clustering", "transfer"], judges()) == {"own": {}}, "they take a folder"
    rng = np.random.default_rng(0)
    centres = np.eye(3, 8)
    labels = [name for name in DOMAINS for _ in range(12)]
    vectors = np.repeat(centres, 12, axis=0) + 0.05 * rng.normal(size=(36, 8))
    assert asked._clustering(vectors, labels) == pytest.approx(1.0)
    assert asked._clustering(rng.normal(size=(36, 8)), labels) < 0.3


@pytest.mark.nightly
def test_a_run_is_warned_of_as_its_diagnosis_warns(tmp_path: Path) -> None:
    """Without its stop-gradient the network closes; with it, it does not."""
    for name, expected in (("GCLSR, no stop-gradient", True), ("GCLSR", False)):
        claim = claims.get("clwork/verdict-sees-a-missing-stop-gradient")
        run = arm_runs.ArmRun.of(claim, claim.arms[name], 0, steps=40)
        encoder = run.train(tmp_path)
        own = clwork.start(
            run.method,
            encoder=clwork.load_encoder(run.encoder, seed=0),
            sentences=claims.corpus(run.data),
            steps=40,
            seed=0,
            folder=tmp_path / f"own of {expected}",
            probe_every=arm_runs.LOOK_EVERY,
            **json.loads(run.config),
        ).wait()
        recording = recording_in(tmp_path, run.name)
        assert recording is not None and warns(encoder, recording) == own.diagnosis().warns == expected


@pytest.mark.nightly
def test_the_head_of_training_is_kept_and_read_behind(tmp_path: Path) -> None:
    claim = claims.get("mocoutrl/before-the-head-is-better")
    (unit,) = (unit for unit in plan([claim], [0], steps=2) if unit.run is not None)
    assert unit.run is not None and BEHIND_HEAD in unit.views
    encoder = unit.run.train(tmp_path)
    head = unit.run.head(tmp_path, encoder)
    texts = ["A cat sleeps.", "The dog barks at night."]
    assert head is not None
    through = representation(encoder, BEHIND_HEAD, texts, head=head)
    by_hand = head(torch.from_numpy(encoder.encode(texts))).detach()
    assert torch.allclose(through, by_hand, atol=1e-5)
    config = clwork.methods.config("mocoutrl", encoder="mini")
    fresh = build_method("mocoutrl", clwork.load_encoder("mini"), config, 0).get_submodule("sentence_head")
    pairs = zip(head.parameters(), fresh.parameters(), strict=True)
    assert any((kept != drawn).any() for kept, drawn in pairs), "it is the trained one"
    behind = replace(unit, views=(BEHIND_HEAD,))
    behind.do(tmp_path)
    views = json.loads((tmp_path / unit.name / MEASURED).read_text(encoding="utf-8"))["views"]
    assert views[BEHIND_HEAD]["retrieval"] > 0
