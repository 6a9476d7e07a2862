"""Several processes train as one does; a run of them is stopped, killed and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.run_folder.files import HISTORY
from clwork.run_folder.folder import RunFolder

from ..encoders.conftest import small_encoder

ROOT = Path(__file__).resolve().parents[2]
SETTINGS: dict[str, Any] = {
    "steps": 8,
    "batch_size": 8,
    "probe_every": 4,
    "eval_every": 1000,
    "checkpoint_every": 2,
    "device": "cpu",
    "precision": "float32",
}


@pytest.fixture
def short(tmp_path: Path) -> dict[str, Any]:
    """Arguments of a short run."""
    corpus = tmp_path / "corpus.txt"
    texts = clwork.data.sentences("wikipedia-mini")[:64]
    corpus.write_text("\n".join(texts), encoding="utf-8")
    return {**SETTINGS, "encoder": small_encoder(), "sentences": str(corpus)}


def assert_equal_end(run: Any, other: Any) -> None:
    """Assert that two runs have equal losses and weights up to rounding."""
    one, two = run.history.set_index("step")["loss"], other.history.set_index("step")["loss"]
    assert one.dropna().tolist() == pytest.approx(two.dropna().tolist(), rel=1e-4)
    mine, theirs = run.encoder.state_dict(), other.encoder.state_dict()
    assert mine.keys() == theirs.keys()
    # A number added to all keys changes no attention: the update of a key's bias is rounding.
    for name in (name for name in mine if not name.endswith("key.bias")):
        torch.testing.assert_close(mine[name], theirs[name], rtol=1e-3, atol=1e-5, msg=name)


def write_file(folder: Path, arguments: dict[str, Any]) -> Path:
    """Write a file that trains a run in ``folder / "run"``."""
    values = {"method": "simcse", **arguments, "folder": f"{folder}/run"}
    lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    path = folder / "run.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


ENVIRONMENT = {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


def command(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | ENVIRONMENT | env
    return subprocess.run(arguments, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)


def torchrun(file: Path, processes: int, output: Path) -> subprocess.Popen[bytes]:
    """Start the launcher in a session of its own."""
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    run = [f"--nproc-per-node={processes}", "-m", "clwork", str(file)]
    with open(output, "w") as written:
        return subprocess.Popen(
            [*launcher, *run],
            cwd=ROOT,
            env=os.environ | ENVIRONMENT,
            stdout=written,
            stderr=written,
            start_new_session=True,
        )


@pytest.mark.parametrize("method", ["simcse", pytest.param("dclr", marks=pytest.mark.nightly)])
def test_torchrun_equals_one_process_in_as_many_parts(
    method: str, short: dict[str, Any], tmp_path: Path
) -> None:
    if method == "dclr":
        short["complementary_steps"] = 2
    file = write_file(tmp_path, {**short, "method": method})
    status = torchrun(file, 2, tmp_path / "output").wait(300)
    output = (tmp_path / "output").read_text()
    assert status == 0, output
    assert "finished at step 8" in output, output
    run = clwork.open_run(tmp_path / "run")
    assert run.run_config.config["micro_batch"] == 4
    assert_equal_end(run, clwork.train(method, **short, micro_batch=4))
    status = torchrun(file, 2, tmp_path / "again").wait(120)
    output = (tmp_path / "again").read_text()
    assert status == 0, "nothing is left to do, for both"
    assert "finished at step 8" in output, output


@pytest.mark.nightly
def test_a_run_that_failed_before_its_first_checkpoint_is_started_again(
    short: dict[str, Any], tmp_path: Path
) -> None:
    file = write_file(tmp_path, {**short, "steps": 2})
    corpus = Path(short["sentences"])
    texts = corpus.read_text(encoding="utf-8")
    corpus.write_text("One sentence.", encoding="utf-8")
    assert torchrun(file, 2, tmp_path / "output").wait(300) != 0
    assert "fewer than one batch" in (tmp_path / "output").read_text()
    corpus.write_text(texts, encoding="utf-8")
    assert torchrun(file, 2, tmp_path / "again").wait(300) == 0, (tmp_path / "again").read_text()


@pytest.mark.nightly
@pytest.mark.parametrize("victim", ["0", "1"])
def test_a_killed_process_ends_the_run_and_another_number_resumes_it(
    victim: str, short: dict[str, Any], tmp_path: Path
) -> None:
    arguments = {**short, "steps": 40, "micro_batch": 2}
    file = write_file(tmp_path, arguments)
    launcher = torchrun(file, 2, tmp_path / "output")
    while launcher.poll() is None and steps_in(tmp_path / "run") < 6:
        time.sleep(0.05)
    os.kill(rank_of(launcher.pid, victim), signal.SIGKILL)
    assert launcher.wait(60) != 0
    assert RunFolder(tmp_path / "run").checkpoints.meta().step >= 4
    assert torchrun(file, 3, tmp_path / "again").wait(300) == 0, (tmp_path / "again").read_text()
    assert_equal_end(clwork.open_run(tmp_path / "run"), clwork.train("simcse", **arguments))


@pytest.mark.nightly
@pytest.mark.parametrize("to", ["launcher", "everyone", "process 1"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_any_process_stops_a_torchrun_run_with_a_checkpoint(
    number: signal.Signals, to: str, short: dict[str, Any], tmp_path: Path
) -> None:
    """A closed terminal and Slurm send a signal to everyone, so some processes get it twice."""
    rarely = dict.fromkeys(("probe_every", "eval_every", "checkpoint_every"), 10**6)
    file = write_file(tmp_path, {**short, **rarely, "steps": 100_000})
    folder = tmp_path / "run"
    launcher = torchrun(file, 2, tmp_path / "output")
    while launcher.poll() is None and steps_in(folder) < 4:
        time.sleep(0.1)
    if to == "everyone":
        os.killpg(launcher.pid, number)
    else:
        os.kill(launcher.pid if to == "launcher" else rank_of(launcher.pid, "1"), number)
    assert launcher.wait(60) is not None
    output = (tmp_path / "output").read_text()
    stored = clwork.open_run(folder)
    assert stored.status == "stopped", output
    assert stored.error is None, output
    assert RunFolder(folder).checkpoints.meta().step == stored.step > 2, output
    assert "has ended" not in output
    assert "Traceback" not in output.partition("torch/distributed")[0], output
    again = clwork.resume(folder, background=True)
    again.stop(after=stored.step + 1)
    assert again.wait().step == stored.step + 1


def steps_in(folder: Path) -> int:
    """The number of rows of a run's history."""
    history = folder / HISTORY
    return history.read_text().count("\n") if history.exists() else 0


