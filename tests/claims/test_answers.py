"""Answers from records: shipped verdicts, values computed by hand, scores at equal uniformity."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clwork import claims
from clwork.claims.ledger import METRICS, Claim, Expectation, Variant
from clwork.claims.records import value_of
from clwork.reference_runs import Records, stored_index, stored_records
from scripts.evidence import answering, packing
from scripts.evidence.answering import Stored
from scripts.evidence.measurements import (
    Measurements,
    answer_of,
    at_equal_uniformity,
    measured_on_what,
    record_name,
)

ONE = Variant("one", "simcse")
OTHER = Variant("other", "simcse", {"temperature": 0.1}, metric="sickr")
LIMIT = Variant("limit", "computed", of="1")
SEEDS = range(3)
STEPS = [0, 10, 20, 30, 40]
FAR = [-1.0, -2.0, -3.0, -4.0, -4.5]
NEAR = [-1.0, -1.2, -1.4, -1.6, -2.5]
RISING = [10.0, 20.0, 30.0, 40.0, 50.0]


def claim(
    metric: str, expects: str = "one > other", variants: tuple[Variant, ...] = (ONE, OTHER, LIMIT)
) -> Claim:
    expected = (Expectation.parse(expects),)
    by_name = {variant.name: variant for variant in variants}
    return Claim("simcse/of-a-test", "", METRICS[metric], expected, by_name, steps=30)


def records(of: Claim, **variants: list[dict[str, Any]]) -> Records:
    """Records of the variants, one per seed."""
    made = {}
    for variant, rows in variants.items():
        for seed, row in enumerate(rows):
            name = str(record_name(of, of.variants[variant], seed))
            made[name] = {"method": "simcse", "encoder": "mini", "seed": seed, "views": {}, **row}
    return made


def answer(of: Claim, known: Records, seeds: Sequence[int]) -> claims.Answer:
    """The answer to a claim from records, of which some may be repetitions."""
    return answer_of(Stored(of, known, seeds, again=answering.repetitions(known)))


def scores(*values: float, name: str = "sts") -> list[dict[str, Any]]:
    return [{"views": {"own": {name: value}}} for value in values]


def test_the_shipped_verdicts_equal_those_of_the_page() -> None:
    shipped = claims.answers()
    page = (Path(__file__).parents[2] / "docs" / "claims.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in shipped)
    assert shipped["simcse/against-whitening"].finding == "open"
    assert shipped["clwork/training-wins-read-alike"].finding == "inconclusive"
    assert shipped["clwork/dropout-is-what-teaches"].finding == "supported"
    assert claims.answers() == shipped
    assert claims.answers(seeds=3).keys() == shipped.keys()


def test_the_table_is_what_the_records_give(tmp_path: Path) -> None:
    """Every value, interval, verdict, remark and control at every stage."""
    packing.write_tables(stored_records(), stored_index()["claims"], None, tmp_path)
    for made in tmp_path.iterdir():
        shipped = (packing.CLAIMS / made.name).read_bytes()
        assert made.read_bytes() == shipped, f"{made.name}: make evidence ARGS=--answers"
    assert len(list(tmp_path.iterdir())) == 1


def test_answers_are_read_without_torch() -> None:
    program = (
        "import sys, json, clwork\n"
        "texts = [str(one) for one in clwork.claims.answers().values()]\n"
        "heavy = [name for name in ('torch', 'scipy', 'pandas') if name in sys.modules]\n"
        "print(json.dumps([len(texts), heavy]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    count, heavy = json.loads(done.stdout)
    assert count == len(claims.names())
    assert heavy == []


def test_a_stage_has_the_first_seeds_of_a_later_one() -> None:
    early, late = claims.answers(seeds=5), claims.answers()
    assert claims.answers(seeds=14) == early
    assert claims.answers(seeds=1000) == late
    assert {one.seeds for one in early.values()} == {0, 3, 5}
    assert max(one.seeds for one in late.values()) == 15
    for seeds in (2, 2.5, "5"):
        with pytest.raises((TypeError, ValueError), match="seeds="):
            claims.answers(seeds=seeds)  # type: ignore[arg-type]


def test_a_value_is_read_at_the_end_or_at_a_step() -> None:
    record = {
        "views": {"own": {"sts": 50.0}, "mean, whitened": {"sts": 60.0}},
        "history": {"step": STEPS, "uniformity": FAR},
        "first": {"z_rank": 7.0},
        "warned": 1.0,
    }
    assert value_of(record, ONE, "sts") == 50
    assert value_of(record, OTHER, "sts") is None
    assert value_of(record, replace(ONE, represent="mean", post="whitened"), "sts") == 60
    assert value_of(record, ONE, "uniformity") == -4.5
    assert value_of(record, ONE, "warned") == 1
    assert value_of(record, replace(ONE, at=10), "uniformity") == -2
    assert value_of(record, replace(ONE, at=[10, 30]), "uniformity") == -2
    assert value_of(record, replace(ONE, at=1), "z_rank") == 7
    assert value_of(record, replace(ONE, at=15), "uniformity") is None


def test_the_spread_of_seeds_is_their_mean_distance() -> None:
    own = claim("seed_spread", "one > limit")
    rows, why = Measurements(own, records(own, one=scores(1, 2, 4)), SEEDS).pair(own.expects[0])
    assert not why
    assert [limit for _, _, limit in rows] == [1.0, 1.0, 1.0]
    spread = [value for _, value, _ in rows]
    assert sum(spread) / 3 == pytest.approx((1 + 3 + 2) / 3), (
        "pairs of 1, 2 and 4 are 1, 3 and 2 apart"
    )
    assert spread == pytest.approx([3 * 2 - 2 * 2, 3 * 2 - 2 * 3, 3 * 2 - 2 * 1])


RANKED = (
    Variant("both", "computed", of="alignment, uniformity"),
    Variant("alone", "computed", of="alignment"),
)


def settings(rows: Any, seeds: Sequence[int]) -> dict[str, Any]:
    """Records of settings with equal alignment, uniformity and score at each seed."""
    made = {}
    for number, row in enumerate(rows):
        own = dict(zip(("alignment", "uniformity", "sts"), map(float, row), strict=True))
        for seed in seeds:
            made[f"variant-{number}-s{seed}"] = {
                "method": "simcse",
                "encoder": "mini",
                "seed": seed,
                "views": {"own": own},
            }
    return made


def test_agreement_is_the_rank_correlation_over_all_trained_variants(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scripts.evidence.answering.FEWEST_VARIANTS", 5)
    both, alone = RANKED
    own = claim("rank_agreement", "both > alone", RANKED)
    rows = [(0.1, -1.0, 50), (0.2, -2.0, 60), (0.3, -3.0, 70), (0.4, -4.5, 80), (0.9, -4.0, 40)]
    measured = Stored(own, settings(rows, SEEDS), SEEDS)
    # Alignment, where lower is better, has ranks 5 4 3 2 1, the scores 2 3 4 5 1; the squares of
    # the differences are 9 1 1 9 0.
    assert measured.of(alone) == pytest.approx(dict.fromkeys(SEEDS, 1 - 6 * 20 / (5 * 24)))
    # With uniformity's ranks 1 2 3 5 4 added: 6 6 6 7 5, so 3 3 3 5 1, and Pearson of the ranks.
    assert measured.of(both) == pytest.approx(dict.fromkeys(SEEDS, 8 / (8 * 10) ** 0.5))
    assert not Stored(own, settings(rows[:4], SEEDS), SEEDS).of(both), "too few to rank"


def test_seeds_of_a_setting_are_not_independent_encoders(monkeypatch: pytest.MonkeyPatch) -> None:
    """More seeds with the same values leave the interval as wide as it is over the settings."""
    monkeypatch.setattr("scripts.evidence.answering.FEWEST_VARIANTS", 5)
    own = claim("rank_agreement", "both > alone", RANKED)
    rows = np.random.default_rng(0).normal(size=(9, 3))
    found = Stored(own, settings(rows, range(15)), range(15)).compare(own.expects[0])
    assert found.difference.high - found.difference.low > 0.3
    assert "over the settings" in found.remark
    assert found.difference.mean == pytest.approx(np.subtract(found.left, found.right).mean())


def test_values_of_the_probe_and_of_the_test_are_not_compared() -> None:
    own = claim(
        "uniformity", "early > one", (replace(ONE, name="early", at=10), replace(ONE, name="one"))
    )
    rows = [{"views": {"own": {"uniformity": -3.0 - seed}}, **run(FAR, RISING)} for seed in SEEDS]
    assert "give both variants a step" in answer(own, records(own, one=rows), SEEDS).why
    late = claim(
        "uniformity", "early > late", (own.variants["early"], replace(ONE, name="late", at=40))
    )
    assert answer(late, records(late, late=rows), SEEDS).comparisons[0].left == (-2.0,) * 3


def test_an_arm_without_a_random_part_has_no_seeds() -> None:
    """Word vectors do not depend on the seed, though two processors round their average
    differently."""
    words = Variant("words", "untrained", encoder="textcnn:glove-6b-50d", represent="word average")
    own = claim(
        "sts", "words > raw", (words, Variant("raw", "untrained", encoder="mini", represent="mean"))
    )
    rounded = [
        {"views": {"word average": {"sts": 60 + 1e-4 * seed}, "mean": {"sts": 50.0}}}
        for seed in SEEDS
    ]
    found = answer(own, records(own, words=rounded, raw=rounded), SEEDS)
    assert not found.comparisons[0].drawn
    assert found.seeds == 0
    assert "p =" not in str(found)
    assert claims.answers()["mocoutrl/first-token-below-glove"].seeds == 0


SIDES = {
    "text": {
        "simcse/supervised-against-unsupervised": "labelled triplets are other text",
        "clwork/labels-against-the-same-sentences": "sentences are triplets without their order",
        "simcse/contradictions-as-hard-negatives": "pairs are triplets without their third",
        "clwork/mocoutrl-falls-less-than-simcse": "SimCSE reads what MoCoUTRL can use",
        "dclr/false-negatives-hurt": "false negatives in the text are what is compared",
    },
    "steps": {"gclsr/large-batch-is-worse": "equal numbers of sentences, as in the paper"},
    "encoder": {
        "clwork/longer-pretraining-lifts-simcse": "the claim compares encoders",
        "clwork/older-encoder-raw": "a control was trained further on masked words",
        "gclsr/full-against-bert": "the paper's baseline",
        "gclsr/full-against-whitened-bert": "the paper's baseline",
        "gclsr/transfer-bert-above-full": "the paper's baseline",
    },
    "representation": {
        "simcse/against-raw": "the paper's baseline",
        "simcse/against-whitening": "the paper's baseline",
        "simcse/post-processing-loses-alignment": "whitening is what is compared",
        "simcse/post-processing-flattens-more": "whitening is what is compared",
        "simcse/cosines-become-telling": "the paper's baseline",
        "simcse/cosines-spread": "the paper's baseline",
        "simcse/head-in-training-only": "the pooling is what is compared",
        "self_guided/against-raw-mean": "the paper's baseline",
        "self_guided/base-against-raw": "the raw mean is the stronger rival",
        "self_guided/mean-of-last-layer-is-not-best": "the representation is what is compared",
        "self_guided/mean-against-cls": "the representation is what is compared",
        "self_guided/wk-pooling-of-raw-encoders": "the representation is what is compared",
        "dclr/post-processing-helps-raw-encoders": "whitening is what is compared",
        "self_guided/against-wk-pooling": "the paper's baseline",
        "self_guided/pairs-fall-into-place": "the raw mean is the stronger rival",
        "mocoutrl/first-token-is-a-poor-summary": "the representation is what is compared",
        "mocoutrl/above-simcse": "each method's own pooling",
        "mocoutrl/above-raw-first-last": "the paper's baseline",
        "mocoutrl/above-raw-last-two": "the paper's baseline",
        "mocoutrl/above-whitening": "the paper's baseline",
        "gclsr/full-against-bert": "the paper's baseline",
        "gclsr/full-against-whitened-bert": "the paper's baseline",
        "gclsr/transfer-bert-above-full": "the paper's baseline",
        "clwork/verdict-a-cone-is-no-fault": "a cone is compared with a wider cloud",
        "clwork/verdict-knows-no-score": "each method's own pooling",
        "clwork/longer-pretraining-beats-whitening": "the strongest rival",
        "clwork/older-encoder-whitening": "the strongest rival",
        "clwork/older-encoder-raw": "the paper's baseline, and the strongest reading",
    },
}
"""Why the two sides of a claim's comparisons differ in more than a setting of the training."""
POOLING = {
    "simcse": "cls_before_pooler",
    "dclr": "cls_before_pooler",
    "self_guided": "cls_before_pooler",
    "gclsr": "max",
    "mocoutrl": "mean",
}


