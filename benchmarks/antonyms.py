"""What MoCoUTRL's own antonym copy teaches, against a prefix that does not make an opposite.

``python benchmarks/antonyms.py`` makes the runs of notebook 06, section 3, for each of the
``--seeds``: 24 steps without the loss of words, without a sentence's own antonym copy, with it, and
with a *rival* in its place: the sentence's own adjective after *re-* or *over-*. The rival of
*equal* dose has this only where the antonym has a prefix, so that as many negatives have one as in
the run with the copy. It measures how far copies move in sentences with adjectives that training
never exchanges: copies with WordNet's antonym, with *pre-*, which no run exchanges, and with *re-*,
which the rivals do. The changes of the log lead against the run without the copy, and against the
encoder before training, go to ``benchmarks/results/antonyms.json``. A second call makes only the
runs that are missing. Four seeds take ten minutes on one core.

``--rare`` adds a *rare* rival, which has a rare word in as many pieces where the antonym has a
prefix: no prefix, and not the adjective. It is compared with the run with the copy and the rival of
equal dose, also on copies with such rare words. The changes go to
``benchmarks/results/antonyms_rare.json``, those of the rival for each seed, too.
"""

from __future__ import annotations

import random
import sys
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from torch.nn.functional import cosine_similarity

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import augmenters, data, load_encoder, methods, train
from clwork.augmenters.words import Slot
from clwork.encoders import Encoder

NAME = "antonyms"
STEPS = 24
SETTINGS: dict[str, Any] = {
    "encoder": "mini",
    "steps": STEPS,
    "batch_size": 24,
    "max_length": 32,
    "learning_rate": 3e-4,
    "pooling": "mean",
    "schedule": "constant",
    "warmup": 0.0,
    "perturb": "none",
    "precision": "float32",
    "lam": 1.0,
    "probe_every": STEPS,
    "eval_every": STEPS,
}
Place = tuple[str, Slot]
# Of each tested copy, the word that replaces the adjective.
COPIES: dict[str, Callable[[str, Slot], str]] = {
    "antonym": lambda _, slot: slot.antonyms[0],
    "pre-": lambda adjective, _: "pre" + adjective,
    "re-": lambda adjective, _: "re" + adjective,
}
# What is compared: the name of a row, the copies, and whether the antonym has a prefix.
ROWS = {
    "prefix, antonym's copy": ("antonym", True),
    "prefix, copy with pre-": ("pre-", True),
    "prefix, copy with re-": ("re-", True),
    "other, antonym's copy": ("antonym", False),
}


PREFIXES = ("re", "over")


class Rival(methods.get("mocoutrl")):  # type: ignore[misc]
    """MoCoUTRL whose negative is the sentence's own adjective with *re-* or *over-*."""

    name = "mocoutrl_rival"

    def tokenize(self, examples: Sequence[Any]) -> list[Any]:
        """Put other words in the place of the antonyms."""
        return [
            example._replace(
                places=[
                    place._replace(
                        slot=place.slot._replace(
                            antonyms=self.others(
                                word(example.text, place.slot), place.slot.antonyms
                            )
                        )
                    )
                    for place in example.places
                ]
            )
            for example in super().tokenize(examples)
        ]

    def others(self, adjective: str, antonyms: Sequence[str]) -> tuple[str, ...]:
        """The adjective with both prefixes."""
        return tuple(prefix + adjective for prefix in PREFIXES)


class EqualRival(Rival):
    """The rival in which only antonyms with a prefix are exchanged; the others stay."""

    name = "mocoutrl_equal_rival"

    def others(self, adjective: str, antonyms: Sequence[str]) -> tuple[str, ...]:
        """The antonyms, the adjective with a prefix in the place of those that have one."""
        return tuple(
            PREFIXES[number % 2] + adjective if antonym.endswith(adjective) else antonym
            for number, antonym in enumerate(antonyms)
        )


NO_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "re", "over", "pre")


@cache
def pieces(word: str) -> int:
    """The number of the mini's word pieces."""
    return len(tokenizer()(word, add_special_tokens=False)["input_ids"])


@cache
def tokenizer() -> Any:
    """The mini's tokenizer."""
    return load_encoder("mini").tokenizer


@cache
def rare_words() -> dict[int, list[str]]:
    """WordNet's adjectives by their number of pieces.

    None begins with a prefix or ends with another adjective, none stands in a short sentence, and
    none is put into one.
    """
    table = resources.files("clwork.data").joinpath("relations/wordnet.txt").read_text("ascii")
    groups = [line.split()[1:] for line in table.splitlines() if line.startswith("a ")]
    adjectives = {each.split("/")[0] for group in groups for each in group}
    known = {
        each
        for text in data.sentences("wikipedia-mini").at_most(14)
        for slot in augmenters.slots(text, parts="adjective")
        for each in (word(text, slot), *slot.synonyms, *slot.antonyms)
    }
    found = defaultdict(list)
    for each in sorted(adjectives - known):
        ends = (each[start:] for start in range(1, len(each) - 2))
        if each.isalpha() and not each.startswith(NO_PREFIXES) and adjectives.isdisjoint(ends):
            found[pieces(each)].append(each)
    return dict(found)


