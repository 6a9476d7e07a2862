"""Checks of the metrics' arguments: vectors, labels, encoders and tasks."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .._validation import kind, shown
from ..wording import MANY_UNKNOWN, plural, unknown_tokens_message

Vectors: TypeAlias = Tensor | npt.NDArray[Any]


class Encodes(Protocol):
    """Anything that encodes sentences as vectors."""

    def encode(self, texts: list[str]) -> Any: ...


class CollapsedEncoderError(ValueError):
    """All vectors or cosines are equal, so a score is undefined."""


def as_matrix(x: Vectors, name: str = "x", least_rows: int = 1) -> Tensor:
    """Check vectors and return them as a detached tensor ``(N, D)`` of finite numbers.

    float64 stays float64, all other types become float32. ``name`` is that of the argument, for
    error messages.
    """
    if isinstance(x, np.ndarray) and x.dtype.kind in "fiu":
        # A copy, because torch refuses negative strides and warns about read-only arrays.
        matrix = torch.from_numpy(x.astype(np.float64 if x.dtype == np.float64 else np.float32))
    elif isinstance(x, Tensor) and not x.is_complex() and x.dtype != torch.bool:
        matrix = x.detach() if x.dtype == torch.float64 else x.detach().float()
    else:
        type_of_x = f"{kind(x)} of {x.dtype}" if isinstance(x, np.ndarray | Tensor) else kind(x)
        raise TypeError(
            f"{name} is of type {type_of_x}; "
            "pass vectors as a torch.Tensor or numpy array of numbers, (N, D)"
        )
    shape = tuple(matrix.shape)
    if matrix.dim() != 2:
        raise ValueError(f"{name} has shape {shape}; it must be (N, D), one vector per row")
    if shape[0] < least_rows or shape[1] < 1:
        raise ValueError(
            f"{name} has shape {shape}; at least {least_rows} rows and 1 column are needed"
        )
    # The sum is finite if all numbers are, unless it overflows; it is quicker than isfinite.
    if not torch.isfinite(matrix.sum()) and not torch.isfinite(matrix).all():
        bad_rows = int((~torch.isfinite(matrix)).any(dim=1).sum())
        raise ValueError(
            f"{name} has NaN or infinity in {bad_rows} of {plural(shape[0], 'row')}; "
            "check the run's loss first"
        )
    return matrix


def precise(matrix: Tensor) -> Tensor:
    """Return the matrix in float64; on the CPU if it is on MPS, which has no float64."""
    return (matrix.cpu() if matrix.device.type == "mps" else matrix).double()


def encode_checked(enc: Encodes, texts: list[str]) -> Tensor:
    """Encode texts, and check that the encoder returns one finite vector for each.

    Warns if most tokens are unknown to the encoder, since its scores then mean little.
    """
    unknown = _unknown_share(enc, texts)
    if unknown >= MANY_UNKNOWN:
        # The warning names the line that calls ``sts``, which is three calls above this function.
        warnings.warn(unknown_tokens_message(unknown), stacklevel=4)
    # as_matrix also checks that the numbers are finite.
    vectors = as_matrix(enc.encode(texts), "the encoder's output")
    if len(vectors) != len(texts):
        raise ValueError(
            f"the encoder returned {plural(len(vectors), 'vector')} for "
            f"{plural(len(texts), 'text')}; return one each"
        )
    return vectors


def _unknown_share(enc: Encodes, texts: list[str]) -> float:
    """Return the share of tokens that the vocabulary lacks; 0 if the encoder does not report it."""
    share_of = getattr(enc, "unknown_share", None)
    return 0.0 if share_of is None else float(share_of(texts))


def cause_of_equal_vectors(enc: Encodes, texts: list[str]) -> str:
    """Explain why an encoder has equal vectors for different texts, and what to do."""
    share = _unknown_share(enc, texts)
    if share >= MANY_UNKNOWN:
        return unknown_tokens_message(share)
    return (
        "the encoder has collapsed. See clwork.metrics.diagnose(vectors); use an earlier "
        "checkpoint or lower the learning rate"
    )


def label_codes(labels: Any, name: str, count: int) -> npt.NDArray[np.int64]:
    """Number the labels of ``count`` rows in the order in which they occur.

    A missing label (None or NaN) has the number -1. ``name`` is that of the argument, for errors.
    """
    as_list = labels.tolist() if isinstance(labels, Tensor | np.ndarray) else list(labels)
    if len(as_list) != count:
        raise ValueError(f"{len(as_list)} {name} for {count} vectors; give one per vector")
    codes = np.full(count, -1, dtype=np.int64)
    numbers: dict[Hashable, int] = {}
    for row, label in enumerate(as_list):
        # Only NaN does not equal itself.
        if label is not None and label == label:
            codes[row] = numbers.setdefault(label, len(numbers))
    return codes


def check_encoder(enc: Any) -> None:
    """Check that ``enc`` can encode sentences."""
    # A likely mistake is the encoder's name, and every str has a method `encode`.
    if isinstance(enc, str) or not callable(getattr(enc, "encode", None)):
        raise TypeError(
            f"enc is {kind(enc)} ({shown(enc, 40)}); "
            "give an encoder, such as clwork.load_encoder('mini')"
        )


def check_tasks(tasks: Mapping[str, Any]) -> None:
    """Check that there are tasks; "avg" is the name of their mean score."""
    if not tasks or "avg" in tasks:
        raise ValueError(
            f"tasks are {list(tasks)}; "
            "give at least one, such as {'stsb': pairs}, and none named 'avg'"
        )