def common_settings(of: Claim, variant: Variant, record: Any) -> dict[str, Any]:
    """What both sides of a comparison must have in common; None where a variant has none of it."""
    own_pooling = str(variant.config.get("pooling", POOLING.get(variant.method)))
    encoder = record.get("encoder")
    view: str | None = variant.view.replace("own", own_pooling)
    if variant.represent == "word average":
        # Fixed word vectors are the rival that several papers name.
        encoder = view = None
    return {
        "text": record.get("data"),
        "steps": record.get("steps") if variant.trained else None,
        "encoder": encoder,
        "representation": view,
        "test sentences": measured_on_what(record, variant, of.metric.name) or None,
        "metric": variant.metric or of.metric.name,
        "precision": record.get("precision"),
    }


def differences(measured: Measurements, variants: list[Variant], seed: int) -> set[str]:
    """What differs between both sides of a comparison at a seed."""
    left, right = (
        common_settings(measured.claim, variant, measured.record(variant, seed))
        for variant in variants
    )
    different = {kind for kind in left if left[kind] != right[kind]}
    return {kind for kind in different if None not in (left[kind], right[kind])}


def ran_alike(measured: Measurements, variants: list[Variant], seed: int) -> bool:
    """Whether both runs had the same processor and forward pass."""
    if not all(variant.trained for variant in variants):
        return True
    made = [measured.record(variant, seed) for variant in variants]
    first, second = (
        (record.get("machine"), record["versions"].get("forward pass")) for record in made
    )
    return bool(first == second)


