"""Blocks of docs/measured.md on scores: all methods, STS before and after, the order of augmentations, the proxies."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any

MISSING = "Not measured yet."
COLUMNS = ("STS-B: raw", "trained", "SICK-R: raw", "trained", "alignment", "uniformity", "effective rank", "s", "MiB")
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


def mean_and_spread(values: Sequence[float | None], digits: int = 1) -> str:
    """``mean ± sample standard deviation``; a dash if any value is missing."""
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return "–"
    mean = f"{statistics.fmean(known):.{digits}f}"
    return f"{mean} ± {statistics.stdev(known):.{digits}f}" if len(known) > 1 else mean


def interval(values: Sequence[float], among: int = 1) -> tuple[float, float, float]:
    """Mean and the ends of its 95 % t interval, widened for ``among`` comparisons (Bonferroni).

    >>> interval([1.0, 2.0, 3.0])[0], [round(end, 2) for end in interval([1.0, 2.0, 3.0])[1:]]
    (2.0, [-0.48, 4.48])
    """
    from scipy.stats import t

    mean, count = statistics.fmean(values), len(values)
    if count < 2:
        return mean, -math.inf, math.inf
    half = float(t.ppf(1 - 0.025 / among, count - 1)) * statistics.stdev(values) / math.sqrt(count)
    return mean, mean - half, mean + half


def difference_cell(values: Sequence[float], among: int = 1) -> str:
    """A mean difference with its interval, as a table's cell."""
    if len(values) < 2:
        return f"{values[0]:+.1f}" if values else "–"
    mean, low, high = interval(values, among)
    return f"{mean:+.1f} ({low:+.1f} to {high:+.1f})"


def methods_table_of(measured: dict[str, Any] | None) -> str:
    """Table of all methods, with its conditions."""
    if measured is None or not measured["runs"]:
        return MISSING
    by_method: dict[str, list[dict[str, Any]]] = {}
    for run in measured["runs"]:
        by_method.setdefault(run["method"], []).append(run)
    head = ["Method", *COLUMNS, "in the paper: STS-B / SICK-R, test"]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    rows += [_method_row(runs, measured["published"].get(method)) for method, runs in by_method.items()]
    settings, threads = measured["settings"], measured["settings"]["threads"]
    counts = sorted({len(runs) for runs in by_method.values()})
    own = sorted(
        {f"{run['title']} ({run['encoder']})" for run in measured["runs"] if run["encoder"] != settings["encoder"]}
    )
    started = f"All start from {settings['encoder']!r}" + (f", except {', '.join(own)}" if own else "")
    rows += [
        "",
        "Spearman × 100 on the validation sets, all pairs of a set in one ranking; alignment over some pairs of STS-B "
        f"with a gold score above 4. Mean ± standard deviation over {' to '.join(map(str, counts))} seeds; "
        f"{settings['steps']} steps of "
        f"{settings['batch_size']} sentences of {settings['sentences']!r} for every method, "
        f"{settings['precision']}, {threads} CPU thread{'s' * (threads > 1)}. {started}. *Raw* is each method's "
        "own representation before the first step, *trained* that of the last step: no labelled pair chose it. "
        "*s* are seconds of training, *MiB* the peak of memory above what the process held before."
        + "".join(noise_sentence(runs) for runs in by_method.values()),
    ]
    return "\n".join(rows)


def _method_row(runs: list[dict[str, Any]], paper: dict[str, Any] | None) -> str:

    def cell(when: str, name: str, digits: int = 1) -> str:
        return mean_and_spread([run[when].get(name) for run in runs], digits)

    cells = [runs[0]["title"], cell("raw", "stsb"), f"**{cell('trained', 'stsb')}**"]
    cells += [cell("raw", "sickr"), f"**{cell('trained', 'sickr')}**"]
    cells += [cell("trained", name, digits) for name, digits in (("alignment", 2), ("uniformity", 2))]
    cells += [cell("trained", "effective_rank")]
    cells += [f"{statistics.fmean(run['seconds'] for run in runs):.0f}"]
    memory = [run["mib"] for run in runs]
    cells += ["–" if None in memory else f"{statistics.fmean(memory):.0f}"]
    published = "–" if paper is None else f"{paper['stsb']} / {paper['sickr']} ({paper['backbone']})"
    return f"| {' | '.join([*cells, published])} |"


def noise_sentence(runs: list[dict[str, Any]]) -> str:
    """One sentence on the effect of DCLR's two ideas; empty if not measured."""
    parts = [run["parts"] for run in runs if run.get("parts", {}).get("noise_gradient") is not None]
    if not parts:
        return ""
    noise, pull, masked, change = (
        f"{100 * statistics.fmean(part[name] for part in parts):.1f} %"
        for name in ("noise_mass", "noise_gradient", "masked_share", "masking_gradient")
    )
    return (
        f" What {runs[0]['title']} adds to SimCSE, over its last steps: noise has {noise} of the softmax, and its part "
        f"of the gradient is {pull} as long as the whole; {masked} of the in-batch negatives are masked, which changes "
        f"the gradient by {change}."
    )


