"""Checks of the metrics' arguments: vectors as tensors or arrays, labels, sentences, encoders, tasks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .._validation import is_number, kind, shown
from ..wording import plural

Vectors: TypeAlias = Tensor | npt.NDArray[Any]


def as_matrix(x: Vectors, name: str = "x", least_rows: int = 1) -> Tensor:
    """``x`` as a detached floating-point tensor of shape (N, D): float32 (from half or whole numbers too) or float64.

    Raises:
        TypeError: neither a tensor nor an array of numbers.
        ValueError: not two-dimensional, fewer than ``least_rows`` rows, no columns, or NaN or infinity inside.
    """
    if isinstance(x, np.ndarray) and x.dtype.kind in "fiu" and not isinstance(x, np.ma.MaskedArray):
        wide = x.dtype.kind == "f" and x.dtype.itemsize >= 8
        plain = np.ascontiguousarray(x, dtype=np.float64 if wide else np.float32)
        own = plain.flags.writeable and min(plain.strides, default=0) >= 0  # a single row can be read backwards
        matrix = torch.from_numpy(plain if own else plain.copy())
    elif isinstance(x, Tensor) and not x.is_complex() and x.dtype != torch.bool:
        if x.is_nested or x.layout != torch.strided:
            raise TypeError(f"{name} is a sparse or nested tensor; pass a plain one, (N, D): {name}.to_dense()")
        if x.device.type == "meta":
            raise ValueError(f"{name} is on the device 'meta' and holds no numbers; pass one on a CPU or GPU")
        matrix = x.detach() if x.dtype == torch.float64 else x.detach().float()
    else:
        name_of_type = "array" if type(x) is np.ndarray else kind(x)
        what = f"{name_of_type} of {x.dtype}" if isinstance(x, np.ndarray | Tensor) else name_of_type
        raise TypeError(f"{name} is of type {what}; pass vectors as a torch.Tensor or numpy array of numbers, (N, D)")
    shape = tuple(matrix.shape)
    if matrix.dim() != 2:
        raise ValueError(f"{name} has shape {shape}; it must be (N, D): one vector a row")
    if shape[0] < least_rows or shape[1] < 1:
        raise ValueError(f"{name} has shape {shape}; at least {least_rows} rows and 1 column are needed")
    if not torch.isfinite(matrix.sum()) and not torch.isfinite(matrix).all():  # a finite sum has finite parts: faster
        bad = int((~torch.isfinite(matrix)).any(dim=1).sum())
        raise ValueError(
            f"{name} has NaN or infinity in {bad} of {plural(shape[0], 'row')}; "
            "look at the run's loss and gradients before "
            f"geometry"
        )
    return matrix


def precise(matrix: Tensor) -> Tensor:
    """The matrix in float64, on the CPU where the device has no float64 (Apple's MPS)."""
    return (matrix.cpu() if matrix.device.type == "mps" else matrix).double()


def label_list(labels: Any, name: str, count: int) -> list[Hashable | None]:
    """Return labels of ``count`` rows as words or numbers of Python's own; None for None and NaN.

    Raises:
        TypeError: no list, or labels that cannot be compared.
        ValueError: not as many as rows.
    """
    plain = labels.tolist() if isinstance(labels, Tensor | np.ndarray) else labels
    if isinstance(plain, str | bytes | Mapping | set | frozenset) or not hasattr(plain, "__len__"):
        raise TypeError(f"{name} is {kind(labels)} ({shown(labels, 40)}); give a list, one for each vector")
    if len(plain) != count:
        raise ValueError(f"{len(plain)} {name} for {count} vectors; there must be one each")
    words = [None if is_number(label) and label != label else label for label in plain]
    for row, label in enumerate(words):
        if isinstance(label, Tensor) or not isinstance(label, Hashable) or not _hashes(label):
            raise TypeError(f"{name}, row {row}: {shown(label)} is {kind(label)}; give words or whole numbers")
    return words


def _hashes(label: Hashable) -> bool:
    """Whether all that a label holds is hashable, as in a tuple."""
    try:
        hash(label)
    except TypeError:
        return False
    return True


def check_answers(true: Any, predicted: Any) -> None:
    """Check true and predicted labels, one for one.

    Raises:
        TypeError: no lists of words or numbers, or both mixed.
        ValueError: none, not as many answers as questions, or one that is missing.
    """
    known = []
    for name, labels in (("true", true), ("predicted", predicted)):
        known.append(label_list(labels, name, len(labels) if hasattr(labels, "__len__") else 0))
        if None in known[-1]:
            row = known[-1].index(None)
            raise ValueError(f"{name}, row {row}: the label is missing (None or NaN); leave the row out")
    if len(known[0]) != len(known[1]) or not known[0]:
        raise ValueError(f"{len(true)} true labels and {len(predicted)} predicted; there must be as many, at least 1")
    if len({isinstance(label, str) for labels in known for label in labels}) > 1:
        raise TypeError("some labels are words and some are numbers, which are never equal; give one kind")


def texts_of(texts: Sequence[Any], name: str) -> list[str]:
    """Return the texts as a list; check that each is a str.

    Raises:
        TypeError: one is none.
    """
    if isinstance(texts, str | bytes) or not hasattr(texts, "__len__"):
        raise TypeError(f"{name} is {kind(texts)} ({shown(texts, 40)}); give a list of sentences")
    sentences = list(texts)
    for row, text in enumerate(sentences):
        if not isinstance(text, str):
            raise TypeError(f"{name}, row {row}: {shown(text)} is {kind(text)}; every sentence must be a str")
    return sentences


def check_encoder(enc: Any) -> None:
    """Check that ``enc`` has a method ``encode``.

    Raises:
        TypeError: it has none, as the name of an encoder.
    """
    if isinstance(enc, str) or not callable(getattr(enc, "encode", None)):  # every str has an encode of its own
        raise TypeError(f"enc is {kind(enc)} ({shown(enc, 40)}); give an encoder, such as clwork.load_encoder('mini')")


def check_tasks(tasks: Any, example: str) -> None:
    """Check that ``tasks`` maps names to at least one task.

    Raises:
        TypeError: no mapping.
        ValueError: an empty one, or one with a task called "avg".
    """
    if not isinstance(tasks, Mapping):
        raise TypeError(f"tasks is {kind(tasks)} ({shown(tasks, 40)}); give a dict, as {example}")
    if not tasks or "avg" in tasks:
        raise ValueError(f"tasks are {list(tasks)}; give at least one, as {example}, and none may be called 'avg'")