def test_both_sides_of_a_comparison_are_alike_or_a_reason_is_listed() -> None:
    different: dict[str, set[str]] = {kind: set() for kind in SIDES}
    again = answering.repetitions(stored_records())
    every = [
        (found.claim, comparison)
        for found in claims.answers().values()
        for comparison in found.comparisons
    ]
    for own, comparison in every:
        expected = comparison.expected
        variants = [own.variants[name] for name in (expected.left, expected.right)]
        is_number = "computed" in {variant.method for variant in variants}
        if is_number or not comparison.measured:
            continue
        known = again if "both at float32" in comparison.remark else stored_records()
        measured = Measurements(own, known, comparison.seeds)
        for seed in comparison.seeds:
            for kind in differences(measured, variants, seed):
                assert kind in SIDES, f"{own.name}: {kind} differs between {expected}"
                different[kind].add(own.name)
        unlike = sum(not ran_alike(measured, variants, seed) for seed in comparison.seeds)
        remark = f"different processors or forward passes in {unlike} seed"
        assert (remark in comparison.remark) == (unlike > 0), own.name
        assert ("forward passes" in comparison.remark) == (unlike > 0), own.name
    assert different == {kind: set(reasons) for kind, reasons in SIDES.items()}


def test_runs_of_different_precision_are_not_paired() -> None:
    own = claim("sts")
    float32, other = {"precision": "float32"}, {"precision": "bfloat16"}
    one = [row | float32 for row in scores(1, 2, 3, 4)]
    mixed = [row | other for row in scores(1, 1, 1, 1, name="sickr")]
    refused = answer(own, records(own, one=one, other=mixed), range(4))
    assert refused.finding == "not measured"
    assert "trained at different precision" in refused.comparisons[0].why
    known = dict(records(own, one=one, other=mixed))
    again = {
        f"{name}-float32": {**row, **float32}
        for name, row in known.items()
        if row["precision"] == "bfloat16"
    }
    repeated = answer(own, known | again, range(4)).comparisons[0]
    assert repeated.seeds == (0, 1, 2), "repetitions at float32 are paired"
    assert "both at float32" in repeated.remark
    mixed[1:] = [row | float32 for row in mixed[1:]]
    assert answer(own, records(own, one=one, other=mixed), range(4)).comparisons[0].seeds == (
        1,
        2,
        3,
    )


