"""Tables of docs/measured.md on scores: all methods, and STS before and after training."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

MISSING = "Not measured yet."
COLUMNS = (
    "STS-B: raw",
    "trained",
    "SICK-R: raw",
    "trained",
    "alignment",
    "uniformity",
    "effective rank",
    "s",
    "MiB",
)
TASKS = {"stsb": "STS-B", "sickr": "SICK-R"}
POOLINGS = {
    "cls_before_pooler": "[CLS]",
    "mean": "mean over tokens",
    "first_last": "first and last layer",
}
TEXTS = {"corpus": "encyclopedia", "stsb_train": "STS-B's kind of text"}


def mean_and_spread(values: Sequence[float | None], digits: int = 1) -> str:
    """``mean ± sample standard deviation``; a dash if any value is missing."""
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return "–"
    mean = f"{statistics.fmean(known):.{digits}f}"
    return f"{mean} ± {statistics.stdev(known):.{digits}f}" if len(known) > 1 else mean


def difference_cell(values: Sequence[float]) -> str:
    """A mean difference with its 95 % t interval, as a table's cell.

    >>> difference_cell([1.0, 2.0, 3.0])
    '+2.0 (-0.5 to +4.5)'
    """
    from scipy.stats import ttest_1samp

    if len(values) < 2:
        return f"{values[0]:+.1f}" if values else "–"
    low, high = ttest_1samp(values, 0).confidence_interval()
    return f"{statistics.fmean(values):+.1f} ({low:+.1f} to {high:+.1f})"


def methods_table_of(measured: dict[str, Any] | None) -> str:
    """Table of all methods, with its conditions."""
    if measured is None or not measured["runs"]:
        return MISSING
    by_method: dict[str, list[dict[str, Any]]] = {}
    for run in measured["runs"]:
        by_method.setdefault(run["method"], []).append(run)
    head = ["Method", *COLUMNS, "in the paper: STS-B / SICK-R, test"]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    rows += [
        _method_row(runs, measured["published"].get(method)) for method, runs in by_method.items()
    ]
    settings, threads = measured["settings"], measured["settings"]["threads"]
    counts = sorted({len(runs) for runs in by_method.values()})
    own = sorted(
        {
            f"{run['title']} ({run['encoder']})"
            for run in measured["runs"]
            if run["encoder"] != settings["encoder"]
        }
    )
    started = f"All start from {settings['encoder']!r}" + (
        f", except {', '.join(own)}" if own else ""
    )
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
    cells += [
        cell("trained", name, digits) for name, digits in (("alignment", 2), ("uniformity", 2))
    ]
    cells += [cell("trained", "effective_rank")]
    cells += [f"{statistics.fmean(run['seconds'] for run in runs):.0f}"]
    memory = [run["mib"] for run in runs]
    cells += ["–" if None in memory else f"{statistics.fmean(memory):.0f}"]
    published = (
        "–" if paper is None else f"{paper['stsb']} / {paper['sickr']} ({paper['backbone']})"
    )
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
    per_task = [
        f"{title}: {part}"
        for title in TASKS.values()
        for part in ("raw", "trained", "trained − best raw")
    ]
    rows = ["| Trained on | Representation | " + " | ".join(per_task) + " | s |", "|---" * 9 + "|"]
    for text, title in TEXTS.items():
        runs = [run for run in measured["runs"] if run["text"] == text]
        for pooling, name in POOLINGS.items() if runs else ():
            cells = []
            for task in TASKS:
                trained = [run["scores"][pooling][task] for run in runs]
                gained = [score - raw[best[task]][task] for score in trained]
                cells += [
                    f"{raw[pooling][task]:.1f}",
                    mean_and_spread(trained),
                    difference_cell(gained),
                ]
            first = pooling == next(iter(POOLINGS))
            spent = mean_and_spread([run["seconds"] for run in runs], 0) if first else ""
            rows.append(f"| {title if first else ''} | {name} | {' | '.join(cells)} | {spent} |")
    return "\n".join([*rows, "", _about_sts(measured, best)])


def _about_sts(measured: dict[str, Any], best: dict[str, str]) -> str:
    settings, machine, config = (
        measured["settings"],
        measured["machine"],
        measured["runs"][0]["config"],
    )
    strongest = " and ".join(
        f"on {title} {POOLINGS[best[task]]} ({measured['raw'][best[task]][task]:.1f})"
        for task, title in TASKS.items()
    )
    seeds = len({run["seed"] for run in measured["runs"]})
    changes = ", ".join(f"{name}={value}" for name, value in settings["config"].items())
    both = any(run["text"] == "stsb_train" for run in measured["runs"])
    of_its_kind = (
        f", *{TEXTS['stsb_train']}* the sentences of its training pairs, their scores unread"
        if both
        else ""
    )
    recipe = "SimCSE as it comes" + (f", but for {changes}," if changes else "")
    return (
        f"The best *raw* representation is {strongest}; differences are to it, over {seeds} seeds, with 95 % t "
        "intervals in brackets (the raw encoder is the same for every seed). Mean ± standard deviation. "
        f"The first row is {recipe} with {settings['steps']} steps of {config['batch_size']} "
        "sentences: dropout as the only augmentation, [CLS], a head in training only, learning rate "
        f"{config['learning_rate']:g}, precision {config['precision']!r}. *s* are seconds of a run, "
        f"its measurements and proxies included, on {machine['threads']} CPU thread{'s' * (machine['threads'] > 1)}. "
        f"*Encyclopedia* is `{settings['sentences']}`{of_its_kind}. "
        "The last step counts: no labelled pair chose it."
    )
