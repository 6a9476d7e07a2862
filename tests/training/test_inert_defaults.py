"""At the defaults of the methods nothing is without effect, or nearly, but what the ledger names with the reason."""

from __future__ import annotations

import os
import tomllib
from importlib.resources import files
from typing import Any

import pytest

import clwork
from clwork import methods

LEDGER: dict[str, Any] = tomllib.loads(
    files("clwork.claims").joinpath("ledger", "inert.toml").read_text(encoding="utf-8")
)
SETTINGS: list[dict[str, Any]] = [
    {**row, "inert": {**LEDGER["everywhere"]["inert"], **row.get("inert", {})}} for row in LEDGER["setting"]
]
# Each method's own default at a small batch takes a minute or two; CLWORK_WHOLE_BATCHES=1 takes all as they are.
WHOLE = bool(os.environ.get("CLWORK_WHOLE_BATCHES"))
SMALL: dict[str, Any] = {} if WHOLE else {"batch_size": 16}
OWN = [
    row for row in SETTINGS if not row.get("config") and row["encoder"] == methods.get(row["method"]).default_encoder
]


def test_the_ledger_has_the_defaults_of_all_methods_and_each_bundled_preset() -> None:
    listed = {(row["method"], row["encoder"]) for row in SETTINGS if not row.get("config")}
    assert listed >= {(name, methods.get(name).default_encoder) for name in methods.names()}
    presets = {(name, base) for name in methods.names() for base in methods.get(name).presets}
    assert {(name, base.split(":")[0]) for name, base in listed} >= presets
    for row in SETTINGS:
        known = {field.name for field in methods.fields(methods.config(row["method"]))}
        named = {**row["inert"], **row.get("nearly", {})}
        assert named.keys() <= known and all(named.values())


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> str:
    """DCLR's judge, as its default trains one; once for all settings, which would otherwise take minutes each."""
    folder = tmp_path_factory.mktemp("judge")
    settings: dict[str, Any] = {"steps": methods.config("dclr").complementary_steps, **SMALL}
    clwork.train("simcse", encoder="mini", folder=folder / "run", **settings).encoder.save(folder / "encoder")
    return str(folder / "encoder")


@pytest.mark.nightly
@pytest.mark.parametrize(
    "row", SETTINGS if WHOLE else OWN, ids=lambda row: f"{row['method']}-{row['encoder']}-{row.get('config', '')}"
)
def test_nothing_is_inert_but_what_the_ledger_names(row: dict[str, Any], request: pytest.FixtureRequest) -> None:
    known = {"complementary": request.getfixturevalue("judge")} if row["method"] == "dclr" else {}
    audit = clwork.audit(row["method"], row["encoder"], **known, **SMALL, **row.get("config", {}))
    switched_off = {field.name for field in methods.fields(audit.config) if field.idle(audit.config, "sentences")}
    acts = {name: effect.acts for name, effect in audit.effects.items()}
    assert {acts[name] for name in switched_off} <= {"nowhere", "not tried", "in the step"}, "a switch that is none"
    found = {**audit.inert, **audit.faint}
    assert switched_off & {name for name in acts if acts[name] != "not tried"} <= found.keys(), acts
    inert, nearly = row["inert"], row.get("nearly", {})
    assert inert.keys() <= audit.inert.keys() and found.keys() - switched_off <= {**inert, **nearly}.keys(), audit
