"""The Hugging Face hub: a reachability check, the download of one file, and the error when offline."""

from __future__ import annotations

import os
import threading
from pathlib import Path

TIMEOUT = (
    6.0  # seconds to wait for the hub's first answer; its own clients retry for 23 seconds and more
)

MODEL = [
    "*.json",
    "*.safetensors",
    "*.txt",
    "*.model",
]  # files of a model: settings, weights, vocabulary


def reachable(timeout: float = TIMEOUT) -> bool:
    """Whether the hub answers at all; respects proxies, mirrors (HF_ENDPOINT) and HF_HUB_OFFLINE."""
    if os.environ.get("HF_HUB_OFFLINE", "").lower() in (
        "1",
        "true",
        "yes",
        "on",
    ):  # read at each call
        return False
    answered = threading.Event()

    def query() -> None:
        from huggingface_hub import constants, get_session

        try:
            get_session().head(constants.ENDPOINT, timeout=timeout)
        except Exception:  # of whichever HTTP library the hub's client uses: any means no answer
            return
        answered.set()

    # In a thread, because resolving a name can take half a minute and ignores the timeout.
    thread = threading.Thread(target=query, daemon=True)
    thread.start()
    thread.join(timeout)
    return answered.is_set()


def unreachable(name: str, instead: str) -> ConnectionError:
    return ConnectionError(
        f"the hub cannot be reached, and {name!r} is not in this machine's cache; use {instead}, or check the network, "
        "the proxy, and that HF_HUB_OFFLINE is not set"
    )


def model_folder(repository: str, instead: str) -> Path:
    """Return the folder of a model of the hub on this machine, downloaded without pickled weights.

    Raises:
        ConnectionError: the hub cannot be reached, and the model is not in the cache.
        ValueError: the hub has no such model, or does not give it.
    """
    from huggingface_hub import snapshot_download

    try:
        return Path(
            snapshot_download(repository, allow_patterns=MODEL, local_files_only=not reachable())
        )
    except (OSError, ValueError) as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ConnectionError | TimeoutError | FileNotFoundError):
                raise unreachable(repository, instead) from error
            cause = cause.__cause__
        words = " ".join(str(error).split())[:200]
        raise ValueError(
            f"the hub does not provide {repository!r}: {words}; use {instead}"
        ) from error
