"""Tables of docs/measured.md on speed: a step and encoding, and the wait for an answer."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

# For two cores.
TARGETS = {
    # Times as fast as sentence-transformers, at least.
    "step float32": 1.25,
    "step bfloat16": 1.4,
    "encode float32": 1.4,
    "encode bfloat16": 1.5,
    # Share of the machine's limit, at least.
    "share": 0.6,
    # Seconds at most.
    "touch": 5.0,
    "mark": 1.0,
    # kB a second at most.
    "traffic": 200.0,
    # MB of a page with its frames, at most.
    "page": 3.0,
    # Seconds until its first live part answers, at most.
    "live": 2.0,
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
    reached = "met" if statistics.median(values) >= target else "**missed**"
    return f"at least {target:g}: {reached}"


def _precisions(ratios: Mapping[str, Any]) -> list[str]:
    """Precisions that were measured: bfloat16 is left out on a processor without it."""
    return [precision for precision in ("float32", "bfloat16") if f"step {precision}" in ratios]


def step_time_of(measured: dict[str, Any] | None) -> str:
    """Table of times, ratios and targets, with its conditions."""
    if measured is None:
        return "Not measured yet."
    values = measured["values"]
    ratios = measured["ratios"]
    default = measured["default"]["precision"]
    precisions = _precisions(ratios)

    def milliseconds(name: str) -> str:
        return f"{1000 * statistics.median(values[name]):.0f} ms"

    def seconds(name: str) -> str:
        return f"{statistics.median(values[name]):.2f} s"

    def row(title: str, ours: str, theirs: str, ratio: str) -> str:
        target = verdict(ratios[ratio], TARGETS[ratio]) if ratio in TARGETS else ""
        return f"| {title} | {ours} | {theirs} | {spread(ratios[ratio])} | {target} |"

    rows = ["| | clwork | sentence-transformers | times as fast | target |", "|---" * 5 + "|"]
    ours = milliseconds(f"step {default} {US}")
    theirs = milliseconds(f"step float32 {THEM}")
    rows.append(row("A step, each by its defaults", ours, theirs, "default"))
    for step in [f"step {precision}" for precision in precisions]:
        title = step.replace("step", "A step, both")
        rows.append(row(title, milliseconds(f"{step} {US}"), milliseconds(f"{step} {THEM}"), step))
    for encode in [f"encode {precision}" for precision in precisions]:
        title = encode.replace("encode", f"Encoding {measured['encode']} sentences, both")
        rows.append(row(title, seconds(f"{encode} {US}"), seconds(f"{encode} {THEM}"), encode))
    return "\n".join([*rows, "", about(measured)])


def about(measured: dict[str, Any]) -> str:
    """Text on the machine, the default precision, and the share of the machine's limit."""
    values = measured["values"]
    ratios = measured["ratios"]
    default = measured["default"]
    shares = []
    for precision in _precisions(ratios):
        share = ratios[f"share {precision}"]
        limit = statistics.median(values[f"matmul {precision}"])
        shares.append(
            f"{100 * statistics.median(share):.0f} % of the {precision} limit of "
            f"{limit:.0f} GFLOP/s ({verdict(share, TARGETS['share'])})"
        )
    _, reason = default["why"].split(": ", 1)
    return (
        f"{machine_of(measured['machine'])}. Encoder {measured['encoder']!r}, batches of "
        f"{measured['batch_size']}; the median of {measured['rounds']} rounds taken in turns, in "
        "brackets the least and the most. By default clwork chose "
        f"{default['precision']} here ({reason}); sentence-transformers takes float32. A step is "
        f"{measured['gflop_per_step_at_true_lengths']:.0f} GFLOP at true lengths, padding not "
        f"counted: {' and '.join(shares)}, which products of 2048 × 2048 matrices set in the same "
        "rounds."
    )


def cpu_threads(count: int) -> str:
    """The number of threads as text.

    >>> cpu_threads(1), cpu_threads(2)
    ('1 CPU thread', '2 CPU threads')
    """
    return f"{count} CPU thread" if count == 1 else f"{count} CPU threads"


