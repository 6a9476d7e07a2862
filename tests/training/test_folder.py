"""A run's folder: one writer at a time, whole files, and nothing read or written outside of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.training import BusyRunError, RunFolder, stored_runs
from clwork.training.disk import recipe, tensors
from clwork.training.run.run import RUNS

from ..runs import Heard, stop_at
from .conftest import SHORT, WIDTH
from .test_run import until

ROOT = Path(__file__).resolve().parents[2]


def elsewhere(program: str, *arguments: str) -> subprocess.Popen[str]:
    """A Python of its own that runs ``program``."""
    code = textwrap.dedent(program)
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


HOLD = """
    import sys
    from clwork.training import RunFolder
    files = RunFolder(sys.argv[1])
    files.lock()
    files.write_state("running", 2)
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_second_process_is_refused_and_told_who_trains(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=6, **SHORT)
    stop_at(run, 2)
    before = (run.folder / "record.jsonl").read_text()
    RUNS.remove(run)  # as another kernel sees it
    other = elsewhere(HOLD, str(run.folder))
    assert other.stdout is not None and other.stdin is not None
    assert other.stdout.readline() == "held\n"
    with pytest.raises(BusyRunError, match=f"process {other.pid} on .*stop it there first"):
        clwork.resume(run.folder)
    seen = clwork.open_run(run.folder)
    assert (seen.status, seen.step) == ("running", 2) and seen.encoder.dim == WIDTH
    assert (run.folder / "record.jsonl").read_text() == before
    other.kill()
    other.wait()
    assert clwork.open_run(run.folder).status == "killed"
    assert clwork.resume(run.folder).status == "finished", "a lock whose process is gone holds nobody up"
    assert clwork.open_run(run.folder).status == "finished"


def test_this_kernel_is_refused_too(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=400, **SHORT)
    with pytest.raises(BusyRunError, match="this kernel"):
        RunFolder(run.folder).lock()
    run.stop()
    run.wait()
    files = RunFolder(run.folder)
    files.lock()
    files.unlock()


def test_an_interrupt_at_the_very_start_leaves_the_folder_to_the_run(corpus: Any) -> None:
    waiting = (threading.Event.wait.__code__, threading.Thread.start.__code__)

    def interrupt(frame: Any, *_: Any) -> None:
        if (frame.f_code, frame.f_back and frame.f_back.f_code) == waiting:
            sys.settrace(None)
            raise KeyboardInterrupt

    before = len(clwork.runs())
    sys.settrace(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            clwork.start("simcse", sentences=corpus, steps=400, **SHORT)
    finally:
        sys.settrace(None)
    run = clwork.runs()[before]
    assert run.alive and RunFolder(run.folder).busy(), "it is being written, and nobody else may"
    run.stop()
    assert run.wait().status == "stopped" and not RunFolder(run.folder).busy()


def test_what_killed_writers_left_is_swept_by_the_next(tmp_path: Path) -> None:
    for name in (".run.json.0a1b2c3d.partial", ".checkpoint.safetensors.partial", ".tmpgi5c96"):
        (tmp_path / name).write_text("half")
    (tmp_path / ".best-000004.0a1b2c3d").mkdir()
    (tmp_path / ".best-000004.0a1b2c3d" / "config.json").write_text("{}")
    (tmp_path / ".git").mkdir()
    files = RunFolder(tmp_path)
    files.lock()
    files.unlock()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "run.lock"]


@pytest.mark.parametrize("kept", [True, False], ids=["the last checkpoint is there", "it is not"])
def test_a_run_killed_between_its_last_step_and_its_last_word_is_finished(kept: bool, tiny: dict[str, Any]) -> None:
    run = clwork.start("simcse", **tiny, checkpoint_every=3).wait()  # 8 steps: the one before the last is of step 6
    losses = [row.get("loss") for row in run.records()]
    run.files.write_state("running", run.step)
    (run.folder / ".checkpoint.safetensors.partial").write_text("half")
    if not kept:
        shutil.rmtree(run.folder)
        stopped = clwork.start("simcse", **tiny, folder=run.folder)
        stopped.stop(after=6)
        stopped.wait()
        shutil.copy(stopped.folder / "checkpoint.safetensors", stopped.folder.parent / "six")
        clwork.resume(run.folder)
        shutil.move(stopped.folder.parent / "six", stopped.folder / "checkpoint.safetensors")
        run.files.write_state("running", 8)
    assert clwork.open_run(run.folder).status == "killed"
    again = clwork.resume(run.folder)
    assert again.status == "finished" and clwork.open_run(run.folder).status == "finished"
    assert [row.get("loss") for row in again.records()] == losses
    assert run.files.checkpoints.meta().step == 8
    assert not list(run.folder.glob(".*")), "nothing half is left"


