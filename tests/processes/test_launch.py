"""A run by several processes is controlled, paused, forked and resumed like any other; errors state the cause."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.run_folder.files import HISTORY
from clwork.run_folder.folder import RunFolder
from clwork.training import ProcessDiedError, distributed

from ..encoders.conftest import small_encoder
from ..runs import Heard, stop_at, weights

ROOT = Path(__file__).resolve().parents[2]
SETTINGS: dict[str, Any] = {
    "batch_size": 8,
    "probe_every": 4,
    "eval_every": 1000,
    "checkpoint_every": 2,
    "device": "cpu",
    "precision": "float32",
    "steps": 8,
}


@pytest.fixture
def short() -> dict[str, Any]:
    return {**SETTINGS, "encoder": small_encoder(), "sentences": clwork.data.sentences("wikipedia-mini")[:64]}


def assert_equal_end(run: Any, other: Any) -> None:
    """Assert that two runs have equal losses and weights up to rounding."""
    one, two = run.history.set_index("step")["loss"], other.history.set_index("step")["loss"]
    assert one.dropna().tolist() == pytest.approx(two.dropna().tolist(), rel=1e-4)
    mine, theirs = weights(run), weights(other)
    assert mine.keys() == theirs.keys()
    for name in mine:
        torch.testing.assert_close(mine[name], theirs[name], rtol=1e-3, atol=1e-5, msg=name)


@pytest.mark.parametrize("method", ["simcse", pytest.param("dclr", marks=pytest.mark.nightly)])
def test_it_equals_a_run_of_one_process_in_as_many_parts(method: str, short: dict[str, Any]) -> None:
    own: dict[str, Any] = {"complementary_steps": 2} if method == "dclr" else {}
    alone = clwork.train(method, micro_batch=4, **short, **own)
    run = clwork.launch(method, processes=2, **short, **own).wait()
    assert run.status == "finished" and run.config.micro_batch == 4
    assert_equal_end(run, alone)
    assert run.history["tokens_per_second"].iloc[-1] > 0
    per_step = run.history["tokens_per_second"] * run.history["seconds"].diff()
    assert per_step.notna().any()


@pytest.mark.nightly
def test_it_is_controlled_paused_and_forked_like_any_other(short: dict[str, Any]) -> None:
    heard = Heard()
    run = clwork.launch("simcse", on_row=heard, **{**short, "steps": 40})
    heard.step(3)
    run.pause()
    while run.status != "paused":
        time.sleep(0.02)
    held = run.step
    run.controls.temperature = 0.5
    time.sleep(1.0)
    assert run.step == held, "the guard: it holds, and the other process waits"
    run.step_once()
    run.resume()
    stop_at(run, held + 4)
    moved = [event for row in run.records() for event in row.get("events", ()) if "moved" in event]
    assert run.status == "stopped" and moved[0]["moved"]["temperature"][1] == 0.5
    assert run.config.micro_batch == 4, "the other process has had the new temperature, or gradients would differ"
    forked = run.fork(run.checkpoint_steps()[-1], steps=run.step + 1)
    assert forked.wait().status == "finished"


@pytest.mark.nightly
@pytest.mark.parametrize(("size", "precision"), [(1, "float32"), (3, "float16")])
def test_another_number_of_processes_resumes_it(size: int, precision: str, short: dict[str, Any]) -> None:
    short["precision"] = precision
    whole = clwork.train("simcse", micro_batch=2, **short)
    run = stop_at(clwork.launch("simcse", processes=2, micro_batch=2, **short), 4)
    again = clwork.resume(run.folder, processes=size)
    assert again.status == "finished"
    assert_equal_end(again, whole)


@pytest.mark.nightly
def test_a_killed_process_ends_the_run_with_an_error_and_it_resumes(short: dict[str, Any]) -> None:
    whole = clwork.train("simcse", micro_batch=4, **short)
    heard, started, original = Heard(), list[Any](), distributed.start_process

    def listed(*given: Any) -> Any:
        started.append(original(*given))
        return started[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distributed, "start_process", listed)
        run = clwork.launch("simcse", processes=2, on_row=heard, **short)
        run.pace = 0.3
        heard.step(3)
    began = time.monotonic()
    os.kill(started[0].pid, signal.SIGKILL)
    with pytest.raises(ProcessDiedError, match=r"process 1 of 2 ended by SIGKILL.*clwork.resume"):
        run.wait(60)
    assert time.monotonic() - began < 60 and run.status == "failed" and "SIGKILL" in (run.error or "")
    again = clwork.resume(run.folder, processes=2)
    assert again.status == "finished"
    assert_equal_end(again, whole)


def launched_with(broken: Any, values: dict[str, Any]) -> clwork.Run:
    """A run whose second process is started by ``broken``, which receives the original start function."""
    original = distributed.start_process
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distributed, "start_process", lambda *arguments: broken(original, *arguments))
        run = clwork.launch("simcse", processes=2, **values)
        with pytest.raises(ProcessDiedError) as died:
            run.wait(60)
    assert run.status == "failed" and run.error == str(died.value)
    return run


@pytest.mark.nightly
def test_a_process_that_cannot_start_reports_the_reason(short: dict[str, Any], tmp_path: Path) -> None:
    encoder = shutil.copytree(short["encoder"], tmp_path / "encoder")

    def without_encoder(original: Any, *arguments: Any) -> Any:
        shutil.rmtree(encoder)
        return original(*arguments)

    run = launched_with(without_encoder, {**short, "encoder": str(encoder)})
    assert "process 1 of 2 ended with exit status 1: FileNotFoundError" in str(run.error), run.error


@pytest.mark.nightly
def test_a_process_that_exits_during_join_ends_the_run(short: dict[str, Any]) -> None:
    def only_started(original: Any, rank: int, size: int, meeting: Path, *arguments: Any) -> Any:
        (meeting / f"started-{rank}").touch()
        (meeting / f"output-{rank}").touch()
        return subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distributed, "GROUP_TIMEOUT", timedelta(seconds=2))
        assert "process 1 of 2 ended with exit status 3" in str(launched_with(only_started, short).error)
    again = clwork.launch("simcse", processes=2, **short).wait()
    assert again.status == "finished", "groups that did not form do not hinder those of the next run"


class Stream:
    """A stream without a named source that counts the examples read."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences, self.read = list(sentences), 0

    def __iter__(self) -> Iterator[str]:
        for sentence in itertools.cycle(self.sentences):
            self.read += 1
            yield sentence


