"""An untrusted tokenizer: present, of a known kind, and no larger than the model's embeddings."""

from __future__ import annotations

import base64
import binascii
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from .configs import translate_loading_errors
from .files import Source, read_json, refuse

NORMALIZERS = {
    "Sequence",
    "BertNormalizer",
    "Lowercase",
    "NFC",
    "NFD",
    "NFKC",
    "NFKD",
    "Nmt",
    "Strip",
    "StripAccents",
    "Prepend",
    "Precompiled",
    "Replace",
    "ByteLevel",
}
PRE_TOKENIZERS = {
    "Sequence",
    "BertPreTokenizer",
    "Whitespace",
    "WhitespaceSplit",
    "Metaspace",
    "ByteLevel",
    "Punctuation",
    "Digits",
    "Split",
    "UnicodeScripts",
    "Delimiter",
    "CharDelimiterSplit",
}
PROCESSORS = {"Sequence", "TemplateProcessing", "BertProcessing", "RobertaProcessing", "ByteLevel"}
DECODERS = {
    "Sequence",
    "WordPiece",
    "BPEDecoder",
    "ByteLevel",
    "Metaspace",
    "Replace",
    "Fuse",
    "Strip",
    "ByteFallback",
    "CTC",
}
KINDS = {"normalizer": NORMALIZERS, "pre_tokenizer": PRE_TOKENIZERS, "post_processor": PROCESSORS, "decoder": DECODERS}
SEQUENCES = {"normalizers", "pretokenizers", "processors", "decoders"}
MODELS = {"WordPiece", "BPE", "Unigram", "WordLevel"}
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_WORD = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?"
_END = r"'s|'t|'re|'ve|'m|'ll|'d"
REGEXES = {
    " {2,}",
    r"\s+",
    " +",
    r"\n",
    r"[\n\r\t]",
    r"\s{2,}|[\n\r\t]",
    " +▁",
    "^▁+$",
    r"\w+|[^\w\s]+",
    r"\p{N}",
    r"\d",
    rf"{_END}| ?\p{{L}}+| ?\p{{N}}+| ?[^\s\p{{L}}\p{{N}}]+|\s+(?!\S)|\s+",  # GPT-2
    rf"{_END}|[\p{{L}}]+|[\p{{N}}]|[^\s\p{{L}}\p{{N}}]+",  # CLIP
    rf"{_WORD}\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}",  # Llama 3
    rf"{_WORD}\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}",  # Qwen 2
    rf"{_WORD}[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_SPACES}",  # Qwen 3.5
}
MOST_RULES, MOST_GROWTH, LONGEST_ADDED = 32, 8, 64
LONGEST_WORD, LONGEST_TEMPLATE, MOST_ADDED = 1000, 64, 20_000


def check_rules(stored: dict[str, Any], path: Path) -> None:
    """Check that a tokenizer.json has only rules of published tokenizers.

    Raises:
        ValueError: a rule is of an unknown kind, lengthens texts too much, or has an unknown regular expression.
    """
    for part, kinds in KINDS.items():
        rules = list(_rules(stored.get(part)))
        if len(rules) > MOST_RULES:
            _refuse(path, f"has {len(rules)} rules as its {part}, more than {MOST_RULES}")
        growth = 1.0
        for rule in rules:
            if rule.get("type") not in kinds:
                _refuse(path, f"has a rule of the kind {rule.get('type')!r:.60} as its {part}, which is unknown")
            growth *= _growth(rule, path)
        if growth > MOST_GROWTH:
            _refuse(path, f"may make a text {growth:.3g} times as long by its {part}, more than {MOST_GROWTH} times")
    _check_model(stored, path)


def _rules(part: Any) -> Iterator[dict[str, Any]]:
    """Yield a part's rules, those of a sequence one by one."""
    if isinstance(part, dict):
        yield part
        if part.get("type") == "Sequence":
            for key in SEQUENCES & part.keys():
                for inner in part[key]:
                    yield from _rules(inner)


def _growth(rule: dict[str, Any], path: Path) -> float:
    """Return the factor by which one rule may lengthen a text."""
    kind, content = rule["type"], str(rule.get("content", rule.get("prepend", "")))
    pattern = rule.get("pattern")
    written = pattern.get("String") if isinstance(pattern, dict) else None
    if isinstance(pattern, dict) and "Regex" in pattern and pattern["Regex"] not in REGEXES:
        _refuse(path, f"has a regular expression of its own ({pattern['Regex']!r:.80})")
    if len(content) > LONGEST_ADDED or (isinstance(written, str) and not written):
        _refuse(path, f"has a rule of the kind {kind!r} that puts {content!r:.60} in place of {pattern!r:.60}")
    if kind == "ByteLevel":
        return 2.0
    if kind == "Precompiled":
        return _longest_of_charsmap(rule, path)
    return max(1.0, len(content) / len(written or "a")) if kind == "Replace" else 1.0


