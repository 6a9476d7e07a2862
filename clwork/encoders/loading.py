"""``load_encoder``: the bundled mini, a model of the hub, a local folder, or an encoder that clwork saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn

from .encoder import Encoder
from .heads import ProjectionHead
from .hub import Source
from .pooling import check_pooling
from .quiet import quiet
from .saving import read_head, read_meta
from .textcnn import MODEL_TYPE, PREFIX, read_textcnn, textcnn

SENTENCE_TRANSFORMERS = {"cls": "cls_before_pooler", "mean": "mean", "max": "max"}


def load_encoder(
    name: str | Path = "mini", *, pooling: str | None = None, device: str | None = None, seed: int = 0
) -> Encoder:
    """An encoder by name: ``"mini"``, a folder, or a model of the hub. Weights in float32, from safetensors alone.

    ``"textcnn:VECTORS"`` is an untrained TextCNN over word vectors, such as ``"textcnn:glove-6b-50d"`` or
    ``"textcnn:my-vectors.vec"``; see :func:`.textcnn`.

    Pooling, if you name none: what the encoder was saved with; else what a ``sentence-transformers`` folder says;
    else ``mean`` for the mini, which has no trained [CLS], and ``cls_before_pooler`` (raw [CLS], SimCSE's choice at
    test) for all others. ``pooling="cls"`` sends [CLS] through the pooler that the model was pre-trained with.

    Args:
        name: ``"mini"``, the path of a folder, or a hub name such as ``"bert-base-uncased"``.
        pooling: one of :data:`clwork.encoders.POOLINGS`.
        device: such as ``"cpu"`` or ``"cuda"``; by default a GPU if there is one.
        seed: of weights that are in no file, namely an untrained TextCNN's.

    Raises:
        FileNotFoundError: no such folder.
        ConnectionError: a hub name, and the hub cannot be reached.
        ValueError: no such model, no safetensors, not an encoder, unknown pooling, or one that disagrees with the
            representation of a saved encoder.
    """
    if pooling is not None:
        check_pooling(pooling)
    if str(name).startswith(PREFIX):
        fresh = textcnn(str(name).removeprefix(PREFIX), seed=seed, device=device)
        return fresh if pooling is None else fresh.with_pooling(pooling).eval()
    source = Source(name)
    meta = read_meta(source.folder) if source.folder is not None else {}
    if meta and pooling not in (None, meta["pooling"]):
        raise ValueError(
            f"the encoder in {name} was saved with pooling {meta['pooling']!r}, which its vectors depend on; "
            f"load it without pooling, or change it knowingly: load_encoder({str(name)!r}).with_pooling({pooling!r})"
        )
    backbone: Any
    backbone, pooler, tokenizer = _load(source)
    if meta:
        head, first_layer = read_head(Path(source.where), meta["head"]), int(meta["first_layer"])
        pooling = str(meta["pooling"])
    else:
        pooling, first_layer = pooling or _default_pooling(source), 1
        head = pooler if pooling in ("cls", "cls_before_pooler") else None
    backbone.clwork_base = meta.get("made_from", str(name))
    encoder = Encoder(backbone, tokenizer, name=str(name), pooling=pooling, head=head, first_layer=first_layer)
    return encoder.to(device or ("cuda" if torch.cuda.is_available() else "cpu")).eval()


def base_of(encoder: str | Path | Encoder) -> str:
    """The model that an encoder descends from; of a folder that clwork saved it is read without loading the weights.

    >>> base_of("mini")
    'mini'
    """
    if isinstance(encoder, Encoder):
        return encoder.base
    return str(read_meta(Path(encoder).expanduser()).get("made_from", encoder))


def _default_pooling(source: Source) -> str:
    """The pooling that a plain model was made for, as far as its files tell."""
    if source.name == "mini":
        return "mean"
    if source.json("config.json").get("model_type") == MODEL_TYPE:
        return "max"
    config = source.json("1_Pooling/config.json")
    mode = config.get("pooling_mode")
    old = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens"}
    modes = [mode] if mode else [new for new, key in old.items() if config.get(f"pooling_mode_{key}")]
    if not config:
        return "cls_before_pooler"
    if len(modes) != 1 or modes[0] not in SENTENCE_TRANSFORMERS:
        raise ValueError(
            f"{source.where} pools by {mode or modes}, which clwork does not know; name a pooling yourself"
        )
    return SENTENCE_TRANSFORMERS[modes[0]]


def _load(source: Source) -> tuple[nn.Module, ProjectionHead | None, Any]:
    """Backbone, the pooler it was trained with (None if it has none) and tokenizer."""
    if source.folder is not None and source.json("config.json").get("model_type") == MODEL_TYPE:
        backbone, tokenizer = read_textcnn(source.folder)
        return backbone, None, tokenizer
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    options: dict[str, Any] = {"local_files_only": source.offline, "trust_remote_code": False}
    try:
        config = AutoConfig.from_pretrained(source.where, **options)
    except (ValueError, KeyError) as error:
        raise ValueError(
            f"{source.where} is of a kind that transformers does not know without running code from the model's own "
            f"folder, which clwork never does ({str(error).strip().splitlines()[0]})"
        ) from error
    if config.is_encoder_decoder:
        raise ValueError(f"{source.where} is an encoder-decoder ({config.model_type}); give an encoder, such as a BERT")
    tokenizer = AutoTokenizer.from_pretrained(source.where, **options)
    if tokenizer.pad_token_id is None:
        raise ValueError(f"{source.where} ({config.model_type}) has no padding token; give an encoder, such as a BERT")
    # a pooler that is not in the file is drawn at random, and thrown away below: not from the user's random state
    with quiet(), torch.random.fork_rng(devices=[]):
        backbone, info = AutoModel.from_pretrained(
            source.where, config=config, dtype=torch.float32, use_safetensors=True, output_loading_info=True, **options
        )
    missing = [key for key in info["missing_keys"] if not key.startswith("pooler.")]
    if missing:
        raise ValueError(f"{source.where} lacks weights of its own model, such as {sorted(missing)[0]}: it is damaged")
    return backbone, _take_pooler(backbone, trained=len(missing) == len(info["missing_keys"])), tokenizer


def _take_pooler(backbone: Any, trained: bool) -> ProjectionHead | None:
    """Detach the pooler from a model: as a head if its weights were in the file, else it is random and dropped."""
    pooler = getattr(backbone, "pooler", None)
    if not isinstance(pooler, nn.Module):
        return None
    backbone.pooler = None
    return ProjectionHead.from_pooler(pooler) if trained else None
