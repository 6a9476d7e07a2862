"""What a disk refuses is one sentence: place, cause, remedy; what was there before is still there."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clwork.disk import DiskError, disk_errors, write_whole
from clwork.run_folder.folder import RunFolder

FULL = Path("/dev/full")


@pytest.fixture
def forbidden() -> Iterator[Path]:
    """A folder that may be read and not written to, by root neither: its rights are laid down for the time."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o555)
        root = os.name == "posix" and os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield Path(place)
        finally:
            if root:
                os.seteuid(0)
            os.chmod(place, 0o755)


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_a_full_disk_says_what_is_needed_and_left_and_the_old_file_stays(tmp_path: Path) -> None:
    place = tmp_path / "weights"
    write_whole(place, "old")
    needs = 10**15  # more than any disk has left

    def fill(draft: Path) -> None:
        draft.write_bytes(b"half")
        FULL.write_bytes(b"x")  # the kernel's own refusal

    with pytest.raises(DiskError, match=r"No space left on device \(needs 1e\+06 GB, .* left\); free space") as told:
        write_whole(place, fill, needs)
    assert str(place) in str(told.value) and told.value.errno == errno.ENOSPC
    assert place.read_text() == "old" and [path.name for path in tmp_path.iterdir()] == ["weights"]


def test_libraries_in_rust_are_understood_and_other_errors_left_alone(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="No space left on device"), disk_errors(tmp_path):
        raise RuntimeError("Error while serializing: I/O error: No space left on device (os error 28)")
    with pytest.raises(FileNotFoundError, match="no such"), disk_errors(tmp_path):
        raise FileNotFoundError(errno.ENOENT, "no such")
    with pytest.raises(ValueError, match="28"), disk_errors(tmp_path):
        raise ValueError("28 of 3")


def test_a_name_that_is_too_long_and_a_folder_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="File name too long"):
        write_whole(tmp_path / ("n" * 300), "text")
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "gone" / "file", "text")
    assert not (tmp_path / "gone").exists(), "a deleted folder is not made again"
    write_whole(tmp_path / "new" / "file", "text", parents=True)
    assert (tmp_path / "new" / "file").read_text() == "text"


def _new(place: Path) -> None:
    with RunFolder.new("simcse", None, place / "run"):
        raise AssertionError("unreachable")


WRITERS: dict[str, Callable[[Path], Any]] = {
    "a file": lambda place: write_whole(place / "file", "text"),
    "a folder on the way": lambda place: write_whole(place / "new" / "file", "text", parents=True),
    "a run": _new,
    "a lock": lambda place: RunFolder(place).lock(),
    "a line": lambda place: RunFolder(place).append_line("record.jsonl", {"step": 0}),
}


@pytest.mark.skipif(os.name != "posix", reason="rights are others there")
def test_where_one_may_not_write_one_sentence_says_so(forbidden: Path, subtests: pytest.Subtests) -> None:
    for what in WRITERS:
        with subtests.test(what=what):
            with pytest.raises(
                DiskError, match=r"cannot be written: you may not write there; change its rights, or choose"
            ):
                WRITERS[what](forbidden)


def test_a_disk_without_file_locks_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)  # no disk without locks is at hand
    with pytest.raises(DiskError, match=r"no file locks, which keep two writers apart; choose another place"):
        _new(tmp_path)
    assert not (tmp_path / "run").exists(), "nothing half is left"