def test_a_full_disk_leaves_the_checkpoint_that_was_there(corpus: Any) -> None:
    program = """
        import resource, sys, time, torch
        import clwork
        from clwork.training import RunFolder
        import signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit then fails as on a full disk
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
    told, _ = other.communicate()
    assert told.split()[-3:] == ["DiskError", "failed", "False"] and other.returncode == 0
    assert f"{run.folder}" in told and "cannot be written: the file is larger than its disk" in told
    assert "delete runs at lab.desk()" in told, told
    assert (run.folder / "checkpoint.safetensors").read_bytes() == before
    assert not list(run.folder.glob(".*partial"))


def test_saving_a_paused_run_harms_neither(corpus: Any, tmp_path: Path) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=400, on_row=heard, **SHORT)
    heard.step(1)
    for number in range(15):
        run.pause()
        copy = run.save(tmp_path / f"at-once-{number}")
        if number % 3 == 0:
            run.resume()
        assert {"run.json", "record.jsonl", "checkpoint.safetensors"} <= {path.name for path in copy.iterdir()}
        assert RunFolder(copy).checkpoints.meta().step <= run.step
    run.stop()
    assert run.wait().status == "stopped", run.error
    assert clwork.open_run(tmp_path / "at-once-14").status == "stopped"


def test_a_failed_start_leaves_a_name_with_a_way_out(corpus: Any) -> None:
    with pytest.raises(ValueError, match="fewer than one batch"):
        clwork.train("simcse", sentences=corpus[:3], steps=2, name="few", **SHORT)
    with pytest.raises(FileNotFoundError, match="before its first"):
        clwork.resume(recipe.runs_folder() / "few")
    with pytest.raises(FileExistsError, match="delete the folder, or give another name"):
        clwork.start("simcse", sentences=corpus, steps=2, name="few", **SHORT)
    assert stored_runs()[0][0].error is not None


def test_a_finished_run_is_light_and_tells_its_size(corpus: Any) -> None:
    run = clwork.train("simcse", sentences=corpus, steps=2, **SHORT)
    weights = (run.folder / "encoder" / "model.safetensors").stat().st_size
    names = {path.name for path in run.folder.iterdir()}
    assert not {"checkpoint.earlier.safetensors", "start", "best"} & names
    assert weights < RunFolder(run.folder).size() < 2.5 * weights


def test_a_folder_of_format_one_opens_and_goes_on(corpus: Any) -> None:
    mini = SHORT | {"encoder": "mini"}  # format 1 has no fingerprints: only what ships is known to be the same
    run = clwork.start("simcse", sentences=corpus, steps=6, seed=3, **mini)
    stop_at(run, 4)
    make_format_one(run.folder)
    stored = clwork.open_run(run.folder)
    assert stored.status == "unfinished"
    assert stored.as_run().probe is None and stored.as_run().references == {}
    resumed = clwork.resume(run.folder)
    whole = clwork.train("simcse", sentences=corpus, steps=6, seed=3, **mini)
    assert (resumed.history["loss"].iloc[1:] == whole.history["loss"].iloc[1:]).all()


def make_format_one(folder: Path) -> None:
    """Turn a run's folder into what the first format was."""
    recipe = json.loads((folder / "run.json").read_text())
    del recipe["fingerprints"]
    recipe["format"] = 1
    (folder / "run.json").write_text(json.dumps(recipe, indent=1))
    (folder / "encoder").rename(folder / "best")
    for name in ("state.json", "run.lock", "checkpoint.earlier.safetensors"):
        (folder / name).unlink(missing_ok=True)
    files = RunFolder(folder)
    tensors, meta = files.checkpoints.read()
    old = {name: value for name, value in meta.model_dump().items() if name not in ("events", "probe", "references")}
    files.checkpoints.write({name: tensor for name, tensor in tensors.items() if name != "probe.vectors"}, old)
    (folder / "checkpoint.earlier.safetensors").unlink()


