"""Files of a model, wherever it lies: the bundled folder, a local one, the hub or the hub's cache."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from ... import checks
from ... import hub as hub_client
from .files import INDEX, WEIGHTS, inside, read_json, refuse, survey
from .leftovers import recover

MINI = Path(__file__).parents[1] / "mini"
SUBFOLDERS = ("1_Pooling", "additional_chat_templates")  # whose files are read too
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth", "model.bin", "model.ckpt")
REMEDY = 'the bundled encoder, load_encoder("mini"), or the path of a folder that holds the model'


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
        path = MINI if self.name == "mini" else checks.path("name", name)
        recover(path)
        self.folder = path if path.is_dir() else None
        self.offline = False
        if self.folder is None:
            if self.name == "mini" or isinstance(name, Path) or not _looks_like_hub(self.name):
                seen = "a file" if path.exists() else "a link that leads nowhere" if path.is_symlink() else ""
                found = f"{path} is {seen}, no folder" if seen else f"there is no folder {path}"
                raise FileNotFoundError(f"{found}; give a folder, a hub name, or 'mini'")
            self.offline = not hub_client.reachable()
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
        try:
            found = hub_client.file_of(self.name, name, REMEDY, offline=self.offline)
        except hub_client.RefusedError as error:
            raise ValueError(f"{error}; use {REMEDY}") from error
        if found is None:
            return None
        if not found.is_file():
            refuse(found, "is no regular file", "delete this model from the hub's cache and fetch it again")
        return found.resolve()

    def json(self, name: str) -> dict[str, Any]:
        """Contents of one of the model's JSON files, empty if there is none."""
        path = self.file(name)
        return {} if path is None else read_json(path)

    def _refuse_without_config(self) -> None:
        if self.offline:
            raise hub_client.unreachable(self.name, REMEDY)
        seen = sorted(p.name for p in self.folder.iterdir())[:5] if self.folder else []
        raise ValueError(f"{self.where} is not a model: it has no config.json (it has: {', '.join(seen) or 'nothing'})")

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
        raise TypeError(f"an encoder's name is text or a path, got {name!r:.60} ({type(name).__name__}); use {REMEDY}")
    if not str(name).strip() or "\0" in str(name):
        raise ValueError(f"{str(name)!r:.60} is no name of an encoder; use {REMEDY}")
    return str(name)


def _looks_like_hub(name: str) -> bool:
    """``name`` or ``owner/name`` in the hub's alphabet."""
    return re.fullmatch(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?", name) is not None
