"""Tables of docs/measured.md on speed: a step and encoding, and the wait for an answer."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

TARGETS = {  # for two cores
    "step float32": 1.25,  # times as fast as sentence-transformers, as are the next three
    "step bfloat16": 1.4,
    "encode float32": 1.4,
    "encode bfloat16": 1.5,
    "share": 0.6,  # of the limit, at least
    "touch": 5.0,  # seconds at most
    "mark": 1.0,  # seconds at most
    "traffic": 200.0,  # kB a second at most
    "page": 3.0,  # MB of a page with its frames, at most
    "live": 2.0,  # seconds until its first live part answers, at most
}

US, THEM = "clwork", "sentence_transformers"


def spread(values: list[float]) -> str:
    """Median, and least to most of the rounds.

    >>> spread([1.2, 1.0, 1.1])
    '1.10 (1.00 to 1.20)'
    """
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def verdict(values: list[float], target: float) -> str:
    """The target, and whether the rounds' median reaches it."""
    return f"at least {target:g}: {'met' if statistics.median(values) >= target else '**missed**'}"


def _precisions(ratios: Mapping[str, Any]) -> list[str]:
    """Precisions that were measured: bfloat16 is left out on a processor without it."""
    return [precision for precision in ("float32", "bfloat16") if f"step {precision}" in ratios]


def step_time_of(measured: dict[str, Any] | None) -> str:
    """Table of times, ratios and targets, with its conditions."""
    if measured is None:
        return "Not measured yet."
    values, ratios, default = (
        measured["values"],
        measured["ratios"],
        measured["default"]["precision"],
    )

    def line(what: str, ours: str, theirs: str, ratio: str, unit: tuple[float, str]) -> str:
        factor, sign = unit
        times = [
            f"{factor * statistics.median(values[name]):.{0 if factor > 1 else 2}f} {sign}"
            for name in (ours, theirs)
        ]
        target = verdict(ratios[ratio], TARGETS[ratio]) if ratio in TARGETS else ""
        return f"| {what} | {times[0]} | {times[1]} | {spread(ratios[ratio])} | {target} |"

    rows = ["| | clwork | sentence-transformers | times as fast | target |", "|---" * 5 + "|"]
    step = "A step, each by its defaults"
    rows.append(line(step, f"step {default} {US}", f"step float32 {THEM}", "default", (1000, "ms")))
    for precision in _precisions(ratios):
        names = (f"step {precision} {US}", f"step {precision} {THEM}", f"step {precision}")
        rows.append(line(f"A step, both {precision}", *names, (1000, "ms")))
    for precision in _precisions(ratios):
        names = (f"encode {precision} {US}", f"encode {precision} {THEM}", f"encode {precision}")
        rows.append(
            line(f"Encoding {measured['encode']} sentences, both {precision}", *names, (1, "s"))
        )
    return "\n".join([*rows, "", about(measured)])


def about(measured: dict[str, Any]) -> str:
    """Text on the machine, the choice of the default precision, and the share of the machine's limit."""
    values, ratios, default = measured["values"], measured["ratios"], measured["default"]
    shares = [
        f"{100 * statistics.median(ratios[f'share {precision}']):.0f} % of the {precision} limit of "
        f"{statistics.median(values[f'matmul {precision}']):.0f} GFLOP/s "
        f"({verdict(ratios[f'share {precision}'], TARGETS['share'])})"
        for precision in _precisions(ratios)
    ]
    return (
        f"{machine_of(measured['machine'])}. Encoder {measured['encoder']!r}, batches of {measured['batch_size']}; "
        f"the median of {measured['rounds']} rounds taken in turns, in brackets the least and the most. By default "
        f"clwork chose {default['precision']} here ({default['why'].split(': ', 1)[1]}); sentence-transformers takes "
        f"float32. A step is {measured['gflop_per_step_at_true_lengths']:.0f} GFLOP at true lengths, padding not "
        f"counted: {' and '.join(shares)}, which products of 2048 × 2048 matrices set in the same rounds."
    )


