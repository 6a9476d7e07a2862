"""A stranger's tokenizer: there at all, of a known kind, and no larger than the embeddings it was made for."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

from .configs import strangers
from .files import read_json, refuse
from .model_files import Source
from .tokenizer_rules import check_rules

SETTINGS, RULES = "tokenizer_config.json", "tokenizer.json"
WORDS = (
    "tokenizer.json", "vocab.txt", "vocab.json", "merges.txt", "sentencepiece.bpe.model", "spiece.model", "spm.model",
    "tokenizer.model", "tiktoken.model", "tekken.json", "bpe.codes", "dict.txt",
)  # fmt: skip
FILES = (*WORDS, SETTINGS, "special_tokens_map.json", "added_tokens.json", "chat_template.jinja")
ANYWHERE = ("tokenizer.json", "tokenizer.model", "tiktoken.model", "tekken.json")  # read by tokenizers of any class
MOST_BYTES = 64 << 20  # of one of the files; 250,000 pieces of XLM-R take 17 MB
KIND = re.compile(r"\w*(Tokenizer|TokenizerFast|Backend)")
SHORTEST = 3  # positions: a word between [CLS] and [SEP]


def load_tokenizer(source: Source, config: Any) -> Any:
    """The tokenizer beside a model.

    Raises:
        ValueError: there is none (transformers would make an empty one, to which every word is unknown), it is
            damaged, has no padding token or rules that no published one has, or its settings name files elsewhere or
            something that is no tokenizer.
    """
    from transformers import AutoTokenizer

    _check_files(source)
    _check_settings(source, getattr(config, "tokenizer_class", None))
    path = source.file(RULES)
    try:
        with strangers(source.where):
            if path is not None:
                check_rules(read_json(path, MOST_BYTES), path)
            tokenizer: Any = AutoTokenizer.from_pretrained(
                source.where, config=config, local_files_only=source.offline, trust_remote_code=False
            )
            backend = getattr(tokenizer, "backend_tokenizer", None)
            if path is None and backend is not None:  # made of the words and rules of other files
                check_rules(json.loads(backend.to_str()), Path(source.where))
            ordinary = set(tokenizer.get_vocab()).difference(tokenizer.all_special_tokens)
    except ValueError:
        if not _has_vocabulary(source, WORDS):
            _refuse_without_words(source)
        raise
    known = type(tokenizer).vocab_files_names.values()
    if not ordinary or (known and not _has_vocabulary(source, known)):
        _refuse_without_words(source)
    if tokenizer.pad_token_id is None:
        raise ValueError(f"{source.where} ({config.model_type}) has no padding token; give an encoder, such as a BERT")
    limit = tokenizer.model_max_length
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit >= SHORTEST:
        raise ValueError(
            f"{SETTINGS} of {source.where} says model_max_length={limit!r:.60}; it must be a number of {SHORTEST} or "
            "more"
        )
    return tokenizer


def _check_files(source: Source) -> None:
    for name in FILES if source.folder is not None else ():
        path = source.file(name)
        if path is not None and path.stat().st_size > MOST_BYTES:
            refuse(
                path, f"has {path.stat().st_size:,} bytes, more than a tokenizer can need", "take it from its source"
            )


def _check_settings(source: Source, kind: Any) -> None:
    """Nothing in the settings leads the tokenizer's constructor elsewhere."""
    settings = source.json(SETTINGS)
    for name in (settings.get("tokenizer_class"), kind):
        if name is not None and not _is_tokenizer(name):
            raise ValueError(
                f"{source.where} names {name!r:.60} as its tokenizer's class, which is none; take it from its source"
            )
    for name in settings.get("fast_tokenizer_files") or []:
        if not isinstance(name, str) or Path(name).name != name:
            raise ValueError(
                f"{SETTINGS} of {source.where} names the file {name!r:.80}, not one beside it; remove the line"
            )
    for key, value in settings.items():
        places = value.values() if key.endswith("_kwargs") and isinstance(value, dict) else ()
        elsewhere = [place for place in places if isinstance(place, str) and re.search(r"[/\\]", place)]
        named = key == "init_inputs" or (key.endswith(("_path", "_dir")) and key != "name_or_path")
        if elsewhere or (value and named):
            raise ValueError(
                f"{SETTINGS} of {source.where} has {key}={value!r:.80}, which may name files elsewhere; remove the "
                "line, if you trust the rest"
            )


def _is_tokenizer(name: Any) -> bool:
    """Whether the name is of a tokenizer class, known to this release of transformers or not."""
    import transformers

    if not isinstance(name, str) or not KIND.fullmatch(name):
        return False
    found = getattr(transformers, name, None)
    if (
        found is None or type(found).__name__ == "DummyObject"
    ):  # of another release; or a package that it needs is missing
        return True
    return inspect.isclass(found) and issubclass(found, transformers.PreTrainedTokenizerBase)


def _has_vocabulary(source: Source, names: Any) -> bool:
    return any(source.file(name) is not None for name in dict.fromkeys((*ANYWHERE, *names)))


def _refuse_without_words(source: Source) -> None:
    raise ValueError(
        f"{source.where} has no tokenizer: no file of it holds words (such as tokenizer.json or vocab.txt), and "
        "without them every word would be unknown; copy the tokenizer's files into the folder, or save it there with "
        "tokenizer.save_pretrained(folder)"
    )


def check_vocabulary(tokenizer: Any, backbone: Any, where: str) -> None:
    """Every id that the tokenizer can give has a row in the embeddings.

    Raises:
        ValueError: it does not.
    """
    try:
        rows = getattr(backbone.get_input_embeddings(), "num_embeddings", None)
    except NotImplementedError:  # such as CANINE, which hashes characters
        return
    if rows is None or rows != getattr(backbone.config, "vocab_size", None):
        return
    word, highest = max(tokenizer.get_vocab().items(), key=lambda item: item[1])
    with strangers(where):
        given = [highest, tokenizer.pad_token_id, *tokenizer("a a")["input_ids"]]
    if max(given) >= rows or min(given) < 0:
        raise ValueError(
            f"the tokenizer of {where} has ids up to {max(given)} ({word!r:.40} has {highest}), its embeddings {rows} "
            "rows: the two are not of one model, or words were added without rows; take both from one source"
        )
