"""Blocks of docs/measured.md on what training buys: STS before and after, the order of augmentations, the proxies."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any

from scripts.methods_block import mean_and_spread

MISSING = "Not measured yet."
TASKS = {"stsb": "STS-B", "sickr": "SICK-R"}
POOLINGS = {"cls_before_pooler": "[CLS]", "mean": "mean over tokens", "first_last": "first and last layer"}
TEXTS = {"corpus": "encyclopedia", "stsb_train": "STS-B's kind of text"}
ARMS = {
    "dropout": "dropout, at the mini's preset",
    "paper": "dropout 0.1, as in the paper",
    "none": "no dropout",
    "crop": "crop 10 %",
    "delete_one": "delete one word",
    "fixed_mask": "dropout at the preset, one mask for both views",
}
PAPER = {"paper": 82.5, "none": 71.1, "crop": 77.8, "delete_one": 75.9, "fixed_mask": 43.6}  # its Tables 1 and 3


def interval(values: Sequence[float], among: int = 1) -> tuple[float, float, float]:
    """Mean and the ends of its 95 % t interval, widened for ``among`` comparisons (Bonferroni).

    >>> interval([1.0, 2.0, 3.0])[0], [round(end, 2) for end in interval([1.0, 2.0, 3.0])[1:]]
    (2.0, [-0.48, 4.48])
    """
    from scipy.stats import t

    mean, count = statistics.fmean(values), len(values)
    if count < 2:
        return mean, -math.inf, math.inf
    reach = float(t.ppf(1 - 0.025 / among, count - 1)) * statistics.stdev(values) / math.sqrt(count)
    return mean, mean - reach, mean + reach


def told(values: Sequence[float], among: int = 1) -> str:
    """A mean difference with its interval, as a table's cell."""
    if len(values) < 2:
        return f"{values[0]:+.1f}" if values else "–"
    mean, low, high = interval(values, among)
    return f"{mean:+.1f} ({low:+.1f} to {high:+.1f})"


def sts_table_of(found: dict[str, Any] | None) -> str:
    """Raw and trained scores of each representation, held against the best raw one."""
    if found is None or not found["runs"]:
        return MISSING
    raw = found["raw"]
    best = {task: max(POOLINGS, key=lambda name: raw[name][task]) for task in TASKS}
    per_task = [f"{title}: {part}" for title in TASKS.values() for part in ("raw", "trained", "trained − best raw")]
    rows = ["| Trained on | Representation | " + " | ".join(per_task) + " | s |", "|---" * 9 + "|"]
    for text, title in TEXTS.items():
        runs = [run for run in found["runs"] if run["text"] == text]
        for pooling, name in POOLINGS.items() if runs else ():
            cells = []
            for task in TASKS:
                trained = [run["scores"][pooling][task] for run in runs]
                gained = [score - raw[best[task]][task] for score in trained]
                cells += [f"{raw[pooling][task]:.1f}", mean_and_spread(trained), told(gained)]
            first = pooling == next(iter(POOLINGS))
            spent = mean_and_spread([run["seconds"] for run in runs], 0) if first else ""
            rows.append(f"| {title if first else ''} | {name} | {' | '.join(cells)} | {spent} |")
    return "\n".join([*rows, "", _about_sts(found, best)])


def _about_sts(found: dict[str, Any], best: dict[str, str]) -> str:
    settings, machine, config = found["settings"], found["machine"], found["runs"][0]["config"]
    strongest = " and ".join(
        f"on {title} {POOLINGS[best[task]]} ({found['raw'][best[task]][task]:.1f})" for task, title in TASKS.items()
    )
    seeds = len({run["seed"] for run in found["runs"]})
    changes = ", ".join(f"{name}={value}" for name, value in settings["config"].items())
    both = any(run["text"] == "stsb_train" for run in found["runs"])
    of_its_kind = f", *{TEXTS['stsb_train']}* the sentences of its training pairs, their scores unread" if both else ""
    recipe = "SimCSE as it comes" + (f", but for {changes}," if changes else "")
    return (
        f"The best *raw* representation is {strongest}; differences are to it, over {seeds} seeds, with 95 % t "
        "intervals in brackets (the raw encoder is the same for every seed). Mean ± standard deviation. "
        f"The first row is {recipe} with {settings['steps']} steps of {config['batch_size']} "
        "sentences: dropout as the only augmentation, [CLS], a head in training only, learning rate "
        f"{config['learning_rate']:g}, precision {config['precision']!r}. *s* are seconds of a run, "
        f"its looks and proxies included, on {machine['threads']} CPU thread{'s' * (machine['threads'] > 1)}. "
        f"*Encyclopedia* is `{settings['sentences']}`{of_its_kind}. "
        "The last step counts: no labelled pair chose it."
    )


