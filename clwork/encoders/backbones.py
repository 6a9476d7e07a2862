"""A transformer and its tokenizer from untrusted files: checked first, then built, then filled."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from .disk.configs import make_config, translate_loading_errors
from .disk.files import Source
from .disk.vocabulary import check_vocabulary, load_tokenizer
from .disk.weights import Shape, Weights, check_finite, model_weights
from .heads import ProjectionHead
from .packed import use_packed_attention

LOADING = threading.RLock()  # transformers patches its own classes while it builds a model
BUFFERS = 1 << 24  # numbers that a model may hold beside its weights, such as position numbers
REMEDY = "the two files are not of one model, or one is damaged; take both from one source"


@contextmanager
def suppress_transformers_logs() -> Iterator[None]:
    """Hide the progress bar over local tensors and the report on a language model's unused head."""
    from transformers.utils import logging as hf_logging

    messages: Any = hf_logging
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


class IsolatedRng(TorchDispatchMode):
    """Make torch draw from a generator of this block; the global generators are neither read nor advanced.

    ``torch.random.fork_rng`` restores the global state at its end, which also undoes what another thread drew
    meanwhile. This mode applies to the thread that enters it and touches no global state. The numbers are those of
    the global generator after ``torch.manual_seed(seed)``.

    It intercepts every operation, which costs some microseconds each: use it to build a model, not to train one.

    Args:
        seed: of the generators, one for each device.
        most_operations: raise ``ValueError`` after so many; None for no bound. It stops the building of a model that
            its description makes far larger than its weights.

    >>> with IsolatedRng(seed=1):
    ...     first = torch.randn(2)
    >>> torch.equal(first, torch.randn(2, generator=torch.Generator().manual_seed(1)))
    True
    """

    def __init__(self, seed: int = 0, most_operations: int | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._seed, self._left = seed, most_operations
        self._generators: dict[torch.device, torch.Generator] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run one operation, with a generator of this block if it is random."""
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise ValueError("it describes a model of far more parts than its weights have")
        if torch.Tag.nondeterministic_seeded not in func.tags:
            return func(*args, **(kwargs or {}))
        return self._draw(func, args, dict(kwargs or {}))

    def _draw(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        device = next((arg.device for arg in args if isinstance(arg, torch.Tensor)), kwargs.get("device"))
        device = torch.device("cpu" if device is None else device)
        if device.type == "meta" or kwargs.get("generator") is not None:
            return func(*args, **kwargs)
        if not any(argument.name == "generator" for argument in func._schema.arguments):
            func = self._with_generator(func)
        if device not in self._generators:
            self._generators[device] = torch.Generator(device).manual_seed(self._seed)
        kwargs["generator"] = self._generators[device]
        return func(*args, **kwargs)

    @staticmethod
    def _with_generator(func: Any) -> Any:
        """Return the overload of an operation that takes a generator, as ``randn`` has."""
        packet, name = func.overloadpacket, func._overloadname
        wanted = "generator" if name == "default" else f"{name}_generator"
        if wanted not in packet.overloads():
            raise RuntimeError(f"{func} draws from the global generator, which no part of clwork may do")
        return getattr(packet, wanted)


class Transformer(NamedTuple):
    """A backbone, the pooler it was trained with (None if it has none) and its tokenizer."""

    backbone: Any
    pooler: ProjectionHead | None
    tokenizer: Any


def read_transformer(source: Source) -> Transformer:
    """Load a model that ``transformers`` knows, in float32.

    The library opens the tokenizer's files alone: description and weights are read here, compared with each other,
    and passed to it. Missing weights are drawn apart from the user's generators.

    Raises:
        ValueError: damaged files, files that do not belong together, and models that are no encoders.
    """
    raw, weights = source.json("config.json"), model_weights(source)
    with LOADING, suppress_transformers_logs():
        config = make_config(raw, weights, source.where)
        tokenizer = load_tokenizer(source, config)
        with (
            translate_loading_errors(source.where),
            IsolatedRng(most_operations=5000 + 50 * len(weights.shapes)),
            torch.device("meta"),
        ):
            skeleton = _skeleton(config)
        _compare(skeleton, weights, source.where)
        backbone, report = _fill(skeleton, weights, source.where)
    trained = _check_loaded(report, source.where)
    check_finite(source.where, backbone.state_dict().items())
    check_vocabulary(tokenizer, backbone, source.where)
    use_packed_attention(backbone)
    return Transformer(backbone, _take_pooler(backbone, trained), tokenizer)


def _skeleton(config: Any) -> Any:
    """Build the model on the meta device."""
    from transformers import AutoModel

    untyped: Any = AutoModel
    return untyped.from_config(config, trust_remote_code=False, dtype=torch.float32)


def _compare(skeleton: Any, weights: Weights, where: str) -> None:
    """Check that the model needs no more memory than its weights.

    Raises:
        ValueError: it does, or tensors are missing or of another shape.
    """
    wanted: dict[str, Shape] = {name: tuple(part.shape) for name, part in skeleton.named_parameters()}
    size = sum(part.numel() for name, part in skeleton.named_parameters() if not name.startswith("pooler."))
    extra = sum(part.numel() for part in skeleton.buffers())
    if size <= weights.numbers and extra <= max(BUFFERS, weights.numbers):
        return
    missing = []
    for name, shape in wanted.items():
        held = next((key for key in (name, f"{skeleton.base_model_prefix}.{name}") if key in weights.shapes), None)
        if held is None:
            missing.append(name)
        elif weights.shapes[held] != shape:
            _mismatch(where, held, weights.shapes[held], shape)
    if len(missing) < len(wanted):
        _refuse_incomplete(missing, where)
    raise ValueError(
        f"config.json of {where} describes a model of {size + extra:,} numbers, and its weights hold "
        f"{weights.numbers:,}; {REMEDY}"
    )


def _fill(skeleton: Any, weights: Weights, where: str) -> tuple[Any, dict[str, Any]]:
    """Load the weights; return the model and the report of what did not fit."""
    with translate_loading_errors(where), IsolatedRng():
        backbone, report = type(skeleton).from_pretrained(
            None,
            config=skeleton.config,
            state_dict=dict(weights.slices),
            dtype=torch.float32,
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # refused by name in _check_loaded
        )
    backbone.config.name_or_path = backbone.name_or_path = where
    return backbone, report


def _check_loaded(report: dict[str, Any], where: str) -> bool:
    """Refuse missing and mismatched weights, except the pooler's; return whether the pooler's were there."""
    for name, held, wanted in sorted(report["mismatched_keys"]):
        _mismatch(where, name, tuple(held), tuple(wanted))
    _refuse_incomplete(report["missing_keys"], where)
    return not report["missing_keys"]


def _refuse_incomplete(missing: Iterable[str], where: str) -> None:
    weighty = sorted(name for name in missing if not name.startswith("pooler."))
    if weighty:
        raise ValueError(
            f"{where} lacks weights of its own model, such as {weighty[0]}: it is damaged; take it from its source "
            "again"
        )


def _mismatch(where: str, name: str, held: Shape, wanted: Shape) -> None:
    raise ValueError(f"{where}: the weights hold {name} of shape {held}, config.json describes {wanted}; {REMEDY}")


def _take_pooler(backbone: Any, trained: bool) -> ProjectionHead | None:
    """Detach a model's pooler and return it as a head; a pooler without stored weights is dropped."""
    pooler = getattr(backbone, "pooler", None)
    if not isinstance(pooler, nn.Module):
        return None
    backbone.pooler = None
    return ProjectionHead.from_pooler(pooler) if trained else None
