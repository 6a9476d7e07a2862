"""A failed write raises an error with path, cause and remedy, and leaves the old file."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clwork.disk import DiskError, write_file
from clwork.run_folder.folder import RunFolder

FULL = Path("/dev/full")


@pytest.fixture
def forbidden() -> Iterator[Path]:
    """A folder that nobody may write to, root included."""
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
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    place = tmp_path / "weights"
    write_file(place, "old")

    def fill(draft: Path) -> None:
        draft.write_bytes(b"half")
        FULL.write_bytes(b"x")  # the kernel's own error

    with pytest.raises(
        DiskError, match=r"No space left on device \(needs 1e\+06 GB, .* left\); free space"
    ) as raised:
        write_file(place, fill, needs=10**15)  # more than any disk has left
    assert str(place) in str(raised.value)
    assert raised.value.errno == errno.ENOSPC
    assert place.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["weights"]


def test_missing_folders_are_created_only_on_request(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_file(tmp_path / "gone" / "file", "text")
    assert not (tmp_path / "gone").exists(), "a deleted folder is not made again"
    write_file(tmp_path / "new" / "file", "text", parents=True)
    assert (tmp_path / "new" / "file").read_text() == "text"


@pytest.mark.skipif(os.name != "posix", reason="permissions differ there")
def test_every_writer_reports_missing_permissions(forbidden: Path) -> None:
    def new() -> None:
        with RunFolder.new("simcse", None, forbidden / "run"):
            raise AssertionError("unreachable")

    writers: list[Callable[[], object]] = [
        lambda: write_file(forbidden / "new" / "file", "text", parents=True),
        new,
        lambda: RunFolder(forbidden).lock(),
        lambda: RunFolder(forbidden).append_line("record.jsonl", {"step": 0}),
    ]
    for write in writers:
        with pytest.raises(
            DiskError,
            match=r"cannot be written: Permission denied; free space, change permissions, or",
        ):
            write()