def augmentation_table_of(found: dict[str, Any] | None) -> str:
    """Each arm's scores, and its paired difference to dropout."""
    if found is None or not found["runs"]:
        return MISSING
    scores = {task: _by_arm(found["runs"], task) for task in TASKS}
    arms = [arm for arm in ARMS if any(run["arm"] == arm for run in found["runs"])]
    among = max(1, len(arms) - 1)
    head = [part for title in TASKS.values() for part in (f"{title}: trained", f"{title}: minus dropout")]
    rows = [f"| Second view | {' | '.join(head)} | paper, STS-B dev |", "|---" * 6 + "|"]
    for arm in arms:
        cells = []
        for task in TASKS:
            own, base = scores[task].get(arm, {}), scores[task].get("dropout", {})
            paired = [own[seed] - base[seed] for seed in sorted(own.keys() & base.keys())]
            cells += [mean_and_spread(list(own.values())), "" if arm == "dropout" else told(paired, among)]
        rows.append(f"| {ARMS[arm]} | {' | '.join(cells)} | {PAPER.get(arm, '')} |")
    settings, machine = found["settings"], found["machine"]
    seeds = len({run["seed"] for run in found["runs"]})
    rows += [
        "",
        f"[CLS] after {settings['steps']} steps of {settings['batch_size']} sentences of `{settings['sentences']}`, "
        f"Spearman × 100 on the validation sets. Mean ± standard deviation over {seeds} seeds; differences are paired "
        f"(same seed, same batches), with 95 % t intervals widened for {among} comparisons. "
        f"{statistics.fmean(run['seconds'] for run in found['runs']):.0f} s a run on {machine['threads']} CPU "
        f"thread{'s' * (machine['threads'] > 1)}. The paper's figures are BERT-base's after a million sentences.",
    ]
    return "\n".join(rows)


def _by_arm(runs: list[dict[str, Any]], task: str) -> dict[str, dict[int, float]]:
    """Scores by arm and seed; a collapsed run has none."""
    found: dict[str, dict[int, float]] = {}
    for run in runs:
        if task in run:
            found.setdefault(run["arm"], {})[run["seed"]] = run[task]
    return found


def proxies_of(found: dict[str, Any] | None) -> str:
    """How far the proxies follow STS, and what follows for the choice of a checkpoint."""
    if found is None or "summary" not in found:
        return MISSING
    from clwork.training.loop.validation import TRUSTED

    values = found["summary"]
    names = {"same_article_auc": "same-article AUC", "topic_knn": "topic k-NN accuracy"}

    def cell(name: str, digits: int) -> str:
        value, low, high = values[name]
        return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"

    follow = [f"{title} {cell(f'{name} stsb', 2)}" for name, title in names.items()]
    won = [f"{cell(f'gain {name} stsb', 1)} by the {title}" for name, title in names.items()]
    encoders = sum(len(run["encoders"]) for run in found["runs"])
    at = {"cls": "[CLS]", "mean": "the mean over tokens"}[found["settings"]["representation"]]
    rule = (
        f"Where the corpus allows it, {names[TRUSTED[0]]} chooses the checkpoint"
        if TRUSTED
        else "So no proxy chooses: the last step is kept, and the proxies are only shown"
    )
    return (
        f"Over {encoders} encoders of {len(found['runs'])} runs at {at}, good and spoilt, the rank correlation with "
        f"STS-B validation is {' and '.join(follow)}; the second exceeds the first by {cell('difference stsb', 2)}. "
        f"Had they chosen a checkpoint in each run, it would have scored {' and '.join(won)} points more than the "
        "last. In brackets are 95 % intervals from resampling runs "
        "(`python benchmarks/proxy_agreement.py --sts FOLDER`). "
        f"{rule}."
    )
