"""Tables of docs/measured.md on speed: a step and encoding, and the wait for an answer."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

TARGETS = {
    "default": 2.4,  # times as fast as sentence-transformers, as are the next two
    "step": 1.25,
    "encode": 1.5,
    "share": 0.6,  # of the limit, at least
    "touch": 5.0,  # seconds at most
    "mark": 1.0,  # seconds at most
    "traffic": 200.0,  # kB a second at most
    "page": 3.0,  # MB of a page with its frames, at most
    "live": 2.0,  # seconds until its first live part answers, at most
}
"""For two cores."""

US, THEM = "clwork", "sentence_transformers"


def spread(values: list[float]) -> str:
    """Median, and least to most of the rounds.

    >>> spread([1.2, 1.0, 1.1])
    '1.10 (1.00 to 1.20)'
    """
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def verdict(values: list[float], target: float) -> str:
    """The target, and whether the rounds' median reaches it.

    >>> verdict([1.2, 1.3, 1.1], 1.2), verdict([1.1], 1.15)
    ('at least 1.2: met', 'at least 1.15: **missed**')
    """
    return f"at least {target:g}: {'met' if statistics.median(values) >= target else '**missed**'}"


def _precisions(ratios: Mapping[str, Any]) -> list[str]:
    """Precisions that were measured: bfloat16 is left out on a processor without it."""
    return [precision for precision in ("float32", "bfloat16") if f"step {precision}" in ratios]


def step_time_of(measured: dict[str, Any] | None) -> str:
    """Table of times, ratios and targets, with its conditions."""
    if measured is None:
        return "Not measured yet."
    values, ratios, default = measured["values"], measured["ratios"], measured["default"]["precision"]

    def line(what: str, ours: str, theirs: str, ratio: str, unit: tuple[float, str]) -> str:
        factor, sign = unit
        times = [
            f"{factor * statistics.median(values[name]):.{0 if factor > 1 else 2}f} {sign}" for name in (ours, theirs)
        ]
        target = TARGETS[ratio.split()[0]]
        return f"| {what} | {times[0]} | {times[1]} | {spread(ratios[ratio])} | {verdict(ratios[ratio], target)} |"

    rows = ["| | clwork | sentence-transformers | times as fast | target |", "|---" * 5 + "|"]
    step = "A step, each by its defaults"
    rows.append(line(step, f"step {default} {US}", f"step float32 {THEM}", "default", (1000, "ms")))
    for precision in _precisions(ratios):
        names = (f"step {precision} {US}", f"step {precision} {THEM}", f"step {precision}")
        rows.append(line(f"A step, both {precision}", *names, (1000, "ms")))
    for precision in _precisions(ratios):
        names = (f"encode {precision} {US}", f"encode {precision} {THEM}", f"encode {precision}")
        rows.append(line(f"Encoding {measured['encode']} sentences, both {precision}", *names, (1, "s")))
    return "\n".join([*rows, "", about(measured)])


def about(measured: dict[str, Any]) -> str:
    """Text on the conditions, the choice of the default precision, and the share of the machine's limit."""
    values, ratios, machine = measured["values"], measured["ratios"], measured["machine"]
    default = measured["default"]["precision"]
    threads = machine["threads"]
    text = (
        f"Encoder {measured['encoder']!r}, batches of {measured['batch_size']}, "
        f"{threads} CPU thread{'s' * (threads > 1)}; "
        f"the median of {measured['rounds']} rounds taken in turns, in brackets the least and the most. "
        f"By default clwork chose {default} here ({measured['default']['why'].split(': ', 1)[1]}); "
        "sentence-transformers takes float32. "
    )
    if default == "float32":
        text += (
            "So the line of defaults is float32 against float32: the target of "
            f"{TARGETS['default']:g} was set for processors on which bfloat16 is faster, and this is none. "
        )
    shares = [
        f"{100 * statistics.median(ratios[f'share {precision}']):.0f} % of the {precision} limit of "
        f"{statistics.median(values[f'matmul {precision}']):.0f} GFLOP/s "
        f"({verdict(ratios[f'share {precision}'], TARGETS['share'])})"
        for precision in _precisions(ratios)
    ]
    return text + (
        f"A step is {measured['gflop_per_step_at_true_lengths']:.0f} GFLOP at true lengths, padding not counted: "
        f"{' and '.join(shares)}, which products of 2048 × 2048 matrices set in the same rounds."
    )