def rank_of(launcher: int, rank: str) -> int:
    """The number of the launcher's process with this rank."""
    children = Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
    environments = {child: Path(f"/proc/{child}/environ").read_text() for child in children}
    return next(int(child) for child in children if f"\0RANK={rank}\0" in environments[child])


@pytest.mark.nightly
def test_the_example_for_slurm_trains_with_two_processes(
    short: dict[str, Any], tmp_path: Path
) -> None:
    """Run the script with substitutes for ``srun`` and the variables of a job on one machine."""
    file = write_file(tmp_path, {**short, "steps": 2, "eval_every": 100})
    (tmp_path / "srun").write_text('#!/bin/bash\nexec "$@"\n')
    (tmp_path / "srun").chmod(0o755)
    job = {
        "SLURM_NNODES": "1",
        "SLURM_JOB_ID": "7",
        "SLURM_JOB_NODELIST": "here",
        "CLWORK_PROCESSES": "2",
        "CLWORK_HOST": "localhost",
        "CLWORK_PORT": "0",
        "PYTHONPATH": str(ROOT),
        "PATH": f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = command("bash", str(ROOT / "docs" / "examples" / "train.sbatch"), str(file), **job)
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert "finished at step 2" in output, output
    assert clwork.open_run(tmp_path / "run").run_config.config["micro_batch"] == 4