def sts_table_of(measured: dict[str, Any] | None) -> str:
    """Table of raw and trained scores of each representation, compared with the best raw one."""
    if measured is None or not measured["runs"]:
        return MISSING
    raw = measured["raw"]
    best = {task: max(POOLINGS, key=lambda name: raw[name][task]) for task in TASKS}
    per_task = [f"{title}: {part}" for title in TASKS.values() for part in ("raw", "trained", "trained − best raw")]
    rows = ["| Trained on | Representation | " + " | ".join(per_task) + " | s |", "|---" * 9 + "|"]
    for text, title in TEXTS.items():
        runs = [run for run in measured["runs"] if run["text"] == text]
        for pooling, name in POOLINGS.items() if runs else ():
            cells = []
            for task in TASKS:
                trained = [run["scores"][pooling][task] for run in runs]
                gained = [score - raw[best[task]][task] for score in trained]
                cells += [f"{raw[pooling][task]:.1f}", mean_and_spread(trained), difference_cell(gained)]
            first = pooling == next(iter(POOLINGS))
            spent = mean_and_spread([run["seconds"] for run in runs], 0) if first else ""
            rows.append(f"| {title if first else ''} | {name} | {' | '.join(cells)} | {spent} |")
    return "\n".join([*rows, "", _about_sts(measured, best)])


def _about_sts(measured: dict[str, Any], best: dict[str, str]) -> str:
    settings, machine, config = measured["settings"], measured["machine"], measured["runs"][0]["config"]
    strongest = " and ".join(
        f"on {title} {POOLINGS[best[task]]} ({measured['raw'][best[task]][task]:.1f})" for task, title in TASKS.items()
    )
    seeds = len({run["seed"] for run in measured["runs"]})
    changes = ", ".join(f"{name}={value}" for name, value in settings["config"].items())
    both = any(run["text"] == "stsb_train" for run in measured["runs"])
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


def augmentation_table_of(measured: dict[str, Any] | None) -> str:
    """Table of each arm's scores and its paired difference to dropout."""
    if measured is None or not measured["runs"]:
        return MISSING
    scores = {task: _by_arm(measured["runs"], task) for task in TASKS}
    arms = [arm for arm in ARMS if any(run["arm"] == arm for run in measured["runs"])]
    among = max(1, len(arms) - 1)
    head = [part for title in TASKS.values() for part in (f"{title}: trained", f"{title}: minus dropout")]
    rows = [f"| Second view | {' | '.join(head)} | paper, STS-B dev |", "|---" * 6 + "|"]
    for arm in arms:
        cells = []
        for task in TASKS:
            own, base = scores[task].get(arm, {}), scores[task].get("dropout", {})
            paired = [own[seed] - base[seed] for seed in sorted(own.keys() & base.keys())]
            cells += [mean_and_spread(list(own.values())), "" if arm == "dropout" else difference_cell(paired, among)]
        rows.append(f"| {ARMS[arm]} | {' | '.join(cells)} | {PAPER.get(arm, '')} |")
    settings, machine = measured["settings"], measured["machine"]
    seeds = len({run["seed"] for run in measured["runs"]})
    rows += [
        "",
        f"[CLS] after {settings['steps']} steps of {settings['batch_size']} sentences of `{settings['sentences']}`, "
        f"Spearman × 100 on the validation sets. Mean ± standard deviation over {seeds} seeds; differences are paired "
        f"(same seed, same batches), with 95 % t intervals widened for {among} comparisons. "
        f"{statistics.fmean(run['seconds'] for run in measured['runs']):.0f} s a run on {machine['threads']} CPU "
        f"thread{'s' * (machine['threads'] > 1)}. The paper's figures are BERT-base's after a million sentences.",
    ]
    return "\n".join(rows)


def _by_arm(runs: list[dict[str, Any]], task: str) -> dict[str, dict[int, float]]:
    """Scores by arm and seed; a collapsed run has none."""
    scores: dict[str, dict[int, float]] = {}
    for run in runs:
        if task in run:
            scores.setdefault(run["arm"], {})[run["seed"]] = run[task]
    return scores


def proxies_of(measured: dict[str, Any] | None) -> str:
    """Text on how far the proxies agree with STS, and what follows for choosing a checkpoint."""
    if measured is None or "summary" not in measured:
        return MISSING
    from clwork.training.validation import TRUSTED

    values = measured["summary"]
    names = {"same_article_auc": "same-article AUC", "topic_knn": "topic k-NN accuracy"}

    def cell(name: str, digits: int) -> str:
        value, low, high = values[name]
        return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"

    follow = [f"{title} {cell(f'{name} stsb', 2)}" for name, title in names.items()]
    won = [f"{cell(f'gain {name} stsb', 1)} by the {title}" for name, title in names.items()]
    encoders = sum(len(run["encoders"]) for run in measured["runs"])
    at = {"cls": "[CLS]", "mean": "the mean over tokens"}[measured["settings"]["representation"]]
    rule = (
        f"Where the corpus allows it, {names[TRUSTED[0]]} chooses the checkpoint"
        if TRUSTED
        else "So no proxy chooses: the last step is kept, and the proxies are only shown"
    )
    return (
        f"Over {encoders} encoders of {len(measured['runs'])} runs at {at}, good and spoilt, the rank correlation with "
        f"STS-B validation is {' and '.join(follow)}; the second exceeds the first by {cell('difference stsb', 2)}. "
        f"Had they chosen a checkpoint in each run, it would have scored {' and '.join(won)} points more than the "
        "last. In brackets are 95 % intervals from resampling runs "
        "(`python benchmarks/proxy_agreement.py --sts FOLDER`). "
        f"{rule}."
    )
