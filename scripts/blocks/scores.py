"""Tables of docs/measured.md on scores: all methods, and STS before and after training."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from scripts.blocks.speed import cpu_threads

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
    if len(known) == 1:
        return mean
    return f"{mean} ± {statistics.stdev(known):.{digits}f}"


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
    noise = "".join(noise_sentence(runs) for runs in by_method.values())
    return "\n".join([*rows, "", _about_methods(measured, by_method) + noise])


def _about_methods(measured: dict[str, Any], by_method: dict[str, list[dict[str, Any]]]) -> str:
    """Text on how the table of methods was measured."""
    settings = measured["settings"]
    seeds = sorted({len(runs) for runs in by_method.values()})
    other_starts = {
        f"{run['title']} ({run['encoder']})"
        for run in measured["runs"]
        if run["encoder"] != settings["encoder"]
    }
    started = f"All start from {settings['encoder']!r}"
    if other_starts:
        started += f", except {', '.join(sorted(other_starts))}"
    return (
        "Spearman × 100 on the validation sets, all pairs of a set in one ranking; alignment over "
        "some pairs of STS-B with a gold score above 4. Mean ± standard deviation over "
        f"{' to '.join(map(str, seeds))} seeds; {settings['steps']} steps of "
        f"{settings['batch_size']} sentences of {settings['sentences']!r} for every method, "
        f"{settings['precision']}, {cpu_threads(settings['threads'])}. {started}. *Raw* is each "
        "method's own representation before the first step, *trained* that of the last step: no "
        "labelled pair chose it. *s* are seconds of training, *MiB* the peak of memory above what "
        "the process held before."
    )


def _method_row(runs: list[dict[str, Any]], paper: dict[str, Any] | None) -> str:

    def cell(when: str, name: str, digits: int = 1) -> str:
        return mean_and_spread([run[when].get(name) for run in runs], digits)

    memory = [run["mib"] for run in runs]
    published = "–"
    if paper is not None:
        published = f"{paper['stsb']} / {paper['sickr']} ({paper['backbone']})"
    cells = [
        runs[0]["title"],
        cell("raw", "stsb"),
        f"**{cell('trained', 'stsb')}**",
        cell("raw", "sickr"),
        f"**{cell('trained', 'sickr')}**",
        cell("trained", "alignment", 2),
        cell("trained", "uniformity", 2),
        cell("trained", "effective_rank"),
        f"{statistics.fmean(run['seconds'] for run in runs):.0f}",
        "–" if None in memory else f"{statistics.fmean(memory):.0f}",
        published,
    ]
    return f"| {' | '.join(cells)} |"


def noise_sentence(runs: list[dict[str, Any]]) -> str:
    """One sentence on the effect of DCLR's two ideas; empty if not measured."""
    parts = [run["parts"] for run in runs if run.get("parts", {}).get("noise_gradient") is not None]
    if not parts:
        return ""

    def percent(name: str) -> str:
        return f"{100 * statistics.fmean(part[name] for part in parts):.1f} %"

    return (
        f" What {runs[0]['title']} adds to SimCSE, over its last steps: noise has "
        f"{percent('noise_mass')} of the softmax, and its part of the gradient is "
        f"{percent('noise_gradient')} as long as the whole; {percent('masked_share')} of the "
        "in-batch negatives are masked, which changes the gradient by "
        f"{percent('masking_gradient')}."
    )


def sts_table_of(measured: dict[str, Any] | None) -> str:
    """Table of raw and trained scores of each representation, compared with the best raw one."""
    if measured is None or not measured["runs"]:
        return MISSING
    raw = measured["raw"]
    best = {task: max(POOLINGS, key=lambda name: raw[name][task]) for task in TASKS}
    heads = ["Trained on", "Representation"]
    for title in TASKS.values():
        heads += [f"{title}: raw", f"{title}: trained", f"{title}: trained − best raw"]
    heads.append("s")
    rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for text, title in TEXTS.items():
        runs = [run for run in measured["runs"] if run["text"] == text]
        if runs:
            seconds = mean_and_spread([run["seconds"] for run in runs], 0)
            rows += _sts_rows(runs, raw, best, title, seconds)
    return "\n".join([*rows, "", _about_sts(measured, best)])


def _sts_rows(
    runs: list[dict[str, Any]],
    raw: dict[str, dict[str, float]],
    best: dict[str, str],
    title: str,
    seconds: str,
) -> list[str]:
    """A row per representation; the first one also has the title and the seconds of a run."""
    rows: list[str] = []
    for pooling, name in POOLINGS.items():
        cells = ["", name]
        for task in TASKS:
            trained = [run["scores"][pooling][task] for run in runs]
            gained = [score - raw[best[task]][task] for score in trained]
            cells.append(f"{raw[pooling][task]:.1f}")
            cells.append(mean_and_spread(trained))
            cells.append(difference_cell(gained))
        cells.append("")
        if not rows:
            cells[0] = title
            cells[-1] = seconds
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _about_sts(measured: dict[str, Any], best: dict[str, str]) -> str:
    """Text on how the table of STS scores was measured."""
    settings = measured["settings"]
    config = measured["runs"][0]["config"]
    strongest = " and ".join(
        f"on {title} {POOLINGS[best[task]]} ({measured['raw'][best[task]][task]:.1f})"
        for task, title in TASKS.items()
    )
    seeds = len({run["seed"] for run in measured["runs"]})
    changes = ", ".join(f"{name}={value}" for name, value in settings["config"].items())
    but_for = f", but for {changes}," if changes else ""
    texts = f"*Encyclopedia* is `{settings['sentences']}`"
    if any(run["text"] == "stsb_train" for run in measured["runs"]):
        title = TEXTS["stsb_train"]
        texts += f", *{title}* the sentences of its training pairs, their scores unread"
    return (
        f"The best *raw* representation is {strongest}; differences are to it, over {seeds} seeds, "
        "with 95 % t intervals in brackets (the raw encoder is the same for every seed). Mean ± "
        f"standard deviation. The first row is SimCSE as it comes{but_for} with "
        f"{settings['steps']} steps of {config['batch_size']} sentences: dropout as the only "
        "augmentation, [CLS], a head in training only, learning rate "
        f"{config['learning_rate']:g}, precision {config['precision']!r}. *s* are seconds of a "
        "run, its measurements and proxies included, on "
        f"{cpu_threads(measured['machine']['threads'])}. {texts}. "
        "The last step counts: no labelled pair chose it."
    )
