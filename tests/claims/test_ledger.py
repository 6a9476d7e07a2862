"""The ledger of claims: complete, consistent with clwork's methods, and honest about what cannot be tested."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path

import pytest

from clwork import claims, methods
from clwork.claims import ledger
from clwork.metrics import collapse_diagnosis

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
        taught = re.fullmatch(r"(\d\d) (?:§(\d+)|exercise (\d\.\d))", place)
        assert taught, f"{place!r} is neither a section, such as '02 §4', nor an exercise"
        (notebook,) = (ROOT / "notebooks").glob(f"{taught[1]}_*.ipynb")
        heading = f'"## {taught[2]} ' if taught[2] else f"Exercise {taught[3]}:"
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


OWN = [claims.get(name) for name in claims.names("clwork")]
OWN_ARMS = [arm for claim in OWN for arm in claim.arms.values() if arm.trained]
SIZES = {"batch_size", "max_length", "projector", "predictor"}  # of a preset: what fits a small machine or 64 places


def trained_alike(arm: claims.Arm) -> tuple[object, ...]:
    """Arms that are equal in this can share their runs."""
    return arm.method, tuple(sorted(arm.config.items())), arm.data, arm.encoder, arm.start


def test_clwork_s_own_arms_share_runs_with_the_papers() -> None:
    papers = {trained_alike(arm) for claim in ALL if claim not in OWN for arm in claim.arms.values() if arm.trained}
    shared = {trained_alike(arm) for arm in OWN_ARMS if trained_alike(arm) in papers}
    assert {arm.method for arm in OWN_ARMS} == {method for method, *_ in shared} == set(methods.names())
    assert len(shared) >= 15


def test_every_preset_is_compared_with_the_paper_s_value() -> None:
    inherited = set(methods.get("simcse").presets["mini"].items())
    for method in methods.names():
        about = methods.get(method)
        preset = about.presets.get("textcnn") or about.presets["mini"]
        for name, value in preset.items():
            if name in SIZES or (method == "dclr" and (name, value) in inherited):
                continue
            paper = vars(about.Config())[name]
            tried = {arm.config[name] for arm in OWN_ARMS if arm.method == method and name in arm.config}
            assert paper in tried, f"no arm trains {method} at the paper's {name}={paper}"


def test_every_advice_on_a_run_is_a_claim() -> None:
    for remedy in (remedy for remedies in collapse_diagnosis.REMEDIES.values() for remedy in remedies):
        assert any(remedy.words in claim.place for claim in OWN), remedy.words


def test_every_recorded_run_s_caption_is_a_claim() -> None:
    films = [claim for claim in OWN if claim.name.startswith("clwork/film-")]
    assert {arm.method for claim in films for arm in claim.arms.values() if arm.trained} == set(methods.names())


@pytest.mark.parametrize("arm", OWN_ARMS, ids=lambda arm: arm.name)
def test_own_arms_have_an_effect(arm: claims.Arm) -> None:
    """``methods.config`` refuses a setting without effect, such as φ where nothing is masked."""
    methods.config(arm.method, arm.encoder or methods.get(arm.method).default_encoder, **arm.config)