@pytest.mark.nightly
def test_a_stream_is_read_by_one_process_which_sends_the_others_their_examples(short: dict[str, Any]) -> None:
    alone = clwork.train("simcse", micro_batch=4, **{**short, "sentences": Stream(short["sentences"])})
    stream = Stream(short["sentences"])
    run = clwork.launch("simcse", processes=2, **{**short, "sentences": stream}).wait()
    assert run.status == "finished" and stream.read > 8 * short["batch_size"]
    assert_equal_end(run, alone)


def test_bad_input_is_refused_before_anything_is_started(short: dict[str, Any]) -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"processes": 1}, r"processes=1.*2"),
        ({"processes": 65}, r"processes=65.*64"),
        ({"processes": 9}, r"batch_size=8 is less than the number of processes, 9"),
        (
            {"processes": 2, "micro_batch": 8},
            r"micro_batch=8 splits a batch of 8 into fewer parts than the 2.*at most 4",
        ),
    ]
    for values, words in refused:
        with pytest.raises(ValueError, match=words):
            clwork.launch("simcse", **{**short, **values})
    wrong: Any = "2"
    with pytest.raises(TypeError):
        clwork.launch("simcse", processes=wrong, **short)
    assert not list(Path(os.environ["CLWORK_RUNS"]).iterdir())


def write_file(place: Path, short: dict[str, Any], **values: Any) -> Path:
    """Write a corpus, and a file that trains a run in ``place / "run"`` with it."""
    (place / "corpus.txt").write_text("\n".join(short["sentences"]), encoding="utf-8")
    values |= {"method": "simcse", "folder": f"{place}/run", "sentences": f"{place}/corpus.txt"}
    lines = [f"{name} = {json.dumps(value)}" for name, value in {**values, "encoder": short["encoder"]}.items()]
    (place / "run.toml").write_text("\n".join([*lines, "[config]", "batch_size = 8"]) + "\n", encoding="utf-8")
    return place / "run.toml"