@cache
def rare_word(adjective: str, antonym: str) -> str:
    """A rare word in as many pieces as ``antonym``, always the same one."""
    words = rare_words()[min(max(pieces(antonym), 2), 6)]
    return random.Random(f"{adjective}/{antonym}").choice(words)


class RareRival(Rival):
    """The rival of equal dose with rare words, which have no prefix and are not the adjective."""

    name = "mocoutrl_rare_rival"

    def others(self, adjective: str, antonyms: Sequence[str]) -> tuple[str, ...]:
        """The antonyms, a rare word in the place of those that have a prefix."""
        return tuple(
            rare_word(adjective, antonym) if antonym.endswith(adjective) else antonym
            for antonym in antonyms
        )


VARIANTS = {
    "without": ("mocoutrl", 0.0),
    "with": ("mocoutrl", 1.0),
    "rival": (Rival.name, 1.0),
    "equal": (EqualRival.name, 1.0),
}
RARE = {name: VARIANTS[name] for name in ("without", "with", "equal")}
RARE["rare"] = (RareRival.name, 1.0)
COPIES["rare word"] = lambda adjective, slot: rare_word(adjective, slot.antonyms[0])


def parse(arguments: Sequence[str] | None = None) -> Namespace:
    """The command line."""
    parser = report.parser(__doc__)
    parser.add_argument("--rare", action="store_true", help="the rare rival alone")
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1, 2, 3])
    parser.add_argument("--folder", type=Path, default=Path("clwork-runs/antonyms"))
    return parser.parse_args(arguments)


def word(text: str, slot: Slot) -> str:
    """The adjective of a slot."""
    return text[slot.start : slot.end].lower()


def divided() -> tuple[list[str], list[Place]]:
    """The sentences to train on, and the tested places; as in notebook 06.

    A quarter of the adjectives is held out. Tested are those whose first synonym and first antonym
    training neither exchanges nor puts in; each has at most five sentences.
    """
    places = [
        (text, slot)
        for text in data.sentences("wikipedia-mini").at_most(14)
        for slot in augmenters.slots(text, parts="adjective")
        if slot.synonyms and slot.antonyms
    ]
    held_out = set(sorted({word(*place) for place in places})[::4])
    tested = {text: slot for text, slot in places if word(text, slot) in held_out}
    trained = [
        text
        for text in dict(places)
        if not any(word(*place) in held_out for place in places if place[0] == text)
        and all(
            held_out.isdisjoint(slot.synonyms + slot.antonyms) for slot in augmenters.slots(text)
        )
    ]
    texts = set(trained)
    exchanged = {
        each
        for text, slot in places
        if text in texts
        for each in (word(text, slot), *slot.synonyms, *slot.antonyms)
    }
    few = pd.Series([*tested.items()], index=[word(*place) for place in tested.items()])
    kept = few.groupby(level=0).head(5)
    return trained, [
        place
        for place in kept
        if exchanged.isdisjoint((place[1].synonyms[0], place[1].antonyms[0]))
    ]


def log_leads(encoder: Encoder, places: Sequence[Place]) -> dict[str, dict[str, float]]:
    """For each kind of copy, the logarithm of the lead: the mean over each adjective's places."""
    found = {}
    texts = [text for text, _ in places]
    adjectives = [word(*place) for place in places]
    original = torch.from_numpy(encoder.encode(texts))

    def distances(words: Sequence[str]) -> torch.Tensor:
        """Cosine distances of the originals to their copies with these words."""
        copies = [
            augmenters.replace_word(*place, new)[0]
            for place, new in zip(places, words, strict=True)
        ]
        return 1 - cosine_similarity(original, torch.from_numpy(encoder.encode(copies)))

    near = distances([slot.synonyms[0] for _, slot in places])
    for name, replacement in COPIES.items():
        far = distances([replacement(word(*place), place[1]) for place in places])
        leads = pd.Series(torch.log(far / near).numpy(), index=adjectives)
        found[name] = {
            str(each): float(lead) for each, lead in leads.groupby(level=0).mean().items()
        }
    return found


def compared(changes: pd.DataFrame) -> dict[str, Any]:
    """The mean of ``changes`` (adjectives by seeds), with 95 % t intervals."""
    adjectives, seeds = changes.shape
    mean = float(changes.to_numpy().mean())
    by_seed = changes.mean(axis=0)
    of_seeds = float(by_seed.var(ddof=1)) / seeds
    of_adjectives = float(changes.mean(axis=1).var(ddof=1)) / adjectives
    return {
        "adjectives": adjectives,
        "mean": round(mean, 3),
        "over seeds and adjectives": report.interval(mean, of_seeds + of_adjectives, seeds),
        "by seed": by_seed.round(3).tolist(),
    }


