"""Shared by all tests: no network, no settings of the user, and no silent skips."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

os.environ["HF_HUB_OFFLINE"] = (
    "1"  # before anything imports huggingface_hub: a test that reaches out is a defect
)
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ.pop("CLWORK_STS", None)

ROOT = Path(__file__).resolve().parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAY_SKIP = {"gpu", "browser", "smoke"}


def find_browser() -> str | None:
    """The path of Chrome or Chromium on this machine."""
    named = os.environ.get("CLWORK_BROWSER")
    return named or next((found for name in BROWSERS if (found := shutil.which(name))), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip ``gpu`` tests without CUDA and ``browser`` ones without a browser unless required."""
    reasons = {}
    if find_browser() is None and os.environ.get("CLWORK_REQUIRE_BROWSER") != "1":
        reasons["browser"] = reasons["smoke"] = "no Chrome or Chromium on this machine"
    if any("gpu" in item.keywords for item in items):
        import torch

        if not torch.cuda.is_available():
            reasons["gpu"] = "no CUDA device"
    for item in items:
        for marker in reasons.keys() & item.keywords:
            item.add_marker(pytest.mark.skip(reason=reasons[marker]))


def pytest_collection_finish() -> None:
    """Exclude imported objects from garbage collection; this saves a twentieth of the time of the lab's tests."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CLWORK_NO_SKIP=1, as ``make test`` sets it, a skip that is not allowed is a failure."""
    report = yield
    unwanted = (
        report.skipped and not hasattr(report, "wasxfail") and not MAY_SKIP & set(item.keywords)
    )
    if unwanted and os.environ.get("CLWORK_NO_SKIP") == "1":
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid} skipped itself; only tests marked {' or '.join(sorted(MAY_SKIP))} may"
        )
    return report


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The browser of the ``browser`` tests; if it is missing, they fail under CLWORK_REQUIRE_BROWSER=1, else skip."""
    found = find_browser()
    if found is None:
        pytest.fail(
            f"a browser is required (CLWORK_REQUIRE_BROWSER=1), and none of {', '.join(BROWSERS)} is installed"
        )
    return found


@pytest.fixture(autouse=True)
def _equal_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ``precision="auto"`` float32 on every machine, so that tolerances have the same meaning."""
    monkeypatch.setattr("clwork.precision.abilities", set)
    monkeypatch.setattr("torch.cuda.is_bf16_supported", lambda including_emulation=True: False)


@pytest.fixture(autouse=True)
def _few_silver_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few silver pairs: 500 would take most of the time of a short run; one test measures all of them."""
    monkeypatch.setattr("clwork.training.validation.SILVER", 20)


@pytest.fixture(autouse=True)
def _release_ended_runs() -> Iterator[None]:
    """Release ended runs: a kernel stores its runs and encoders, and thousands of tests would fill the memory."""
    yield
    if (module := sys.modules.get("clwork.training.run")) is not None:
        module.RUNS[:] = [run for run in module.RUNS if run.alive]


@pytest.fixture(scope="session")
def _places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a new folder at each call of next; pytest's factory lists the folders of all earlier tests each time."""
    root = tmp_path_factory.mktemp("settings")
    return (root / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_settings(_places: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each test its own settings and run folder: none reads or writes the user's."""
    place = next(_places)
    for name in ("home", "runs"):
        (place / name).mkdir(parents=True)
        monkeypatch.setenv(f"CLWORK_{name.upper()}", str(place / name))
    monkeypatch.delenv("CLWORK_STS", raising=False)
    yield


@pytest.fixture
def _limit_duration() -> Iterator[None]:
    """Fail a test that takes too long, such as one that opens a FIFO or builds a model of a million layers."""

    def give_up(*_: object) -> None:
        raise TimeoutError("still at it after a minute")

    former = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, former)