def sentence_of(measured: dict[str, Any] | None) -> str:
    """README's sentence on speed."""
    if measured is None:
        return "Speed: not measured yet; `make bench` does."
    ratios = {name: f"{statistics.median(values):.2f}" for name, values in measured["ratios"].items()}
    half = f"{ratios['step bfloat16']} times at equal bfloat16 and " if "step bfloat16" in ratios else ""
    return (
        f"Speed: against the sentence-transformers trainer a step is {ratios['default']} times as fast by the defaults "
        f"of both, {half}{ratios['step float32']} at equal float32; encoding {ratios['encode float32']} times "
        "([table](docs/measured.md#speed)). `make bench` measures it again."
    )


def touch_of(measured: dict[str, Any] | None) -> str:
    """Text on how long a reader waits for an answer."""
    if measured is None:
        return "Not measured yet."
    return "\n\n".join(part for part in (_in_lab(measured), pages_of(measured.get("pages"))) if part)


def pages_of(pages: dict[str, Any] | None) -> str:
    """Text on the pages of the site: the table of those with live parts, and whether all keep the targets."""
    if not pages:
        return ""
    sizes = {name: sum(seen["bytes"].values()) / 1e6 for name, seen in pages.items()}
    waits = {name: statistics.median(seen["seconds"]) for name, seen in pages.items()}
    rows = [
        f"| {name.removeprefix('notebooks/')} | {sizes[name]:.1f} MB | {spread(seen['seconds'])} s |"
        for name, seen in pages.items()
    ]
    return (
        f"A page from a disk, without a network, weighs with all its frames {max(sizes.values()):.1f} MB at most "
        f"({_at_most(max(sizes.values()), TARGETS['page'], 'MB')}); from opening it and scrolling to its first live "
        f"part until that answers a touch takes {max(waits.values()):.2f} s at most "
        f"({_at_most(max(waits.values()), TARGETS['live'], 's')}).\n\n"
        "| page | with its frames | first touch answered |\n|---|---|---|\n" + "\n".join(rows)
    )


def _in_lab(measured: dict[str, Any]) -> str:
    """Text on the wait in JupyterLab; nothing where the pages alone were measured."""
    if "rounds" not in measured:
        return ""
    answered, there = ([seen[what] for seen in measured["rounds"]] for what in ("answered", "there"))
    marked, frames, rate = measured["marked"], measured["frames"], measured["kilobytes"]
    return (
        f"From opening notebook `00` in JupyterLab it takes {statistics.median(there):.1f} s until the sphere lab can "
        f"be used, and {statistics.median(answered):.1f} s ({min(answered):.1f} to {max(answered):.1f}, "
        f"{len(answered)} fresh browsers, {measured['machine']['cores']} cores) until it has moved; "
        f"{_at_most(statistics.median(answered), TARGETS['touch'], 's')}. At {measured['points']} points it draws "
        f"{frames:.0f} pictures a second without a graphics card (60: {'met' if frames >= 59 else '**missed**'}). "
        f"In the panel of a run that trains, a moved slider has its mark on the curve after "
        f"{statistics.median(marked):.2f} s ({min(marked):.2f} to {max(marked):.2f}, {len(marked)} moves; "
        f"{_at_most(statistics.median(marked), TARGETS['mark'], 's')}), and the kernel sends {rate:.0f} kB a second "
        f"({_at_most(rate, TARGETS['traffic'], 'kB')})."
    )


def _at_most(value: float, target: float, unit: str) -> str:
    return f"at most {target:g} {unit}: {'met' if value <= target else '**missed**'}"