def machine_of(machine: dict[str, Any]) -> str:
    """Processor, GPU, threads and versions of a result, as text.

    >>> machine_of({"processor": "Xeon", "instructions": ["avx2"], "threads": 2, "cuda": None, "torch": "2.13.0"})
    'Xeon (avx2), 2 CPU threads, torch 2.13.0'
    """
    names = [machine["cuda"]] if machine.get("cuda") else []
    names += (
        [f"{machine['processor']} ({', '.join(machine['instructions'])})"]
        if "processor" in machine
        else []
    )
    names += [f"{machine['threads']} CPU thread{'s' * (machine['threads'] > 1)}"]
    packages = ("torch", "transformers", "sentence_transformers", "python")
    return ", ".join(names + [f"{name} {machine[name]}" for name in packages if name in machine])


def sentence_of(measured: dict[str, Any] | None) -> str:
    """README's sentence on speed."""
    if measured is None:
        return "Speed: not measured yet; `make bench` does."
    ratios = {
        name: f"{statistics.median(values):.2f}" for name, values in measured["ratios"].items()
    }
    half = (
        f"{ratios['step bfloat16']} times at equal bfloat16 and "
        if "step bfloat16" in ratios
        else ""
    )
    return (
        f"Speed: against the sentence-transformers trainer a step is {ratios['default']} times as fast by the defaults "
        f"of both, {half}{ratios['step float32']} at equal float32; encoding {ratios['encode float32']} times "
        "([table](docs/measured.md#speed)). `make bench` measures it again."
    )


def touch_of(measured: dict[str, Any] | None) -> str:
    """Table of how long a reader waits for an answer, and one of the pages with live parts."""
    if measured is None:
        return "Not measured yet."
    rows = ["| | | target |", "|---|---|---|", *_in_lab(measured)]
    pages: dict[str, Any] = measured.get("pages", {})
    if not pages:
        return "\n".join(rows)
    sizes = {name: sum(seen["bytes"].values()) / 1e6 for name, seen in pages.items()}
    slowest = max(statistics.median(seen["seconds"]) for seen in pages.values())
    rows.append(
        f"| Heaviest page with its frames | {_at_most(max(sizes.values()), 'page', 'MB')} |"
    )
    rows.append(
        f"| Slowest page, opened and scrolled, until it answers | {_at_most(slowest, 'live', 's')} |"
    )
    rows += [
        "",
        "| page, without a network | with its frames | first touch answered |",
        "|---|---|---|",
    ]
    rows += [
        f"| {name.removeprefix('notebooks/')} | {sizes[name]:.1f} MB | {spread(seen['seconds'])} s |"
        for name, seen in pages.items()
    ]
    return "\n".join(rows)


def _in_lab(measured: dict[str, Any]) -> list[str]:
    """Rows on the wait in JupyterLab; none where the pages alone were measured."""
    if "rounds" not in measured:
        return []
    answered, there = (
        statistics.median(seen[what] for seen in measured["rounds"])
        for what in ("answered", "there")
    )
    marked, frames = statistics.median(measured["marked"]), measured["frames"]
    smooth = "met" if frames >= 59 else "**missed**"
    return [
        f"| Notebook `00` from opening until the sphere lab can be used | {there:.2f} s | |",
        f"| Until it has moved ({measured['machine']['cores']} cores) | {_at_most(answered, 'touch', 's')} |",
        f"| Pictures a second, {measured['points']} points, no graphics card | {frames:.0f} | 60: {smooth} |",
        f"| Panel of a run: from moving a slider to its mark | {_at_most(marked, 'mark', 's')} |",
        f"| Messages of the kernel | {_at_most(measured['kilobytes'], 'traffic', 'kB a second')} |",
    ]


def _at_most(value: float, name: str, unit: str) -> str:
    target = TARGETS[name]
    return f"{value:.2f} {unit} | at most {target:g} {unit}: {'met' if value <= target else '**missed**'}"
