r"""A stranger's tokenizer.json: its rules are of known kinds, and make of a text neither a long one nor a long wait.

``tokenizers`` runs the rules in Rust, where no time limit reaches: a regular expression such as ``(a+)+$`` can take
years, and ten rules that double a letter a thousandfold memory. So regular expressions are those of published
tokenizers, letter by letter, and the other rules are held to kinds and sizes.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from .files import refuse

NORMALIZERS = {
    "Sequence", "BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Strip", "StripAccents", "Prepend",
    "Precompiled", "Replace", "ByteLevel",
}  # fmt: skip
PRE_TOKENIZERS = {
    "Sequence", "BertPreTokenizer", "Whitespace", "WhitespaceSplit", "Metaspace", "ByteLevel", "Punctuation", "Digits",
    "Split", "UnicodeScripts", "Delimiter", "CharDelimiterSplit",
}  # fmt: skip
PROCESSORS = {"Sequence", "TemplateProcessing", "BertProcessing", "RobertaProcessing", "ByteLevel"}
DECODERS = {
    "Sequence", "WordPiece", "BPEDecoder", "ByteLevel", "Metaspace", "Replace", "Fuse", "Strip", "ByteFallback", "CTC",
}  # fmt: skip
KINDS = {
    "normalizer": NORMALIZERS, "pre_tokenizer": PRE_TOKENIZERS, "post_processor": PROCESSORS, "decoder": DECODERS
}  # fmt: skip
SEQUENCES = {"normalizers", "pretokenizers", "processors", "decoders"}
MODELS = {"WordPiece", "BPE", "Unigram", "WordLevel"}
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_WORD = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?"
_END = r"'s|'t|'re|'ve|'m|'ll|'d"
REGEXES = {
    " {2,}", r"\s+", " +", r"\n", r"[\n\r\t]", r"\s{2,}|[\n\r\t]", " +▁", "^▁+$", r"\w+|[^\w\s]+", r"\p{N}", r"\d",
    rf"{_END}| ?\p{{L}}+| ?\p{{N}}+| ?[^\s\p{{L}}\p{{N}}]+|\s+(?!\S)|\s+",  # GPT-2
    rf"{_END}|[\p{{L}}]+|[\p{{N}}]|[^\s\p{{L}}\p{{N}}]+",  # CLIP
    rf"{_WORD}\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}",  # Llama 3
    rf"{_WORD}\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}",  # Qwen 2
    rf"{_WORD}[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_SPACES}",  # Qwen 3.5
}  # fmt: skip
MOST_RULES, MOST_GROWTH, LONGEST_ADDED = 32, 8, 64
LONGEST_WORD, LONGEST_TEMPLATE, MOST_ADDED = 1000, 64, 20_000


def check_rules(told: dict[str, Any], path: Path) -> None:
    """Hold what a tokenizer.json says to what published tokenizers do.

    Raises:
        ValueError: a rule is of an unknown kind, may lengthen a text beyond measure, or has a regular expression of its
            own.
    """
    for part, kinds in KINDS.items():
        rules = list(_rules(told.get(part)))
        if len(rules) > MOST_RULES:
            _refuse(path, f"has {len(rules)} rules as its {part}, more than {MOST_RULES}")
        growth = 1.0
        for rule in rules:
            if rule.get("type") not in kinds:
                _refuse(path, f"has a rule of the kind {rule.get('type')!r:.60} as its {part}, which is unknown")
            growth *= _growth(rule, path)
        if growth > MOST_GROWTH:
            _refuse(path, f"may make a text {growth:.3g} times as long by its {part}, more than {MOST_GROWTH} times")
    _check_model(told, path)


def _rules(told: Any) -> Iterator[dict[str, Any]]:
    """A part's rules, those of a sequence one by one."""
    if isinstance(told, dict):
        yield told
        if told.get("type") == "Sequence":
            for key in SEQUENCES & told.keys():
                for inner in told[key]:
                    yield from _rules(inner)


def _growth(rule: dict[str, Any], path: Path) -> float:
    """How many times as long a text may become by one rule."""
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
    """1 for what a table of sentencepiece does to letters, once no letter becomes a long text."""
    try:
        table = base64.b64decode(rule.get("precompiled_charsmap") or "", validate=True)
    except (TypeError, binascii.Error):
        _refuse(path, "has a table of letters that is no base64")
    texts = table[4 + int.from_bytes(table[:4], "little") :].split(b"\0")
    if max(map(len, texts)) > LONGEST_ADDED:
        _refuse(path, f"has a table of letters in which one becomes a text of more than {LONGEST_ADDED} bytes")
    return 3.0  # so that there may be one, not many


def _check_model(told: dict[str, Any], path: Path) -> None:
    """The model, the tokens beside it and the template have sizes as they are published."""
    model = told.get("model")
    if not isinstance(model, dict) or model.get("type", "BPE") not in MODELS:
        _refuse(path, "has no model of a known kind")
    longest = model.get("max_input_chars_per_word", 0)
    if not isinstance(longest, int) or longest > LONGEST_WORD:
        _refuse(path, f"takes words of {longest!r:.40} letters, more than {LONGEST_WORD}")
    if len(told.get("added_tokens") or ()) > MOST_ADDED:
        _refuse(path, f"adds {len(told['added_tokens']):,} tokens, more than {MOST_ADDED:,}")
    for rule in _rules(told.get("post_processor")):
        special = rule.get("special_tokens")
        ids = [one.get("ids", ()) for one in special.values()] if isinstance(special, dict) else []
        if max(map(len, [rule.get("single") or (), rule.get("pair") or (), *ids])) > LONGEST_TEMPLATE:
            _refuse(path, f"puts more than {LONGEST_TEMPLATE} tokens around each sentence")


def _refuse(path: Path, why: str) -> NoReturn:
    refuse(
        path, why, "only rules as published encoders have them are run; give an encoder with a tokenizer of that kind"
    )
