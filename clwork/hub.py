"""The Hugging Face hub: whether it answers, and the files of a model."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TIMEOUT = 6.0  # seconds to wait for the hub's first answer; its own clients retry for 23 and more
MODEL_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]  # settings, weights, vocabulary


def reachable(timeout: float = TIMEOUT) -> bool:
    """Whether the hub answers within ``timeout`` seconds.

    Proxies, a mirror (HF_ENDPOINT) and HF_HUB_OFFLINE are respected.
    """
    if os.environ.get("HF_HUB_OFFLINE", "").lower() in ("1", "true", "yes", "on"):
        return False
    answered = threading.Event()

    def query() -> None:
        from huggingface_hub import constants, get_session

        try:
            get_session().head(constants.ENDPOINT, timeout=timeout)
        except Exception:
            # An error of whichever HTTP library the hub's client uses: there is no answer.
            return
        answered.set()

    # In a thread, because resolving a name can take half a minute and ignores the timeout.
    thread = threading.Thread(target=query, daemon=True)
    thread.start()
    thread.join(timeout)
    return answered.is_set()


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
        folder = snapshot_download(
            repository, allow_patterns=MODEL_FILES, local_files_only=not reachable()
        )
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
