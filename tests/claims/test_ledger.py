"""The ledger of claims: complete, consistent with clwork's methods, and honest about what cannot be tested."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path

import pytest

from clwork import claims, methods
from clwork.claims import ledger

ROOT = Path(__file__).resolve().parents[2]
FILES = Path(ledger.__file__).parent / "ledger"
ALL = [claims.get(name) for name in claims.names()]
preset_of = functools.cache(methods.config)


def test_every_entry_of_the_files_is_a_claim_of_its_paper_and_none_hides_another() -> None:
    for paper in ledger.PAPERS:
        entries = tomllib.loads((FILES / f"{paper}.toml").read_text(encoding="utf-8"))["claim"]
        assert [entry["name"] for entry in entries] == claims.names(paper)
        assert all(entry["name"].startswith(f"{paper}/") for entry in entries) and len(entries) >= 15
    assert len(ALL) == len(claims.names()) >= 75


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.name)
def test_a_claim_is_whole(claim: claims.Claim) -> None:
    assert claim.place and claim.claim.endswith(".") and (claim.expects or claim.kind == "quoted")
    assert (claim.kind == "quoted") == bool(claim.why), "what cannot be tested says why, and nothing else does"
    if any(arm.trained for arm in claim.arms.values()) and claim.kind in ("scores", "course"):
        assert claim.steps and claim.seeds >= 5
    for expectation in claim.expects:
        assert expectation.left != expectation.right
        for name in (expectation.left, expectation.right):
            lacking = set(claim.arms[name].switch) - set(claim.needs)
            assert not lacking or claim.kind == "quoted", f"{name} wants {lacking}, which `needs` does not have"


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.name)
def test_trained_arms_are_settings_that_their_method_takes(claim: claims.Claim) -> None:
    for arm in claim.arms.values():
        if not arm.trained:
            assert not arm.config
            continue
        assert arm.data, f"{arm.name} needs data to train on"
        assert arm.start is None or arm.start in {other for each in ALL for other in each.arms}
        own = "textcnn:glove-6b-50d" if arm.method == "gclsr" else "mini"
        preset = preset_of(arm.method, arm.encoder or own)
        changed = type(preset)(**{**vars(preset), **arm.config})
        assert all(vars(changed)[name] == value for name, value in arm.config.items())


@pytest.mark.parametrize("claim", [claim for claim in ALL if claim.teaches], ids=lambda claim: claim.name)
def test_the_section_that_teaches_a_claim_is_there(claim: claims.Claim) -> None:
    for place in claim.teaches.split(", "):
        taught = re.fullmatch(r"(\d\d) (?:§(\d+)|exercise \d)", place)
        assert taught, f"{place!r} is neither a section, such as '02 §4', nor an exercise"
        (notebook,) = (ROOT / "notebooks").glob(f"{taught[1]}_*.ipynb")
        heading = f'"## {taught[2]} ' if taught[2] else "Exercises"
        assert heading in notebook.read_text(encoding="utf-8"), f"{notebook.name} has no {place}"


def test_every_metric_is_used_and_explained() -> None:
    used = {claim.metric.name for claim in ALL} | {
        arm.judged for claim in ALL for arm in claim.arms.values() if arm.judged in claims.METRICS
    }
    assert used == set(claims.METRICS)
    assert all(metric.about and metric.better in ("higher", "lower", "") for metric in claims.METRICS.values())


@pytest.mark.parametrize("text", ["a", "a>b", "a > b < c", "a > b > c", ""])
def test_an_expectation_needs_two_names_and_one_sign(text: str) -> None:
    with pytest.raises(ValueError, match="two names of arms"):
        claims.Expectation.parse(text)


def test_an_unknown_claim_or_paper_is_named_with_its_neighbours() -> None:
    with pytest.raises(ValueError, match="did you mean 'simcse/dropout-against-none'"):
        claims.get("simcse/dropout-against-non")
    with pytest.raises(ValueError, match="'dclr'"):
        claims.names("dcrl")
