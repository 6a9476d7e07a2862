"""Weights in safetensors: headers first; numbers are read once the model is known to have the same size."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import torch

from .files import INDEX, WEIGHTS, Source, read_json, refuse

FLOATS = ("F64", "F32", "F16", "BF16")
HEADER_BYTES = 16 << 20  # room for 100,000 tensors; the library itself would read 100 MB
MOST_SHARDS = 1024
SHARD = re.compile(r"[A-Za-z0-9][\w.-]*\.safetensors")
AGAIN = "copy or download it again"

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Weights:
    """The tensors of a model's files by name: indexing a slice reads it from disk, ``shapes`` are read already."""

    slices: Mapping[str, Any]
    shapes: Mapping[str, Shape]

    @property
    def numbers(self) -> int:
        """Count of all numbers."""
        return sum(map(prod, self.shapes.values()))

    @property
    def widest(self) -> int:
        """The largest extent of any tensor."""
        return max((max(shape, default=1) for shape in self.shapes.values()), default=0)


def open_weights(paths: Iterable[Path]) -> Weights:
    """Open safetensors files by their headers; weights are read later.

    Raises:
        ValueError: a file is truncated or damaged, or holds quantised weights.
    """
    from safetensors import SafetensorError, safe_open

    slices: dict[str, Any] = {}
    for path in paths:
        check_header(path)
        try:
            file: Any = safe_open(path, framework="pt", device="cpu")
            slices |= {name: file.get_slice(name) for name in file.keys()}
        except (SafetensorError, OSError) as error:
            refuse(path, f"is no whole safetensors file ({error}): truncated or damaged", AGAIN)
        for name in file.keys():
            kind = slices[name].get_dtype()
            if name.endswith((".weight", ".bias")) and kind not in FLOATS:
                refuse(path, f"holds {name} as {kind}: quantised weights", "give the model in float32, 16 or bfloat16")
    return Weights(slices, {name: tuple(part.get_shape()) for name, part in slices.items()})


def check_header(path: Path) -> None:
    """Check the header's length before the library allocates memory for it.

    Raises:
        ValueError: the header is longer than HEADER_BYTES, or missing.
    """
    with open(path, "rb") as file:
        first = file.read(8)
    if first == b"version ":
        refuse(path, "is a Git LFS pointer, not the weights themselves", "fetch them with `git lfs pull`")
    if len(first) < 8 or int.from_bytes(first, "little") > HEADER_BYTES:
        refuse(path, "is no whole safetensors file (its header cannot be): truncated or damaged", AGAIN)


def model_weights(source: Source) -> Weights:
    """Open a model's weights: one file, or the shards that an index names.

    Raises:
        ValueError: what :func:`open_weights` raises; an index that names anything but safetensors files beside it.
    """
    single = source.file(WEIGHTS)
    if single is not None:
        return open_weights([single])
    index = source.file(INDEX)
    assert index is not None  # Source has checked that one of the two exists
    paths = []
    for name in _shards(index):
        path = source.file(name)
        if path is None:
            refuse(index, f"names {name}, which is not there", "copy or download the model again")
        paths.append(path)
    return open_weights(paths)


def _shards(index: Path) -> list[str]:
    places = read_json(index).get("weight_map")
    named = list(places.values()) if isinstance(places, dict) else []
    if not named or not all(isinstance(name, str) for name in named):
        refuse(index, "has no 'weight_map' from names of tensors to names of files", "take it from its source again")
    shards = sorted(set(named))
    wrong = [name for name in shards if not SHARD.fullmatch(name)]
    if wrong:
        refuse(index, f"names {wrong[0]!r:.80}; shards are plain *.safetensors files beside it", "save the model anew")
    if len(shards) > MOST_SHARDS:
        refuse(index, f"names {len(shards):,} files, more than {MOST_SHARDS:,}", "save the model in larger shards")
    return shards


def fit(path: Path, held: Mapping[str, Shape], wanted: Mapping[str, Shape]) -> None:
    """Compare the tensors of a file with its description, before memory is allocated for them.

    Raises:
        ValueError: one is missing, unknown, or of another shape.
    """
    for name, shape in wanted.items():
        if name not in held:
            refuse(path, f"lacks the tensor {name} of shape {shape}", "save the encoder again")
        if held[name] != shape:
            refuse(path, f"holds {name} of shape {held[name]}, its description says {shape}", "save the encoder again")
    if more := sorted(set(held) - set(wanted)):
        refuse(path, f"holds a tensor {more[0]!r:.80} that its description does not know", "save the encoder again")


def check_finite(where: object, tensors: Iterable[tuple[str, torch.Tensor]]) -> None:
    """Check that all numbers are finite.

    Raises:
        ValueError: a tensor, which the message names, holds NaN or infinity.
    """
    for name, tensor in tensors:
        if not tensor.is_floating_point() or bool(tensor.sum().isfinite()):  # one pass, no extra memory
            continue
        if count := int((~tensor.isfinite()).sum()):  # else only the sum overflowed
            raise ValueError(
                f"the weights in {where} hold NaN or infinity: {count:,} of {tensor.numel():,} numbers of {name}. "
                "A training that diverged leaves such weights; take a copy from before, or train again at a lower rate"
            )
