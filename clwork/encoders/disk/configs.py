"""An untrusted ``config.json``: it must name no code and describe no more than the weights hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .weights import Weights

# Switches of transformers' output or loading, dropped: both are fixed here.
LEFT_OUT = {
    "auto_map",
    "custom_pipelines",
    "trust_remote_code",
    "configuration_files",
    "name_or_path",
    "_name_or_path",
    "dtype",
    "torch_dtype",
    "return_dict",
    "use_return_dict",
    "output_attentions",
    "output_hidden_states",
    "torchscript",
    "gguf_file",
    "kernel_config",
    "use_kernels",
    "distributed_config",
    "tp_plan",
    "ep_plan",
}
REFUSED = {
    "quantization_config": "the model in float32, float16 or bfloat16",
    "compression_config": "the model in float32, float16 or bfloat16",
    "fusion_config": "a model without it",
    "transformers_weights": "a model whose weights are in model.safetensors",
}
IMPLEMENTATION = re.compile(r"attn_implementation|experts_implementation")
BUILT_IN = (None, "eager", "sdpa")
# Kinds of numbers: extents of tensors, counts of parts, other counts, positions.
SIZES = re.compile(
    r"(true_|moe_)?(hidden|intermediate|vocab|embedding|type_vocab|ffn|mlp)_(size|dim)|dim|d_model|d_ff|d_inner|emb_dim|n_embd"
)
PARTS = re.compile(r"layer|block|depth|stage|repeat|group|expert|networks")
COUNTS = re.compile(r"(^|_)(num|n)_")
POSITIONS = re.compile(r"position|n_ctx|seq")
FREE = re.compile(r"theta|seed")
MOST_KEYS = 30_000  # of one object: ImageNet has 21,841 classes
FEW_PARTS, MOST_COUNTED, FEW_POSITIONS, FEW_NUMBERS = 256, 100_000, 131_072, 1 << 20


def cleaned(raw: dict[str, Any], where: str) -> dict[str, Any]:
    """Drop what transformers would fetch files or run code for.

    Raises:
        ValueError: it names a kernel of the hub, quantised weights, or weights elsewhere.
    """
    safe: dict[str, Any] = {}
    for key, value in raw.items():
        if key in REFUSED and value not in (None, {}):
            raise ValueError(f"config.json of {where} has {key!r}, which clwork does not follow; give {REFUSED[key]}")
        if key in LEFT_OUT or key in REFUSED:
            continue
        if IMPLEMENTATION.search(key):
            _check_implementation(key, value, where)
            if not isinstance(value, str | None) or value not in BUILT_IN or key.endswith("_internal"):
                continue
        safe[key] = _cleaned_inside(value, where)
    return safe


def _cleaned_inside(value: Any, where: str) -> Any:
    if isinstance(value, dict):
        return cleaned(value, where)
    return [_cleaned_inside(inner, where) for inner in value] if isinstance(value, list) else value


def _check_implementation(key: str, value: object, where: str) -> None:
    for name in value.values() if isinstance(value, dict) else [value]:
        if not isinstance(name, str | None) or (name is not None and re.search(r"[/:\\@]", name)):
            raise ValueError(
                f"config.json of {where} says {key}={name!r:.60}: code from elsewhere, which clwork never runs; "
                "remove the line, if you trust the rest"
            )


def check_sizes(raw: dict[str, Any], weights: Weights, where: str) -> None:
    """Check that every number of the description is possible for weights of this size.

    Raises:
        ValueError: one is larger; building such a model would take time and memory before its weights are compared.
    """
    width = max((n for key, n in _numbers(raw) if SIZES.fullmatch(key) and "vocab" not in key), default=1)
    drawn_up = any("sinus" in key and value for key, value in raw.items())  # a table computed number by number
    for key, number in _numbers(raw):
        most = _most(key, weights)
        if drawn_up and POSITIONS.search(key):
            most = min(most, weights.numbers // max(1, width))
        if abs(number) > most:
            raise ValueError(
                f"config.json of {where} says {key}={number}, and its weights ({len(weights.shapes)} tensors, "
                f"{weights.numbers:,} numbers) are not of such a model; one of the two files is damaged or forged"
            )


def _most(key: str, weights: Weights) -> int:
    if FREE.search(key):
        return 1 << 63
    if SIZES.fullmatch(key):
        return weights.widest
    if PARTS.search(key):
        return max(FEW_PARTS, len(weights.shapes))
    if COUNTS.search(key):
        return MOST_COUNTED
    if POSITIONS.search(key):
        return max(FEW_POSITIONS, weights.widest)
    return max(FEW_NUMBERS, weights.numbers)


def _numbers(value: object, key: str = "") -> Iterator[tuple[str, int]]:
    """Yield whole numbers with the nearest key above them."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _numbers(inner, str(name) if isinstance(name, str) and not name.isdigit() else key)
    elif isinstance(value, list):
        for inner in value:
            yield from _numbers(inner, key)


