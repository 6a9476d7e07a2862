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
OWN = [claims.get(name) for name in claims.names("clwork")]
OWN_ARMS = [arm for claim in OWN for arm in claim.arms.values() if arm.trained]
SIZES = {"batch_size", "max_length", "projector", "predictor"}  # of a preset: what fits a small machine or 64 places
preset_of = functools.cache(methods.config)


def test_every_entry_of_the_files_is_a_claim_of_its_paper_and_none_hides_another() -> None:
    for paper in ledger.PAPERS:
        entries = tomllib.loads((FILES / f"{paper}.toml").read_text(encoding="utf-8"))["claim"]
        assert [entry["name"] for entry in entries] == claims.names(paper)
        assert all(entry["name"].startswith(f"{paper}/") for entry in entries) and len(entries) >= 15
    assert len(ALL) == len(claims.names()) >= 75


def faults_of(claim: claims.Claim) -> list[str]:
    """What a claim lacks."""
    trained = [arm for arm in claim.arms.values() if arm.trained]
    untested = claim.kind == "quoted"
    checks = {
        "place, claim or expectation": bool(claim.place and claim.claim.endswith(".") and (claim.expects or untested)),
        "what cannot be tested says why, and nothing else does": untested == bool(claim.why),
        "steps and five seeds": not trained
        or claim.kind not in ("scores", "course")
        or bool(claim.steps and claim.seeds >= 5),
        "two different arms": all(expected.left != expected.right for expected in claim.expects),
        "`needs` has every switch": untested
        or all(
            set(claim.arms[name].switch) <= set(claim.needs)
            for expected in claim.expects
            for name in (expected.left, expected.right)
        ),
    }
    return [f"{claim.name}: {what}" for what, right in checks.items() if not right]


def wrong_settings(arm: claims.Arm) -> bool:
    """Whether an arm has settings that its method does not take, or trains on nothing."""
    if not arm.trained:
        return bool(arm.config)
    preset = preset_of(arm.method, arm.encoder or ("textcnn:glove-6b-50d" if arm.method == "gclsr" else "mini"))
    changed = type(preset)(**{**vars(preset), **arm.config})
    known = arm.start is None or arm.start in {other for each in ALL for other in each.arms}
    return not (arm.data and known and all(vars(changed)[name] == value for name, value in arm.config.items()))


def not_taught(claim: claims.Claim) -> list[str]:
    """Sections or exercises that should teach a claim and do not exist."""
    missing = []
    for place in claim.teaches.split(", ") if claim.teaches else ():
        taught = re.fullmatch(r"(\d\d) (?:§(\d+)|exercise (\d\.\d))", place)
        assert taught, f"{claim.name}: {place!r} is neither a section, such as '02 §4', nor an exercise"
        (notebook,) = (ROOT / "notebooks").glob(f"{taught[1]}_*.ipynb")
        heading = f'"## {taught[2]} ' if taught[2] else f"Exercise {taught[3]}:"
        missing += [f"{claim.name}: {place}"] * (heading not in notebook.read_text(encoding="utf-8"))
    return missing


def test_every_claim_is_whole_takes_real_settings_and_is_taught_where_it_says() -> None:
    wrong = [fault for claim in ALL for fault in (*faults_of(claim), *not_taught(claim))]
    wrong += [f"{claim.name}: {arm.name}" for claim in ALL for arm in claim.arms.values() if wrong_settings(arm)]
    assert not wrong, "\n".join(wrong)
    for arm in OWN_ARMS:  # refuses a setting without effect, such as φ where nothing is masked
        methods.config(arm.method, arm.encoder or methods.get(arm.method).default_encoder, **arm.config)


def test_every_metric_is_used_and_explained() -> None:
    judged = {arm.judged for claim in ALL for arm in claim.arms.values() if arm.judged in claims.METRICS}
    assert {claim.metric.name for claim in ALL} | judged == set(claims.METRICS)
    assert all(metric.about and metric.better in ("higher", "lower", "") for metric in claims.METRICS.values())
    scores = [claim for claim in ALL if claim.kind == "scores" and any(e.sign == "=" for e in claim.expects)]
    assert scores and all(claim.metric.margin for claim in scores), "what is called equal has a margin"


def test_wrong_names_and_expectations_are_refused() -> None:
    for text in ("a", "a>b", "a > b < c", "a > b > c", ""):
        with pytest.raises(ValueError, match="two names of arms"):
            claims.Expectation.parse(text)
    with pytest.raises(ValueError, match="did you mean 'simcse/dropout-against-none'"):
        claims.get("simcse/dropout-against-non")
    with pytest.raises(ValueError, match="'dclr'"):
        claims.names("dcrl")


def test_own_claims_cover_presets_advice_and_recorded_runs() -> None:
    inherited = set(methods.get("simcse").presets["mini"].items())
    for method in methods.names():
        about = methods.get(method)
        for name, value in (about.presets.get("textcnn") or about.presets["mini"]).items():
            if name in SIZES or (method == "dclr" and (name, value) in inherited):
                continue
            paper = vars(about.Config())[name]
            tried = {arm.config[name] for arm in OWN_ARMS if arm.method == method and name in arm.config}
            assert paper in tried, f"no arm trains {method} at the paper's {name}={paper}"
    for remedy in (remedy for remedies in collapse_diagnosis.REMEDIES.values() for remedy in remedies):
        assert any(remedy.words in claim.place for claim in OWN), remedy.words
    recorded = [claim for claim in OWN if claim.name.startswith("clwork/film-")]
    assert {arm.method for claim in recorded for arm in claim.arms.values() if arm.trained} == set(methods.names())
