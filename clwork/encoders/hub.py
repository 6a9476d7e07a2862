"""Files of a model, wherever it lies: the bundled folder, a local one, the hub or the hub's cache."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from .files import inside, read_json, refuse, survey
from .weights import INDEX, WEIGHTS

MINI = Path(__file__).parent / "mini"
SUBFOLDERS = ("1_Pooling", "additional_chat_templates")  # whose files are read too
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth", "model.bin", "model.ckpt")
REMEDY = 'use the bundled encoder, load_encoder("mini"), or the path of a folder that holds the model'


def hub_reachable(timeout: float = 3.0) -> bool:
    """Whether the model hub, or the proxy that leads to it, accepts a connection.

    Asked first, because the hub's own client tries six times in 23 seconds before it gives up.
    """
    if os.environ.get("HF_HUB_OFFLINE", "").lower() in ("1", "true", "yes", "on"):
        return False
    hub = urlsplit(os.environ.get("HF_ENDPOINT", "https://huggingface.co"))
    proxy = None if proxy_bypass(hub.hostname or "") else getproxies().get(hub.scheme)
    target = urlsplit(proxy if "://" in proxy else f"http://{proxy}") if proxy else hub
    port = target.port or (443 if target.scheme == "https" else 80)
    try:
        with socket.create_connection((target.hostname, port), timeout):
            return True
    except OSError:
        return False


class Source:
    """A model's files by name, from a local folder or the hub: regular files alone, inside the folder alone.

    Every entry of a folder is looked at before anything opens one of them. The files of a hub name are what the hub's
    client gives: its cache consists of links, which are followed.

    Attributes:
        where: what ``transformers`` takes: a folder's path or a hub name.
        folder: the local folder, None for a hub model.
        offline: whether only the local cache may be asked.

    Raises:
        TypeError: the name is neither text nor a path.
        FileNotFoundError: the name is a path and nothing is there.
        ConnectionError: it is a hub name, the hub cannot be reached, and no copy is in the cache.
        ValueError: the hub has no such model, it has no safetensors weights, or a file of the folder is a link out of
            it or no regular file.
    """

    def __init__(self, name: str | Path) -> None:
        self.name = _check_name(name)
        path = MINI if self.name == "mini" else Path(name).expanduser()
        self.folder = path if path.is_dir() else None
        self.offline = False
        if self.folder is None:
            if self.name == "mini" or isinstance(name, Path) or not _looks_like_hub(self.name):
                seen = "a file" if path.exists() else "a link that leads nowhere" if path.is_symlink() else ""
                found = f"{path} is {seen}, no folder" if seen else f"there is no folder {path}"
                raise FileNotFoundError(f"{found}; give a folder, a hub name, or 'mini'")
            self.offline = not hub_reachable()
        else:
            survey(self.folder, SUBFOLDERS)
        self.where = self.name if self.folder is None else str(self.folder)
        if self.file("config.json") is None:
            self._refuse_without_config()
        self._require_safetensors()

    def file(self, name: str) -> Path | None:
        """Local path of one of the model's files, fetched if need be; None if the model has no such file."""
        if self.folder is not None:
            return inside(self.folder, name)
        from transformers.utils.hub import cached_file

        try:
            found = cached_file(
                self.name, name, local_files_only=self.offline, _raise_exceptions_for_missing_entries=False
            )
        except OSError as error:
            if self.offline or _is_network_error(error):
                raise self._unreachable() from error
            raise ValueError(f"the model hub gives no {self.name!r}: {_first_line(error)}; {REMEDY}") from error
        if found is None:
            return None
        if not Path(found).is_file():
            refuse(Path(found), "is no regular file", "delete this model from the hub's cache and fetch it again")
        return Path(found).resolve()

    def json(self, name: str) -> dict[str, Any]:
        """Contents of one of the model's JSON files, empty if there is none."""
        path = self.file(name)
        return {} if path is None else read_json(path)

    def _refuse_without_config(self) -> None:
        if self.offline:
            raise self._unreachable()
        seen = sorted(p.name for p in self.folder.iterdir())[:5] if self.folder else []
        raise ValueError(f"{self.where} is not a model: it has no config.json (it has: {', '.join(seen) or 'nothing'})")

    def _unreachable(self) -> ConnectionError:
        return ConnectionError(
            f"{self.name!r} is no folder here, and the model hub, where it may be a name, cannot be reached (no copy "
            f"is in this machine's cache either); {REMEDY}"
        )

    def _require_safetensors(self) -> None:
        if any(self.file(name) is not None for name in (WEIGHTS, INDEX)):
            return
        pickles = [name for name in PICKLES if self.folder is not None and (self.folder / name).exists()]
        seen = f"only pickled weights ({', '.join(pickles)})" if pickles else "no model.safetensors"
        if self.offline:
            seen += " in this machine's cache, and the hub cannot be reached"
        raise ValueError(
            f"{self.where} has {seen}. clwork loads safetensors alone, for unpickling can run any code. If you trust "
            "where the model comes from, load it with transformers and save it again with save_pretrained(folder)"
        )


def _check_name(name: str | Path) -> str:
    if not isinstance(name, str | os.PathLike):
        raise TypeError(f"an encoder's name is text or a path, got {name!r:.60} ({type(name).__name__}); {REMEDY}")
    if not str(name).strip() or "\0" in str(name):
        raise ValueError(f"{str(name)!r:.60} is no name of an encoder; {REMEDY}")
    return str(name)


def _looks_like_hub(name: str) -> bool:
    """``name`` or ``owner/name`` in the hub's alphabet."""
    return re.fullmatch(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?", name) is not None


def _is_network_error(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ConnectionError | TimeoutError) or type(error).__name__ == "LocalEntryNotFoundError":
            return True
        error = error.__cause__
    return False


def _first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
