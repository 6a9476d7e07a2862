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

# Before anything imports huggingface_hub: a test that reaches out is a defect.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ.pop("CLWORK_STS", None)

ROOT = Path(__file__).resolve().parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAY_SKIP = {"gpu", "browser", "smoke"}


def find_browser() -> str | None:
    """The path of Chrome or Chromium on this machine."""
    named = os.environ.get("CLWORK_BROWSER")
    paths = [named, *map(shutil.which, BROWSERS)]
    return next((path for path in paths if path), None)


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
    """Exclude imported objects from garbage collection; the lab's tests take 5 % less time."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CLWORK_NO_SKIP=1, as ``make test`` sets it, a skip that is not allowed is a failure."""
    report = yield
    skipped_itself = report.skipped and not hasattr(report, "wasxfail")
    allowed = MAY_SKIP & set(item.keywords) or os.environ.get("CLWORK_NO_SKIP") != "1"
    if skipped_itself and not allowed:
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid} skipped itself; only tests marked {' or '.join(sorted(MAY_SKIP))} may"
        )
    return report


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The browser of the ``browser`` tests, which fail without one or are skipped before."""
    path = find_browser()
    if path is None:
        names = ", ".join(BROWSERS)
        pytest.fail(f"CLWORK_REQUIRE_BROWSER=1, and none of {names} is installed")
    return path


@pytest.fixture(autouse=True)
def _equal_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ``precision="auto"`` float32 everywhere, so that tolerances have the same meaning."""
    monkeypatch.setattr("clwork.precision.abilities", set)
    monkeypatch.setattr("torch.cuda.is_bf16_supported", lambda including_emulation=True: False)


@pytest.fixture(autouse=True)
def _few_silver_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few silver pairs, because 500 would take most of a short run's time."""
    monkeypatch.setattr("clwork.training.scores.SILVER_PAIRS", 20)


@pytest.fixture(autouse=True)
def _release_ended_runs() -> Iterator[None]:
    """Release ended runs, which would fill the memory: a kernel stores its runs and encoders."""
    yield
    module = sys.modules.get("clwork.training.run")
    if module is not None:
        module.RUNS[:] = [run for run in module.RUNS if run.alive]


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of new folders; pytest's own factory lists those of all earlier tests each time."""
    root = tmp_path_factory.mktemp("settings")
    return (root / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_settings(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test its own settings and run folder: none reads or writes the user's."""
    folder = next(_homes)
    for name in ("home", "runs"):
        (folder / name).mkdir(parents=True)
        monkeypatch.setenv(f"CLWORK_{name.upper()}", str(folder / name))
    monkeypatch.delenv("CLWORK_STS", raising=False)


@pytest.fixture
def _limit_duration() -> Iterator[None]:
    """Fail a test that takes too long, such as one that opens a FIFO."""

    def give_up(*_: object) -> None:
        raise TimeoutError("still at it after a minute")

    former = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, former)
