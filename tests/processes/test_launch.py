"""A run by several processes equals one by one process; it is stopped, killed and resumed without losing its steps."""

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
    return {
        **SETTINGS,
        "encoder": small_encoder(),
        "sentences": clwork.data.sentences("wikipedia-mini")[:64],
    }


def assert_equal_end(run: Any, other: Any) -> None:
    """Assert that two runs have equal losses and weights up to rounding."""
    one, two = run.history.set_index("step")["loss"], other.history.set_index("step")["loss"]
    assert one.dropna().tolist() == pytest.approx(two.dropna().tolist(), rel=1e-4)
    mine, theirs = run.encoder.state_dict(), other.encoder.state_dict()
    assert mine.keys() == theirs.keys()
    # The same number added to all keys changes no attention: gradient and update of a key's bias are rounding.
    for name in (name for name in mine if not name.endswith("key.bias")):
        torch.testing.assert_close(mine[name], theirs[name], rtol=1e-3, atol=1e-5, msg=name)


def write_file(place: Path, short: dict[str, Any], **values: Any) -> Path:
    """Write a corpus, and a file that trains a run in ``place / "run"`` with it."""
    (place / "corpus.txt").write_text("\n".join(short["sentences"]), encoding="utf-8")
    values = {
        "method": "simcse",
        **values,
        "folder": f"{place}/run",
        "sentences": f"{place}/corpus.txt",
    }
    lines = [
        f"{name} = {json.dumps(value)}"
        for name, value in {**values, "encoder": short["encoder"]}.items()
    ]
    (place / "run.toml").write_text(
        "\n".join([*lines, "[config]", "batch_size = 8"]) + "\n", encoding="utf-8"
    )
    return place / "run.toml"


def command(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    about = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"} | env
    return subprocess.run(
        arguments, cwd=ROOT, env=about, capture_output=True, text=True, timeout=300
    )


def torchrun(file: Path, processes: int, output: Path) -> subprocess.Popen[bytes]:
    """Start the launcher in a session of its own."""
    run = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        str(processes),
    ]
    env = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    with open(output, "w") as written:
        return subprocess.Popen(
            [*run, "-m", "clwork", str(file)],
            cwd=ROOT,
            env=env,
            stdout=written,
            stderr=written,
            start_new_session=True,
        )


SHORT = {name: value for name, value in SETTINGS.items() if name not in ("batch_size", "precision")}


@pytest.mark.parametrize("method", ["simcse", pytest.param("dclr", marks=pytest.mark.nightly)])
def test_torchrun_equals_one_process_in_as_many_parts(
    method: str, short: dict[str, Any], tmp_path: Path
) -> None:
    own: dict[str, Any] = {"complementary_steps": 2} if method == "dclr" else {}
    file = write_file(tmp_path, short, **{**SHORT, "method": method}, precision="float32", **own)
    launcher = torchrun(file, 2, tmp_path / "output")
    said = (launcher.wait(300), (tmp_path / "output").read_text())
    assert said[0] == 0 and "finished at step 8" in said[1], said[1]
    run = clwork.open_run(tmp_path / "run")
    alone = clwork.train(
        method, micro_batch=4, **{**short, "sentences": f"{tmp_path}/corpus.txt", **own}
    )
    assert run.recipe.config["micro_batch"] == 4
    assert_equal_end(run, alone)
    again = command(sys.executable, "-m", "clwork", str(file))  # finished: nothing is left to do
    assert again.returncode == 0 and "finished at step 8" in again.stdout, (
        again.stdout + again.stderr
    )


@pytest.mark.nightly
@pytest.mark.parametrize("victim", ["0", "1"])
def test_a_killed_process_ends_the_run_and_another_number_resumes_it(
    victim: str, short: dict[str, Any], tmp_path: Path
) -> None:
    values = {**SHORT, "steps": 40, "checkpoint_every": 2, "micro_batch": 2}
    file = write_file(tmp_path, short, **values, precision="float32")
    launcher = torchrun(file, 2, tmp_path / "output")
    while launcher.poll() is None and steps_in(tmp_path / "run") < 6:
        time.sleep(0.05)
    os.kill(rank_of(launcher.pid, victim), signal.SIGKILL)
    assert launcher.wait(60) != 0
    assert RunFolder(tmp_path / "run").checkpoints.meta().step >= 4
    assert torchrun(file, 3, tmp_path / "again").wait(300) == 0, (tmp_path / "again").read_text()
    sentences = {**short, "sentences": f"{tmp_path}/corpus.txt", "steps": 40}
    assert_equal_end(
        clwork.open_run(tmp_path / "run"), clwork.train("simcse", micro_batch=2, **sentences)
    )


@pytest.mark.nightly
@pytest.mark.parametrize("to", ["launcher", "everyone", "process 1"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_any_process_stops_a_torchrun_run_with_a_checkpoint(
    number: signal.Signals, to: str, short: dict[str, Any], tmp_path: Path
) -> None:
    """The launcher passes a signal on; a closed terminal and Slurm send it to everyone, so some get it twice."""
    about = {
        "device": "cpu",
        "steps": 100_000,
        "probe_every": 10**6,
        "eval_every": 10**6,
        "checkpoint_every": 10**6,
    }
    file, folder = write_file(tmp_path, short, **about), tmp_path / "run"
    launcher = torchrun(file, 2, tmp_path / "output")
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
    assert "has ended" not in said and "Traceback" not in said.partition("torch/distributed")[0], (
        said
    )
    again = clwork.resume(folder, background=True)
    again.stop(after=stored.step + 1)
    assert again.wait().step == stored.step + 1


def steps_in(folder: Path) -> int:
    place = folder / HISTORY
    return place.read_text().count("\n") if place.exists() else 0


def rank_of(launcher: int, rank: str) -> int:
    """The number of the launcher's process with this rank."""
    children = Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
    return next(
        int(child)
        for child in children
        if f"\0RANK={rank}\0" in Path(f"/proc/{child}/environ").read_text()
    )


@pytest.mark.nightly
def test_the_example_for_slurm_trains_with_two_processes(
    short: dict[str, Any], tmp_path: Path
) -> None:
    """Run the script with substitutes for ``srun`` and the variables of a job on one machine."""
    file = write_file(tmp_path, short, device="cpu", steps=2, probe_every=2, eval_every=100)
    (tmp_path / "srun").write_text('#!/bin/bash\nexec "$@"\n')
    (tmp_path / "srun").chmod(0o755)
    about = {
        "SLURM_NNODES": "1",
        "SLURM_JOB_ID": "7",
        "SLURM_JOB_NODELIST": "here",
        "CLWORK_PROCESSES": "2",
    }
    about |= {"CLWORK_HOST": "localhost", "CLWORK_PORT": "0", "PYTHONPATH": str(ROOT)}
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = command(
        "bash", str(ROOT / "docs" / "examples" / "train.sbatch"), str(file), PATH=path, **about
    )
    assert done.returncode == 0 and "finished at step 2" in done.stdout, done.stdout + done.stderr
    assert clwork.open_run(tmp_path / "run").recipe.config["micro_batch"] == 4