def run(uniformity: list[float], path: list[Any], name: str = "silver") -> dict[str, Any]:
    return {"history": {"step": STEPS, "uniformity": uniformity, name: path}}


def test_the_more_uniform_run_is_read_at_the_final_uniformity_of_the_other() -> None:
    far, near = run(FAR, RISING), run(NEAR, [10.0, 11.0, 12.0, 13.0, 26.0])
    # the level is -2.5, half-way from step 10 to step 20 of the first run: 25; the other ends
    # there: 26
    assert at_equal_uniformity(far, near, "silver") == (25.0, 26.0)
    assert at_equal_uniformity(near, far, "silver") == (26.0, 25.0)
    closing = run([-3.0, -2.5, -2.0, -1.0, -0.5], RISING)
    assert at_equal_uniformity(run(FAR, RISING), closing, "silver") is None, (
        "it never had that uniformity"
    )
    assert at_equal_uniformity(run(FAR, [10.0, None, None, None, 50.0]), near, "silver") is None, (
        "too few scores"
    )
    far["history"]["step"], far["history"]["uniformity"] = [*STEPS, 45], [*FAR, -9.0]
    far["history"]["silver"] = [*RISING, None]
    assert at_equal_uniformity(far, run(NEAR, RISING), "silver") == (25.0, 50.0), (
        "a step without a score is left out"
    )