def changes(
    records: dict[int, Any], run: str, copies: str, against: str = "without"
) -> pd.DataFrame:
    """The changes of the log lead against the run without the copy: adjectives by seeds."""
    return pd.DataFrame(
        {
            seed: pd.Series(of[run][copies]) - pd.Series(of[against][copies])
            for seed, of in records.items()
        }
    )


def summary(records: dict[int, Any], antonyms: dict[str, str]) -> dict[str, Any]:
    """The changes of the log lead against the run without the copy, and their differences."""
    found: dict[str, Any] = {"seeds": [*records]}
    chosen = {
        name: [each for each in antonyms if antonyms[each].endswith(each) == prefix]
        for name, (_, prefix) in ROWS.items()
    }

    def change(run: str, row: str) -> pd.DataFrame:
        """Adjectives by seeds."""
        return changes(records, run, ROWS[row][0]).loc[chosen[row]]

    first, with_pre, with_re, other = ROWS
    for row in ROWS:
        found[f"{row}: with"] = compared(change("with", row))
        for run in ("rival", "equal"):
            found[f"{row}: {run}"] = compared(change(run, row))
            found[f"{row}: {run} minus with"] = compared(change(run, row) - change("with", row))
    for run in ("with", "equal"):
        for row in (with_pre, with_re):
            copy = row.removeprefix("prefix, ")
            found[f"{run}: antonym's copy minus {copy}"] = compared(
                change(run, first) - change(run, row)
            )
    rare = changes(records, "with", "rare word").loc[chosen[first]]
    found["with: copy with re- minus copy with a rare word"] = compared(
        change("with", with_re) - rare
    )
    groups = {"prefix": chosen[first], "other": chosen[other], "all": [*antonyms]}
    for name, some in groups.items():
        for run in ("without", "with"):
            since = changes(records, run, "antonym", "before").loc[some]
            found[f"{name}, antonym's copy: {run} minus before"] = compared(since)
    return found


def of_rare_rival(records: dict[int, Any], antonyms: dict[str, str]) -> dict[str, Any]:
    """The changes of the log lead of antonyms' copies by the rare rival, for each seed."""
    prefix = [each for each in antonyms if antonyms[each].endswith(each)]
    other = [each for each in antonyms if each not in prefix]
    groups = {
        "prefix": prefix,
        "other": other,
        "other, 3 or more pieces": [each for each in other if pieces(antonyms[each]) > 2],
        "other, 1 or 2 pieces": [each for each in other if pieces(antonyms[each]) < 3],
    }
    found: dict[str, Any] = {"seeds": [*records]}
    for name, chosen in groups.items():
        found[name] = {"adjectives": len(chosen)}
        for seed, of in records.items():
            change = changes({seed: of}, "rare", "antonym").loc[chosen, seed]
            mean = float(change.mean())
            found[name][f"seed {seed}"] = {
                "mean": round(mean, 3),
                "over adjectives": report.interval(
                    mean, float(change.var(ddof=1)) / len(chosen), len(chosen)
                ),
            }
    of_copies = {
        copies: {run: changes(records, run, copies).loc[prefix] for run in RARE}
        for copies in ("antonym", "rare word")
    }
    for copies, of_runs in of_copies.items():
        for run in ("with", "equal", "rare"):
            found[f"prefix, {copies}: {run}"] = compared(of_runs[run])
        for run in ("with", "equal"):
            found[f"prefix, {copies}: {run} minus rare"] = compared(of_runs[run] - of_runs["rare"])
    for run in ("with", "equal", "rare"):
        difference = of_copies["antonym"][run] - of_copies["rare word"][run]
        found[f"{run}: antonym's copy minus copy with a rare word"] = compared(difference)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the runs that are missing, and write the changes."""
    options = parse(arguments)
    methods.register(Rival)
    methods.register(EqualRival)
    methods.register(RareRival)
    sentences, places = divided()
    before = log_leads(load_encoder(SETTINGS["encoder"], pooling="mean"), places)
    records: dict[int, Any] = {}
    for seed in options.seeds:
        records[seed] = {"before": before}
        for name, (method, weight) in (RARE if options.rare else VARIANTS).items():
            folder = options.folder / f"{seed}-{name}"
            if not (folder / "encoder").exists():
                train(
                    method,
                    sentences=sentences,
                    seed=seed,
                    antonym_weight=weight,
                    folder=folder,
                    **SETTINGS,
                )
            records[seed][name] = log_leads(load_encoder(folder / "encoder"), places)
    antonyms = {word(*place): place[1].antonyms[0] for place in places}
    found = (of_rare_rival if options.rare else summary)(records, antonyms)
    name = f"{NAME}_rare" if options.rare else NAME
    report.write(name, found | {"machine": report.machine()}, options.results)


if __name__ == "__main__":
    main()
