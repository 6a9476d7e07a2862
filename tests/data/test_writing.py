"""A failed write leaves the old file."""

from __future__ import annotations

from pathlib import Path

import pytest

from clwork.disk import write_file

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    place = tmp_path / "weights"
    write_file(place, "old")

    def fill(draft: Path) -> None:
        draft.write_bytes(b"half")
        FULL.write_bytes(b"x")  # the kernel's own error

    with pytest.raises(OSError, match="No space left on device"):
        write_file(place, fill)
    assert place.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["weights"]