def _longest_of_charsmap(rule: dict[str, Any], path: Path) -> float:
    """Check that no letter of a sentencepiece table becomes a long text; return its factor."""
    try:
        table = base64.b64decode(rule.get("precompiled_charsmap") or "", validate=True)
    except (TypeError, binascii.Error):
        _refuse(path, "has a table of letters that is no base64")
    texts = table[4 + int.from_bytes(table[:4], "little") :].split(b"\0")
    if max(map(len, texts)) > LONGEST_ADDED:
        _refuse(path, f"has a table of letters in which one becomes a text of more than {LONGEST_ADDED} bytes")
    return 3.0  # allows one such rule, not many


def _check_model(stored: dict[str, Any], path: Path) -> None:
    """Check the sizes of the model, the added tokens and the template against published ones."""
    model = stored.get("model")
    if not isinstance(model, dict) or model.get("type", "BPE") not in MODELS:
        _refuse(path, "has no model of a known kind")
    longest = model.get("max_input_chars_per_word", 0)
    if not isinstance(longest, int) or longest > LONGEST_WORD:
        _refuse(path, f"takes words of {longest!r:.40} letters, more than {LONGEST_WORD}")
    if len(stored.get("added_tokens") or ()) > MOST_ADDED:
        _refuse(path, f"adds {len(stored['added_tokens']):,} tokens, more than {MOST_ADDED:,}")
    for rule in _rules(stored.get("post_processor")):
        special = rule.get("special_tokens")
        ids = [token.get("ids", ()) for token in special.values()] if isinstance(special, dict) else []
        if max(map(len, [rule.get("single") or (), rule.get("pair") or (), *ids])) > LONGEST_TEMPLATE:
            _refuse(path, f"puts more than {LONGEST_TEMPLATE} tokens around each sentence")


def _refuse(path: Path, why: str) -> NoReturn:
    refuse(
        path, why, "only rules as published encoders have them are run; give an encoder with a tokenizer of that kind"
    )


SETTINGS, RULES = "tokenizer_config.json", "tokenizer.json"
WORDS = (
    "tokenizer.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "sentencepiece.bpe.model",
    "spiece.model",
    "spm.model",
    "tokenizer.model",
    "tiktoken.model",
    "tekken.json",
    "bpe.codes",
    "dict.txt",
)
FILES = (*WORDS, SETTINGS, "special_tokens_map.json", "added_tokens.json", "chat_template.jinja")
ANYWHERE = ("tokenizer.json", "tokenizer.model", "tiktoken.model", "tekken.json")  # read by every tokenizer class
MOST_BYTES = 64 << 20  # of one of the files; 250,000 pieces of XLM-R take 17 MB
KIND = re.compile(r"\w*(Tokenizer|TokenizerFast|Backend)")
SHORTEST = 3  # positions: a word between [CLS] and [SEP]


def load_tokenizer(source: Source, config: Any) -> Any:
    """Load the tokenizer of a model.

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
        with translate_loading_errors(source.where):
            if path is not None:
                check_rules(read_json(path, MOST_BYTES), path)
            tokenizer: Any = AutoTokenizer.from_pretrained(
                source.where, config=config, local_files_only=source.offline, trust_remote_code=False
            )
            backend = getattr(tokenizer, "backend_tokenizer", None)
            if path is None and backend is not None:  # converted from other files
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


def _check_settings(source: Source, kind: object) -> None:
    """Refuse settings that lead the tokenizer's constructor to other files."""
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


def _is_tokenizer(name: object) -> bool:
    """Whether a name is that of a tokenizer class; classes of other releases count."""
    import transformers

    if not isinstance(name, str) or not KIND.fullmatch(name):
        return False
    named = getattr(transformers, name, None)
    if named is None or type(named).__name__ == "DummyObject":  # of another release, or its package is missing
        return True
    return inspect.isclass(named) and issubclass(named, transformers.PreTrainedTokenizerBase)


def _has_vocabulary(source: Source, names: Iterable[str]) -> bool:
    return any(source.file(name) is not None for name in dict.fromkeys((*ANYWHERE, *names)))


def _refuse_without_words(source: Source) -> None:
    raise ValueError(
        f"{source.where} has no tokenizer: no file of it holds words (such as tokenizer.json or vocab.txt), and "
        "without them every word would be unknown; copy the tokenizer's files into the folder, or save it there with "
        "tokenizer.save_pretrained(folder)"
    )


def check_vocabulary(tokenizer: Any, backbone: Any, where: str) -> None:
    """Check that every id of the tokenizer has a row in the embeddings.

    Raises:
        ValueError: one has none.
    """
    try:
        rows = getattr(backbone.get_input_embeddings(), "num_embeddings", None)
    except NotImplementedError:  # such as CANINE, which hashes characters
        return
    if rows is None or rows != getattr(backbone.config, "vocab_size", None):
        return
    word, highest = max(tokenizer.get_vocab().items(), key=lambda item: item[1])
    with translate_loading_errors(where):
        ids = [highest, tokenizer.pad_token_id, *tokenizer("a a")["input_ids"]]
    if max(ids) >= rows or min(ids) < 0:
        raise ValueError(
            f"the tokenizer of {where} has ids up to {max(ids)} ({word!r:.40} has {highest}), its embeddings {rows} "
            "rows: the two are not of one model, or words were added without rows; take both from one source"
        )