def make_config(raw: dict[str, Any], weights: Weights, where: str) -> Any:
    """Build the configuration object of transformers that a ``config.json`` describes.

    Raises:
        ValueError: an unknown kind of model, a decoder, or a description that is damaged, forged or asks for code.
    """
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    _check_keys(raw, where)
    raw, kind = cleaned(raw, where), raw.get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        raise ValueError(
            f"{where} is of a kind ({kind!r:.60}) that transformers does not know without running code from the "
            "model's own folder, which clwork never does; give another model, or update transformers if it is new"
        )
    check_sizes(raw, weights, where)
    heads = raw.get("architectures")
    if not isinstance(heads, list | None) or not all(isinstance(head, str) for head in heads or []):
        raise ValueError(f"config.json of {where} says architectures={heads!r:.80}; it must be a list of names")
    with translate_loading_errors(where):
        config: Any = CONFIG_MAPPING[kind].from_dict(raw, name_or_path=where)
    _check_encoder(config, where)
    return config


def _check_keys(value: object, where: str) -> None:
    """Refuse objects with more keys than a table of class names; transformers spends time on each key."""
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_keys(inner, where)
    if isinstance(value, dict) and len(value) > MOST_KEYS:
        raise ValueError(
            f"config.json of {where} has {len(value):,} keys in one place, more than {MOST_KEYS:,}; take it from its "
            "source again"
        )


def _check_encoder(config: Any, where: str) -> None:
    if config.is_encoder_decoder:
        raise ValueError(f"{where} is an encoder-decoder ({config.model_type}); give an encoder, such as a BERT")
    if _generates(config):
        raise ValueError(
            f"{where} ({config.model_type}) is a decoder, made to write text from left to right: its words do not see "
            "the words behind them, and no token sums up a sentence; give an encoder, such as a BERT"
        )
    if not isinstance(getattr(config, "hidden_size", None), int):
        raise ValueError(f"{where} ({config.model_type}) is no plain model of text; give an encoder, such as a BERT")


def _generates(config: Any) -> bool:
    """Whether it is a decoder: by its settings, its trained head, or a model type that only generates."""
    from transformers.models.auto import modeling_auto

    causal = modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    masked = modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    writers = set(causal.values()) - set(masked.values())
    sees_all = getattr(config, "use_bidirectional_attention", False) or getattr(config, "is_causal", None) is False
    return bool(
        getattr(config, "is_decoder", False)
        or writers.intersection(config.architectures or [])
        or (config.model_type in causal and config.model_type not in masked and not sees_all)
    )


@contextmanager
def translate_loading_errors(where: str) -> Iterator[None]:
    """Translate any error of a library that loads untrusted files into one with cause and remedy.

    Raises:
        ValueError: for any error inside, also a panic of a Rust library, which is no ``Exception``.
    """
    try:
        yield
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        cause = " ".join(str(error).split())[:300] or type(error).__name__
        raise ValueError(
            f"{where} cannot be loaded: its files do not describe a model that transformers can build ({cause}); take "
            "them from their source again"
        ) from error
