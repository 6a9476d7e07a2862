"""The modules of a sentence-transformers folder: what is read, and what is refused by name."""

from __future__ import annotations

import re
import warnings
from typing import Any

import torch
from torch import nn

from .heads import ACTIVATIONS, ProjectionHead
from .model_files import WEIGHTS, ModelFiles, loading_errors, read_weights
from .pooling import KNOWN, one_layer_poolings
from .saving import ABOUT

ORDER = ("Transformer", "Pooling", "Dense", "Normalize")  # each at most once
# Settings that are applied, or that leave the float32 vectors of `encode` as they are; all others are refused.
READ = re.compile(
    r"(max_seq_length|model_max_length|do_lower_case|unpad_inputs|query_(length|expansion)|document_length|"
    r"(torch_)?dtype|attn_implementation|use_(fast|cache)|output_hidden_states|add_pooling_layer|trust_remote_code|"
    r"(word_)?embedding_dimension|pooling_mode\w*|include_prompt|in_features|out_features|bias|activation_function)=.*|"
    r"\w+=(None|\{\})|use_residual=False|module_(in|out)put_name=sentence_embedding|module_output_name=token_embeddings|"
    r"transformer_task=feature-extraction|"
    r"modality_config=\{'text': \{'method': 'forward', 'method_output_name': 'last_hidden_state'\}\}",
    re.DOTALL,
)


def read_modules(files: ModelFiles) -> tuple[str, ProjectionHead | None] | None:
    """Return the pooling and the head that a model's modules compute; None if it has no ``modules.json``."""
    if files.modules is None:
        if files.file("config.json", "1_Pooling") is None:
            return None
        raise unsupported(files, "a folder 1_Pooling without modules.json")
    pooling, head, rank = None, None, -1
    about = files.json(ABOUT, "")
    prompt = (about.get("prompts") or {}).get(about.get("default_prompt_name")) or None
    _check(files, ABOUT, {"default_prompt": prompt, "truncate_dim": about.get("truncate_dim")})
    for kind, place in (module for module in files.modules if module[0] != "Dropout"):  # used in training only
        part = f"the module {kind} ({place or 'of this folder'})"
        if kind not in ORDER[rank + 1 :]:
            raise unsupported(files, part)
        rank = ORDER.index(kind)
        settings = files.json("config.json", place) if rank else transformer_settings(files)
        _check(files, part, settings)
        if kind == "Pooling" and settings:
            pooling = _pooling(files, settings)
        elif kind == "Dense":
            head = _head(files, place, settings)
    if pooling is None:
        raise unsupported(files, "no module Pooling with a config.json")
    if rank == ORDER.index("Normalize") and not files.strong:
        text = "scales its vectors to length 1 (Normalize), but clwork's encoder does not; divide them by their length"
        warnings.warn(f"{files.where} {text}", stacklevel=3)
    return "cls" if head is not None and pooling == "cls_before_pooler" else pooling, head


def unsupported(files: ModelFiles, what: str) -> ValueError:
    """Make the error for a part of a folder that clwork cannot compute."""
    return ValueError(
        f"{files.where} uses {what}, which clwork does not support; use it in sentence-transformers, or set pooling= "
        "explicitly to read only the transformer"
    )


def transformer_settings(files: ModelFiles) -> dict[str, Any]:
    """Read ``sentence_bert_config.json``, or its equivalent by an earlier name; empty without ``modules.json``."""
    names = ("bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet") if files.modules else ()
    settings = next(filter(None, (files.json(f"sentence_{name}_config.json") for name in names)), {})
    for name in [key for key in settings if re.fullmatch("(model|tokenizer|processor|config)_(kw)?args", key)]:
        settings |= settings.pop(name) or {}
    return settings


def apply_settings(settings: dict[str, Any], tokenizer: Any) -> None:
    """Set a tokenizer's length limit and lower-casing as sentence-transformers does."""
    limit = settings.get("model_max_length") or settings.get("max_seq_length")
    if limit is not None:
        tokenizer.model_max_length = int(limit)
    if settings.get("do_lower_case"):
        from tokenizers.normalizers import Lowercase, Sequence

        backend = tokenizer.backend_tokenizer
        backend.normalizer = Sequence([Lowercase(), *filter(None, [backend.normalizer])])


def _check(files: ModelFiles, place: str, settings: dict[str, Any]) -> None:
    """Raise for a setting that may change the vectors and that clwork does not apply."""
    for key, value in settings.items():
        if not READ.fullmatch(f"{key}={value}"):
            raise unsupported(files, f"{key}={value!r:.60} of {place}")


def _pooling(files: ModelFiles, settings: dict[str, Any]) -> str:
    # sentence-transformers writes one name; its earlier releases wrote a flag for each mode.
    flags = [key.removeprefix("pooling_mode_") for key, value in settings.items() if value and "_mode_" in key]
    modes = settings.get("pooling_mode") or flags or "mean"
    mode = modes[0] if isinstance(modes, list) and len(modes) == 1 else modes
    for name in one_layer_poolings():
        if mode in (KNOWN[name].mode, re.sub("_tokens?$", "", KNOWN[name].mode)):
            return name
    raise unsupported(files, f"the pooling {mode!r:.80}")


def _head(files: ModelFiles, place: str, settings: dict[str, Any]) -> ProjectionHead:
    named = str(settings.get("activation_function", "torch.nn.Tanh"))
    activation = {kind.__name__: name for name, kind in ACTIVATIONS.items()}.get(named.rpartition(".")[2])
    weights = files.file(WEIGHTS, place)
    if activation is None or not named.startswith("torch.nn.") or weights is None:
        raise unsupported(files, f"a module Dense ({place}) with {named:.80} and {'' if weights else 'no '}{WEIGHTS}")
    with loading_errors(files.where):
        width, out = int(settings["in_features"]), int(settings["out_features"])
        head = ProjectionHead(width, out, activation, generator=torch.Generator())
    bias = head.dense.bias  # zeros, for a module without bias
    if not settings.get("bias", True):
        head.dense.bias = None
    read_weights(nn.ModuleDict({"linear": head.dense}), weights)
    head.dense.bias = bias
    return head