def command(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    about = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"} | env
    return subprocess.run(arguments, cwd=ROOT, env=about, capture_output=True, text=True, timeout=300)


@pytest.mark.nightly
def test_torchrun_trains_a_file_and_resumes_it(short: dict[str, Any], tmp_path: Path) -> None:
    file = write_file(tmp_path, short, **{name: value for name, value in SETTINGS.items() if name != "batch_size"})
    run = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "clwork"]
    done = command(*run, str(file))
    assert done.returncode == 0 and "finished at step 8" in done.stdout, done.stdout + done.stderr
    alone = clwork.train("simcse", micro_batch=4, **{**short, "sentences": f"{tmp_path}/corpus.txt"})
    losses = [row["loss"] for row in clwork.open_run(tmp_path / "run").records() if "loss" in row]
    assert losses == pytest.approx(alone.history["loss"].dropna().tolist(), rel=1e-4)
    again = command(sys.executable, "-m", "clwork", str(file))  # finished: nothing is left to do
    assert again.returncode == 0 and "finished at step 8" in again.stdout, again.stdout + again.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("to", ["launcher", "everyone", "process 1"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_any_process_stops_a_torchrun_run_with_a_checkpoint(
    number: signal.Signals, to: str, short: dict[str, Any], tmp_path: Path
) -> None:
    """The launcher passes a signal on; a closed terminal and Slurm send it to everyone, so some get it twice."""
    about = {"device": "cpu", "steps": 100_000, "probe_every": 10**6, "eval_every": 10**6, "checkpoint_every": 10**6}
    file, folder = write_file(tmp_path, short, **about), tmp_path / "run"
    run = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "clwork"]
    env = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    with open(tmp_path / "output", "w") as output:
        launcher = subprocess.Popen(
            [*run, str(file)], cwd=ROOT, env=env, stdout=output, stderr=output, start_new_session=True
        )
    while launcher.poll() is None and steps_in(folder) < 4:
        time.sleep(0.1)
    if to == "everyone":
        os.killpg(launcher.pid, number)
    else:
        os.kill(launcher.pid if to == "launcher" else rank_of(launcher.pid, "1"), number)
    assert launcher.wait(60) is not None
    said = (tmp_path / "output").read_text()
    stored = clwork.open_run(folder)
    assert stored.status == "stopped" and stored.error is None, said
    assert RunFolder(folder).checkpoints.meta().step == stored.step > 2, said
    assert "has ended" not in said and "Traceback" not in said.partition("torch/distributed")[0], said
    again = clwork.resume(folder, background=True)
    again.stop(after=stored.step + 1)
    assert again.wait().step == stored.step + 1


def steps_in(folder: Path) -> int:
    place = folder / HISTORY
    return place.read_text().count("\n") if place.exists() else 0


def rank_of(launcher: int, rank: str) -> int:
    """The number of the launcher's process with this rank."""
    children = Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
    return next(int(child) for child in children if f"\0RANK={rank}\0" in Path(f"/proc/{child}/environ").read_text())


@pytest.mark.nightly
def test_the_example_for_slurm_trains_with_two_processes(short: dict[str, Any], tmp_path: Path) -> None:
    """Run the script with substitutes for ``srun`` and the variables of a job on one machine."""
    file = write_file(tmp_path, short, device="cpu", steps=2, probe_every=2, eval_every=100)
    (tmp_path / "srun").write_text('#!/bin/bash\nexec "$@"\n')
    (tmp_path / "srun").chmod(0o755)
    about = {"SLURM_NNODES": "1", "SLURM_JOB_ID": "7", "SLURM_JOB_NODELIST": "here", "CLWORK_PROCESSES": "2"}
    about |= {"CLWORK_HOST": "localhost", "CLWORK_PORT": "0", "PYTHONPATH": str(ROOT)}
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = command("bash", str(ROOT / "docs" / "examples" / "train.sbatch"), str(file), PATH=path, **about)
    assert done.returncode == 0 and "finished at step 2" in done.stdout, done.stdout + done.stderr
    assert clwork.open_run(tmp_path / "run").recipe.config["micro_batch"] == 4
