"""A run's folder has one writer at a time and complete files."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.disk import runs_folder
from clwork.run_folder import checkpoints as tensors
from clwork.run_folder.folder import BusyRunError, RunFolder
from clwork.training.run import RUNS

from ..runs import stop_at, wait_for_step
from .conftest import SHORT, WIDTH
from .test_run import until

ROOT = Path(__file__).resolve().parents[2]


def elsewhere(program: str, *arguments: str) -> subprocess.Popen[str]:
    """Start a separate Python process that runs ``program``."""
    code = textwrap.dedent(program)
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


HOLD = """
    import sys
    from clwork.run_folder.folder import RunFolder
    files = RunFolder(sys.argv[1])
    files.lock()
    files.write_state("running")
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_second_process_gets_an_error(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=6, **SHORT)
    stop_at(run, 2)
    before = (run.folder / "record.jsonl").read_text()
    RUNS.remove(run)  # as another kernel sees it
    other = elsewhere(HOLD, str(run.folder))
    assert other.stdout is not None
    assert other.stdin is not None
    assert other.stdout.readline() == "held\n"
    with pytest.raises(BusyRunError, match="another run or process; stop it first"):
        clwork.resume(run.folder)
    seen = clwork.open_run(run.folder)
    assert (seen.status, seen.step) == ("running", 2)
    assert seen.encoder.dim == WIDTH
    assert (run.folder / "record.jsonl").read_text() == before
    other.kill()
    other.wait()
    assert clwork.open_run(run.folder).status == "killed"
    assert clwork.resume(run.folder).status == "finished", (
        "a lock whose process is gone holds nobody up"
    )
    assert clwork.open_run(run.folder).status == "finished"


@pytest.mark.nightly
def test_a_full_disk_leaves_the_earlier_checkpoint(corpus: Any) -> None:
    program = """
        import resource, sys, time, torch
        import clwork
        from clwork.run_folder.folder import RunFolder
        import signal
        # A write beyond the limit then fails as on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        run = clwork.resume(sys.argv[1], background=True)
        while run.step < 4:
            time.sleep(0.01)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
        try:
            run.stop()
            run.wait()
        except Exception as error:
            print(error)
            print(type(error).__name__, run.status, run.alive)
    """
    run = clwork.start("simcse", sentences=corpus, steps=400, **SHORT)
    stop_at(run, 2)
    before = (run.folder / "checkpoint.safetensors").read_bytes()
    other = elsewhere(program, str(run.folder))
    output, _ = other.communicate()
    assert output.split()[-3:] == ["SafetensorError", "failed", "False"]
    assert other.returncode == 0
    assert "File too large" in output
    assert (run.folder / "checkpoint.safetensors").read_bytes() == before
    assert not list(run.folder.glob(".*partial"))


@pytest.mark.parametrize("place", ["gradient", "weights", "loss"])
def test_weights_that_are_not_finite_are_never_written(place: str, corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=400, **SHORT, checkpoint_every=2)
    wait_for_step(run, 3)
    assert run.training.loop is not None
    with run.training.step_lock, torch.no_grad():
        parameter = next(iter(run.training.loop.method.encoder.backbone.parameters()))
        if place == "weights":
            parameter[:] = float("nan")
        elif place == "gradient":
            blow_up: Any = parameter.register_hook
            blow_up(lambda gradient: gradient * float("inf"))
        else:
            run.training.loop.method.config.temperature = 1e-38
    with pytest.raises((FloatingPointError, ValueError)) as raised:
        run.wait()
    run.wait = lambda timeout=None: run  # type: ignore[method-assign]
    assert run.status == "failed"
    assert not run.alive
    stored = tensors.read_state(run.folder / "checkpoint.safetensors")[0]
    assert all(tensor.isfinite().all() for tensor in stored.values() if tensor.is_floating_point())
    said = str(raised.value)
    if place != "loss":
        remedy = "precision='float32'" if place == "gradient" else "learning_rate"
        assert "step" in said
        assert remedy in said
        assert (
            f"checkpoint on disk is of step {RunFolder(run.folder).checkpoints.meta().step}" in said
        )
    copy = run.save(run.folder.parent / "copy")
    assert RunFolder(copy).checkpoints.meta().step == RunFolder(run.folder).checkpoints.meta().step


