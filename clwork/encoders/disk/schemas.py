"""Schemas of the files that clwork writes beside an encoder's weights; imported only to read them."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ..heads import ACTIVATIONS
from ..pooling import KNOWN
from .files import read_json, refuse

FORMAT = 1
WIDEST = 65_536  # of a vector
AGAIN = "save the encoder again"


def _known(names: Collection[str], more: str = "") -> AfterValidator:
    def check(name: str) -> str:
        if name not in names:
            raise ValueError(f"not one of {', '.join(names)}{more}")
        return name

    return AfterValidator(check)


def _plain(name: str) -> str:
    if Path(name).name != name or "\0" in name:
        raise ValueError("not a plain file name")
    return name


Width = Annotated[int, Field(ge=1, le=WIDEST)]
Name = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_plain)]


class Strict(BaseModel):
    """Accept types as they are in the file and no unknown field."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class HeadSpec(Strict):
    """Shape of a :class:`.ProjectionHead`; its weights are in a file of their own."""

    kind: Literal["projection"]
    dim: Width
    out: Width
    activation: Annotated[str, _known(ACTIVATIONS)]


class Note(Strict):
    """``clwork.json`` of a saved encoder.

    ``made_from`` is the name of the first ancestor, ``files`` are those that clwork wrote.
    """

    format: int
    made_from: Annotated[str, Field(max_length=4096)]
    pooling: Annotated[str, _known(KNOWN, "; import what registers it, if it is of your own")]
    first_layer: Annotated[int, Field(ge=0, le=4096)]
    head: HeadSpec | None
    files: Annotated[list[Name], Field(max_length=10_000)]


class TextCNNFile(Strict):
    """``config.json`` of a TextCNN: its shape, and the word vectors by name and fingerprint."""

    model_type: Literal["clwork-textcnn"]
    vectors: Annotated[str, Field(min_length=1, max_length=4096)]
    regions: Annotated[list[Annotated[int, Field(ge=1, le=64)]], Field(min_length=1, max_length=1024)]
    filters: Width
    attention: bool | Literal["learned"]
    max_position_embeddings: Annotated[int, Field(ge=1, le=1_000_000)]
    fingerprint: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


M = TypeVar("M", bound=Strict)


def read_as(model: type[M], path: Path) -> M:
    """Read a file and check it by its schema.

    Raises:
        ValueError: damaged JSON, or a field that is missing, unknown or holds what it cannot.
    """
    stored = read_json(path)
    _check_format(stored, path)
    try:
        return model.model_validate(stored)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "it"
        message = first["msg"].removeprefix("Value error, ")
        refuse(path, f"is damaged ({where}: {message}, got {_shown(first['input'])})", AGAIN)


def _check_format(stored: dict[str, Any], path: Path) -> None:
    form = stored.get("format", FORMAT)
    if isinstance(form, int) and form > FORMAT:
        refuse(path, f"has format {form}, this clwork reads up to {FORMAT}", "update clwork")


def _shown(value: object) -> str:
    return json.dumps(value, default=str)[:60]
