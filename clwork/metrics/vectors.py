"""What every metric does first: take tensors or arrays, refuse what cannot be measured, put rows on the unit sphere."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..checks import kind
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
        matrix = torch.from_numpy(plain if plain.flags.writeable else plain.copy())
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
    if not torch.isfinite(matrix).all():
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
