"""Reference runs: shipped and users' references, packed positions, a repetition of a run."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import clwork
from clwork import claims, reference_runs
from clwork.claims.ledger import Variant
from clwork.claims.records import recording_in, records_in, run_of
from clwork.claims.reference import Reference
from clwork.claims.testing import start_variant
from clwork.recordings import coordinates
from clwork.reference_runs import stored_index, stored_records
from scripts.evidence import packing
from scripts.evidence.measurements import record_name

from .conftest import NAME, SEEDS, STEPS

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 6_000_000  # of all shipped runs


def stored_claims() -> list[str]:
    """Claims with a shipped run."""
    there = stored_records()
    index = stored_index()["claims"]
    return [
        claim
        for claim, variants in index.items()
        if any(name in there for variant in variants.values() for name in variant.values())
    ]


@pytest.fixture(scope="module")
def own(tested: tuple[Path, claims.Answer]) -> Reference:
    return clwork.reference(NAME, tested[0])


def test_shipped_references_are_read_without_torch() -> None:
    program = (
        "import sys, clwork\n"
        f"for name in {stored_claims()!r}:\n"
        "    found = clwork.reference(name)\n"
        "    for variant in found.variants:\n"
        "        assert found.runs(variant), name\n"
        "        [run.records() for run in found.runs(variant)]\n"
        "        found.scores(variant), found.cloud(variant)\n"
        "    found.settings, found.absent\n"
        "assert 'torch' not in sys.modules, 'torch was loaded'\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(stored_claims()) >= 10


def test_shipped_references_match_the_ledger_are_small_and_distributable() -> None:
    """Texts of captions or STS tasks have other licences; machine and date of the runs are
    stated."""
    shipped = stored_index()
    for name, variants in shipped["claims"].items():
        claim = claims.get(name)
        for variant, seeds in variants.items():
            for seed, record in seeds.items():
                assert record.removesuffix("-float32") == record_name(
                    claim, claim.variants[variant], int(seed)
                ), (name, variant)
    assert shipped["claims"]["dclr/noise-matters"]["DCLR"]["0"].endswith("-float32"), (
        "as verdicts compare"
    )
    packed = [
        *(ROOT / "clwork" / "recordings").glob("*.gz"),
        *(ROOT / "clwork" / "reference_runs").glob("*.gz"),
    ]
    assert sum(path.stat().st_size for path in packed) <= MOST_BYTES
    assert {"machine", "date", "command"} <= {
        key for key, value in shipped["made"].items() if value
    }
    assert set(packing.SHOWN) <= set(claims.names())
    ours = {text[:500] for text in clwork.data.sentences("wikipedia-mini")}
    assert shipped["texts"]
    assert all(set(group["texts"]) <= ours for group in shipped["texts"])


def test_missing_references_raise_an_error_with_a_remedy(
    tmp_path: Path,
) -> None:
    with pytest.raises(FileNotFoundError, match=r"call clwork\.claims\.test"):
        clwork.reference(NAME, tmp_path)
    with pytest.raises(ValueError, match="did you mean"):
        clwork.reference("simcse/temperatures")
    with pytest.raises(ValueError, match=r"variant='SimCES' is not known \(did you mean 'SimCSE'"):
        clwork.reference("simcse/against-raw").runs("SimCES")


@pytest.mark.nightly
def test_a_users_folder_is_read_like_a_shipped_reference(own: Reference) -> None:
    assert own.variants == ["full", "untrained TextCNN"]
    assert own.absent == []
    runs = own.runs("full")
    assert [run.seed for run in runs] == [0, 1, 2]
    assert all(len(run.losses) == run.steps == STEPS for run in runs)
    assert own.scores("full") == [run.scores["own"]["sts"] for run in runs]
    assert len(set(own.scores("full"))) == SEEDS
    history = runs[0].history
    assert list(history["step"]) == list(range(STEPS + 1))
    assert history["loss"].notna().sum() == STEPS
    assert own.runs("untrained TextCNN")[0].records() == []
    assert own.runs("untrained TextCNN")[0].steps == 0
    assert [own.settings[variant]["method"] for variant in own.variants] == ["gclsr", "untrained"]
    assert "full (3)" in repr(own)


@pytest.mark.nightly
def test_positions_are_packed_and_read_back_to_the_bit(
    own: Reference, tested: tuple[Path, claims.Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tested[0]
    names = {
        variant: {str(run.seed): run.name for run in own.runs(variant)} for variant in own.variants
    }

    def name_of(claim: claims.Claim, variant: Variant, seed: int) -> str | None:
        return names[variant.name].get(str(seed)) if claim.name == NAME else None

    monkeypatch.setattr(packing, "SHOWN", (NAME,))
    monkeypatch.setattr(packing, "record_name", name_of)
    records = records_in(folder)
    packed = packing.packed_references(records, folder)
    assert packed == packing.packed_references(records, folder)
    content = json.loads(gzip.decompress(packed))
    assert content["claims"] == {NAME: names}
    assert content["settings"][names["full"]["0"]]["batch_size"] == 64
    for module in (reference_runs, packing):
        monkeypatch.setattr(module, "stored_index", lambda: content)
    recording = recording_in(folder, names["full"]["0"])
    assert recording is not None
    after = reference_runs.stored_cloud(names["full"]["0"])
    assert after is not None
    assert np.array_equal(coordinates(recording)[:, :, : reference_runs.AXES], after.at)
    assert list(after.steps) == [0, STEPS]
    assert (after.texts, after.labels) == (recording["texts"], recording["labels"])
    shares = [measurement["share"] for measurement in recording["measurements"]]
    assert after.share == pytest.approx(shares, abs=1e-3)
    assert own.cloud("full") is None
    # runs without a recording in the folder are read from the shipped ones
    assert packing.packed_references(records, folder / "none") == packed


@pytest.mark.nightly
def test_only_the_same_run_starts_with_the_losses_of_the_reference(
    own: Reference, tmp_path: Path
) -> None:
    """With equal settings, examples and schedule, losses are equal to five digits."""
    same = run_of(own.claim, own.claim.variants["full"], seed=0, steps=STEPS)
    run = start_variant(same, clwork.data.sentences(same.data), tmp_path / "same")
    run.stop(after=3)
    run.wait()
    assert (run.step, run.total_steps, run.status) == (3, STEPS, "stopped")
    stored = own.runs("full")[0].losses[:3]
    assert [float(f"{row['loss']:.5g}") for row in run.records()[1:]] == stored
    few = clwork.data.sentences("wikipedia-mini")[:200]
    other = clwork.train("gclsr", sentences=few, steps=3, batch_size=4, folder=tmp_path / "other")
    assert [float(f"{row['loss']:.5g}") for row in other.records()[1:]] != stored
    whole = clwork.resume(run.folder)
    assert whole.step == STEPS
    assert whole.status == "finished"


def test_a_reference_says_in_what_its_runs_differ_besides_their_settings() -> None:
    crossed = clwork.reference("dclr/against-simcse")
    assert "machine" in crossed.unlike
    assert "they differ in machine" in repr(crossed)
    alike = clwork.reference("simcse/temperature")
    assert not alike.unlike
    assert "differ" not in repr(alike)
