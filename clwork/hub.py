"""The Hugging Face hub: the files of a model, and the error if it cannot be reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MODEL_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]  # settings, weights, vocabulary


def unreachable(name: str, instead: str) -> ConnectionError:
    """Return the error for a data set or model that this machine neither has nor can fetch.

    ``instead`` says what to use in its place, as a part of a sentence.
    """
    return ConnectionError(
        f"the hub cannot be reached, and {name!r} is not in this machine's cache; use {instead}, "
        "or check the network, the proxy, and that HF_HUB_OFFLINE is not set"
    )


def model_folder(repository: str, instead: str) -> Path:
    """Return the local folder of a model of the hub, downloaded without pickled weights.

    If the hub does not answer, it is the folder of an earlier download. ``instead`` is what an
    error recommends.

    Raises:
        FileNotFoundError: the name is not that of a model of the hub, but that of a missing folder.
        ConnectionError: the hub cannot be reached, and the model is not in the cache.
        OSError: the hub has no such model, or does not provide it.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = snapshot_download(repository, allow_patterns=MODEL_FILES)
    except HFValidationError:
        # No name of the hub has this form, such as "./folder".
        raise FileNotFoundError(f"there is no folder {repository}; use {instead}") from None
    except (LocalEntryNotFoundError, ConnectionError, TimeoutError) as error:
        raise unreachable(repository, instead) from error
    return Path(folder)


@contextmanager
def quiet() -> Iterator[None]:
    """Context: transformers shows no progress bar, and no report on unused weights."""
    from transformers.utils import logging as untyped_logging

    logging: Any = untyped_logging
    verbosity = logging.get_verbosity()
    shows_bars = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if shows_bars:
            logging.enable_progress_bar()