def test_an_answer_compares_at_equal_uniformity_too() -> None:
    own = claim("sts", variants=(ONE, replace(OTHER, metric=None)))

    def found(ends: tuple[float, float], along: bool) -> claims.Answer:
        """The first variant scores higher at its end, and lower at the uniformity of the other
        one."""
        rows: list[list[dict[str, Any]]] = []
        for path, end, score in ((FAR, ends[0], 60.0), (NEAR, ends[1], 55.0)):
            steps = [
                [v + 0.1 * s for v in RISING] if along else [10.0, None, None, None, 50.0]
                for s in SEEDS
            ]
            views = [
                {"sts": score + s * (1.1 if path is FAR else 1.0), "uniformity": end} for s in SEEDS
            ]
            rows.append([{"views": {"own": views[s]}} | run(path, steps[s]) for s in SEEDS])
        return answer(own, records(own, one=rows[0], other=rows[1]), SEEDS)

    (comparison,) = found((-4.5, -2.5), along=True).comparisons
    assert comparison.difference.mean == pytest.approx(5.1)
    assert comparison.ends == (-4.5, -2.5)
    assert comparison.level is not None
    assert comparison.level.difference.mean == pytest.approx(25 - 50)
    assert comparison.level.metric.name == "silver"
    assert (
        "ends at different uniformity (-4.50 against -2.50): at equal uniformity -25"
        in comparison.apart
    )
    (comparison,) = found((-4.5, -2.5), along=False).comparisons
    assert comparison.level is None
    assert "the difference in score may come from that" in comparison.apart
    assert found((-2.5, -2.53), along=False).comparisons[0].apart == ""
