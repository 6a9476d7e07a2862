"""The tiny encoder of most tests of methods."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..encoders.conftest import write_tiny


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT with two layers and random weights."""
    return write_tiny(tmp_path_factory.mktemp("tiny"))