def machine_of(machine: dict[str, Any]) -> str:
    """Processor, GPU, threads and versions of a result, as text.

    >>> machine_of({"processor": "Xeon", "instructions": ["avx2"], "threads": 2, "torch": "2.13"})
    'Xeon (avx2), 2 CPU threads, torch 2.13'
    """
    parts = []
    if machine.get("cuda"):
        parts.append(machine["cuda"])
    if "processor" in machine:
        parts.append(f"{machine['processor']} ({', '.join(machine['instructions'])})")
    parts.append(cpu_threads(machine["threads"]))
    for package in ("torch", "transformers", "sentence_transformers", "python"):
        if package in machine:
            parts.append(f"{package} {machine[package]}")
    return ", ".join(parts)


def sentence_of(measured: dict[str, Any] | None) -> str:
    """README's sentence on speed."""
    if measured is None:
        return "Speed: not measured yet; `make bench` does."
    ratios = {
        name: f"{statistics.median(values):.2f}" for name, values in measured["ratios"].items()
    }
    in_bfloat16 = ""
    if "step bfloat16" in ratios:
        in_bfloat16 = f"{ratios['step bfloat16']} times at equal bfloat16 and "
    return (
        f"Speed: against the sentence-transformers trainer a step is {ratios['default']} times as "
        f"fast by the defaults of both, {in_bfloat16}{ratios['step float32']} at equal float32; "
        f"encoding {ratios['encode float32']} times ([table](docs/measured.md#speed)). "
        "`make bench` measures it again."
    )


def touch_of(measured: dict[str, Any] | None) -> str:
    """Table of how long a reader waits for an answer, and one of the pages with live parts."""
    if measured is None:
        return "Not measured yet."
    rows = ["| | | target |", "|---|---|---|", *_in_lab(measured)]
    pages: dict[str, Any] = measured.get("pages", {})
    if not pages:
        return "\n".join(rows)
    megabytes = {name: sum(seen["bytes"].values()) / 1e6 for name, seen in pages.items()}
    heaviest = _at_most(max(megabytes.values()), "page", "MB")
    slowest = max(statistics.median(seen["seconds"]) for seen in pages.values())
    waited = _at_most(slowest, "live", "s")
    rows.append(f"| Heaviest page with its frames | {heaviest} |")
    rows.append(f"| Slowest page, opened and scrolled, until it answers | {waited} |")
    rows.append("")
    rows.append("| page, without a network | with its frames | first touch answered |")
    rows.append("|---|---|---|")
    for name, seen in pages.items():
        title = name.removeprefix("notebooks/")
        rows.append(f"| {title} | {megabytes[name]:.1f} MB | {spread(seen['seconds'])} s |")
    return "\n".join(rows)


def _in_lab(measured: dict[str, Any]) -> list[str]:
    """Rows on the wait in JupyterLab; none where the pages alone were measured."""
    if "rounds" not in measured:
        return []
    there = statistics.median(seen["there"] for seen in measured["rounds"])
    answered = statistics.median(seen["answered"] for seen in measured["rounds"])
    touched = _at_most(answered, "touch", "s")
    marked = _at_most(statistics.median(measured["marked"]), "mark", "s")
    traffic = _at_most(measured["kilobytes"], "traffic", "kB a second")
    frames = measured["frames"]
    smooth = "met" if frames >= 59 else "**missed**"
    dots = f"{measured['points']} points, no graphics card"
    return [
        f"| Notebook `00` from opening until the sphere lab can be used | {there:.2f} s | |",
        f"| Until it has moved ({measured['machine']['cores']} cores) | {touched} |",
        f"| Pictures a second, {dots} | {frames:.0f} | 60: {smooth} |",
        f"| Panel of a run: from moving a slider to its mark | {marked} |",
        f"| Messages of the kernel | {traffic} |",
    ]


def _at_most(value: float, name: str, unit: str) -> str:
    """The value, its target, and whether it is met."""
    target = TARGETS[name]
    reached = "met" if value <= target else "**missed**"
    return f"{value:.2f} {unit} | at most {target:g} {unit}: {reached}"