@pytest.mark.parametrize("place", ["gradient", "weights", "loss"])
def test_what_is_not_finite_is_never_written(place: str, corpus: Any) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=400, on_row=heard, **SHORT, checkpoint_every=2)
    heard.step(3)
    assert run.training.loop is not None
    with run.training.between, torch.no_grad():
        parameter = next(iter(run.training.loop.method.encoder.backbone.parameters()))
        if place == "weights":
            parameter[:] = float("nan")
        elif place == "gradient":
            parameter.register_hook(lambda gradient: gradient * float("inf"))  # type: ignore[no-untyped-call]
        else:
            run.training.loop.method.config.temperature = 1e-38
    with pytest.raises((FloatingPointError, ValueError)) as raised:
        run.wait()
    run.wait = lambda timeout=None: run  # type: ignore[method-assign]
    assert run.status == "failed" and not run.alive
    kept = tensors.read_state(run.folder / "checkpoint.safetensors")[0]
    assert all(tensor.isfinite().all() for tensor in kept.values() if tensor.is_floating_point())
    said = str(raised.value)
    if place != "loss":
        assert "step" in said and "embeddings" in said and "learning_rate" in said
        assert f"checkpoint on disk is of step {RunFolder(run.folder).checkpoints.meta().step}" in said
    copy = run.save(run.folder.parent / "copy")
    assert RunFolder(copy).checkpoints.meta().step == RunFolder(run.folder).checkpoints.meta().step


def test_one_of_the_batchs_sentences_is_named(corpus: Any) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=400, on_row=heard, **SHORT)
    heard.step(1)
    assert run.training.loop is not None
    with run.training.between, torch.no_grad():
        backbone: Any = run.training.loop.method.encoder.backbone
        the = run.training.loop.method.encoder.tokenizer.convert_tokens_to_ids("the")
        backbone.get_input_embeddings().weight[the] = float("nan")
    with pytest.raises(FloatingPointError, match=r"rows are not finite \(\d+: '"):
        run.wait()


@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_a_run_with_a_checkpoint(signal_name: str, tmp_path: Path) -> None:
    program = """
        import signal, sys
        import clwork
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background makes its children deaf
        print("ready", flush=True)
        run = clwork.train("simcse", steps=100_000, batch_size=8, device="cpu", folder=sys.argv[1])
        print(run.status, run.alive, run.step, flush=True)
    """
    folder = tmp_path / "run"
    other = elsewhere(program, str(folder))
    assert other.stdout is not None
    other.stdout.readline()
    until(lambda: (folder / "checkpoint.safetensors").exists() or other.poll() is not None)
    os.kill(other.pid, getattr(signal, signal_name))
    told, _ = other.communicate(timeout=120)
    stored = clwork.open_run(folder)
    assert stored.status == "stopped"
    assert RunFolder(folder).checkpoints.meta().step == stored.step
    if signal_name == "SIGINT":
        assert told.split() == ["stopped", "False", str(stored.step)] and other.returncode == 0
    else:
        assert other.returncode == -15


def test_a_program_that_ends_while_its_runs_are_stopped_still_dies_by_the_signal() -> None:
    program = """
        import signal, time
        from clwork.training.run.termination import install_sigterm_handler
        install_sigterm_handler(lambda: time.sleep(1))  # the end of the program comes first
        print("ready", flush=True)
        signal.pause()  # goes on as soon as the handler has returned
    """
    other = elsewhere(program)
    assert other.stdout is not None
    other.stdout.readline()
    os.kill(other.pid, signal.SIGTERM)
    other.communicate(timeout=60)
    assert other.returncode == -signal.SIGTERM


def test_controls_at_the_edges_of_a_run(corpus: Any) -> None:
    heard = Heard()
    run = clwork.start("simcse", sentences=corpus, steps=400, on_row=heard, **SHORT)
    heard.step(1)
    run.pause()
    until(lambda: run.status == "paused")
    run.controls.temperature = 0.3
    run.stop()
    run.wait()
    assert run.controls.temperature == run.config.temperature == 0.3
    with pytest.raises(RuntimeError, match=r"run is stopped: temperature stays at 0\.3"):
        run.controls.temperature = 0.4
    resumed = clwork.resume(run.folder, background=True, on_row=heard)
    heard.step(run.step + 1)
    assert resumed.config.temperature == 0.3
    events = [event for row in resumed.records() for event in row.get("events", ())]
    resumed.stop()
    resumed.wait()
    assert {"moved": {"temperature": [0.05, 0.3]}} in events