@pytest.mark.nightly
@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_run_with_a_checkpoint(signal_name: str, tmp_path: Path) -> None:
    program = """
        import signal, sys
        import clwork
        # A background shell lets its children ignore SIGINT, nohup SIGHUP.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        print("ready", flush=True)
        settings = {"steps": 100_000, "batch_size": 8, "device": "cpu"}
        run = clwork.train("simcse", encoder=sys.argv[2], folder=sys.argv[1], **settings)
        print(run.status, run.alive, run.step, flush=True)
    """
    folder = tmp_path / "run"
    other = elsewhere(program, str(folder), SHORT["encoder"])
    assert other.stdout is not None
    other.stdout.readline()
    until(lambda: (folder / "checkpoint.safetensors").exists() or other.poll() is not None)
    os.kill(other.pid, getattr(signal, signal_name))
    if signal_name != "SIGINT":  # launchers repeat a signal
        time.sleep(0.05)
        os.kill(other.pid, getattr(signal, signal_name))
    output, _ = other.communicate(timeout=120)
    stored = clwork.open_run(folder)
    assert stored.status == "stopped"
    assert RunFolder(folder).checkpoints.meta().step == stored.step
    if signal_name == "SIGINT":
        assert output.split() == ["stopped", "False", str(stored.step)]
        assert other.returncode == 0
    else:
        assert other.returncode == 128 + getattr(signal, signal_name)


@pytest.mark.parametrize("ending", ["", "raise SystemExit(3)"])
def test_a_script_that_ends_during_the_preparation_stops_its_run(
    ending: str, tmp_path: Path
) -> None:
    program = f"""
        import sys
        import clwork
        settings = {{"steps": 100_000, "batch_size": 8, "device": "cpu"}}
        run = clwork.start("simcse", encoder=sys.argv[2], folder=sys.argv[1], **settings)
        {ending}
    """
    command = [
        sys.executable,
        "-c",
        textwrap.dedent(program),
        str(tmp_path / "run"),
        SHORT["encoder"],
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    stored = clwork.open_run(tmp_path / "run")
    assert stored.status == "stopped", (stored.error, done.stderr)
    assert done.returncode == (3 if ending else 0), done.stderr
    assert "stopped, because the program ended; call run.wait()" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    assert (stored.error or "").startswith(("stopped, because", "")[stored.step > 0])


def test_a_run_killed_before_its_last_encoder_was_saved_is_not_finished(copied: Path) -> None:
    files, end = RunFolder(copied), clwork.open_run(copied).step
    files.write_state("running")
    card = copied / "encoder" / "tokenizer.json"
    card.write_text("of an older encoder")
    run = clwork.resume(copied)
    assert run.step == end
    assert run.status == "finished"
    assert run.encoder.dim == 16
    assert card.read_text() != "of an older encoder"


def test_the_runs_of_a_folder_are_a_table(tiny: dict[str, Any]) -> None:
    run = clwork.train("simcse", **(tiny | {"steps": 2}), name="first")
    run.fork(0, name="fork", steps=2, temperature=0.1).wait()
    table = clwork.runs().set_index("name")
    assert table.temperature.to_dict() == {"first": 0.05, "fork": 0.1}
    assert table.step.to_dict() == {"first": 2, "fork": 2}
    assert clwork.open_run(table.folder["fork"]).step == 2


def test_a_run_that_failed_before_its_first_checkpoint_can_be_started_again(
    tiny: dict[str, Any],
) -> None:
    for batch_size in (10**4, 4):
        run = clwork.start("simcse", **(tiny | {"steps": 1, "batch_size": batch_size}), name="mine")
        with contextlib.suppress(ValueError):
            run.wait()
    assert run.status == "finished"
    with pytest.raises(FileExistsError, match=r"continue that run with clwork\.resume"):
        clwork.start("simcse", **tiny, name="mine")


def test_a_folder_without_a_run_is_used_again_only_if_a_killed_start_left_it(
    tiny: dict[str, Any],
) -> None:
    left = runs_folder() / "mine"
    left.mkdir(parents=True)
    (left / "run.lock").touch()
    (left / "sentences.json").write_text("[]")
    (left / ".start.0123abcd.partial").mkdir()
    clwork.load_encoder("mini", device="cpu").save(left / "start")
    for name in ("notes.txt", "start/notes.txt"):
        (left / name).write_text("mine")
        with pytest.raises(FileExistsError, match=r"holds .*notes.txt.*; give another"):
            clwork.start("simcse", **tiny, name="mine")
        assert (left / name).read_text() == "mine"
        (left / name).unlink()
    (left / "encoder").mkdir()
    with pytest.raises(FileExistsError, match="holds encoder, which would be lost"):
        clwork.start("simcse", **tiny, name="mine")
    (left / "encoder").rmdir()
    assert clwork.train("simcse", **(tiny | {"steps": 1}), name="mine").status == "finished"
    (runs_folder() / "other").mkdir()
    (runs_folder() / "other" / "notes.txt").touch()
    with pytest.raises(FileExistsError, match="is not empty; give another name or folder"):
        clwork.start("simcse", **tiny, name="other")
