"""Silence where the transformers library would talk about what is expected."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def quiet() -> Iterator[None]:
    """Without the progress bar for a few local tensors, and the report that a language model's head is left aside."""
    from transformers.utils import logging as hf_logging

    messages: Any = hf_logging
    logger = logging.getLogger("transformers.modeling_utils")
    shown = messages.is_progress_bar_enabled()

    def keep(record: logging.LogRecord) -> bool:
        return "LOAD REPORT" not in record.getMessage()

    logger.addFilter(keep)
    messages.disable_progress_bar()
    try:
        yield
    finally:
        logger.removeFilter(keep)
        if shown:
            messages.enable_progress_bar()
