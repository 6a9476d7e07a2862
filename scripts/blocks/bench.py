"""Blocks of docs/measured.md and README.md on what ``make bench`` measured: one table, and a sentence."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scripts.blocks.larger import EXTRA, MEMORY
from scripts.blocks.speed import TARGETS, spread

Row = dict[str, Any]
EXACT = 1e-6  # uniformity's distance from float64, at most


def rows_of(found: Mapping[str, Any]) -> list[Row]:
    """One row for each claim of speed, of the benchmarks that were called."""
    made: dict[str, Callable[[Any], Iterator[Row]]] = {
        "step_time": _step_time,
        "larger": _larger,
        "panel_cost": _panel_cost,
        "large_clouds": _clouds,
    }
    return [row for name, result in found.items() for row in made[name](result)]


def _row(what: str, said: str, target: str, met: bool, **more: Any) -> Row:
    return {"what": what, "measured": said, "target": target, "met": met, **more}


def _step_time(result: Any) -> Iterator[Row]:
    ratios = result["ratios"]
    names = {
        "default": "a step, each by its defaults",
        "step float32": "a step, both float32",
        "step bfloat16": "a step, both bfloat16",
        "encode float32": "encoding, both float32",
        "encode bfloat16": "encoding, both bfloat16",
    }
    for name, what in names.items():
        if name not in ratios:
            continue  # a precision that the processor does not have
        values, target = ratios[name], TARGETS[name.split()[0]]
        middle = statistics.median(values)
        told = f"{spread(values)} times as fast"
        yield _row(
            f"sentence-transformers: {what}", told, f"at least {target:g}", middle >= target, key=name, value=middle
        )


def _larger(result: Any) -> Iterator[Row]:
    values = result["values"]
    pairs = list(zip(values["512 in parts of 64"], values["512 whole"], strict=True))
    extra = [100 * (parts["seconds"] / whole["seconds"] - 1) for parts, whole in pairs]
    middle, low, high = statistics.median(extra), min(extra), max(extra)
    told = f"{middle:+.0f} % ({low:+.0f} to {high:+.0f}) time"
    yield _row(
        "a batch of 512 in parts of 64: against whole", told, f"at most {100 * EXTRA:.0f} %", middle <= 100 * EXTRA
    )
    large = values["4096 in parts of 64"][0]
    told = f"{large['mib']:,.0f} MiB, {large['seconds']:.0f} s a step"
    yield _row("a batch of 4,096 in parts of 64: memory", told, f"at most {MEMORY:,} MiB", large["mib"] <= MEMORY)
    alone, two = (values[f"256 in parts of 32, {which}"] for which in ("one process, one thread", "two processes"))
    gains = [one["seconds"] / both["seconds"] for one, both in zip(alone, two, strict=True)]
    yield _row("two processes: against one, a thread each", f"{spread(gains)} times as fast", "2 is possible", True)


def _panel_cost(result: Any) -> Iterator[Row]:
    looks = 100 * statistics.fmean(run["looks"] for run in result["runs"])
    drawing, most = 100 * statistics.median(result["cost"]), 100 * TARGETS["watching"]
    told = f"{looks + drawing:.1f} % of the time ({looks:.1f} looks, {drawing:+.1f} the panel)"
    yield _row("a watched run: looks and drawing", told, f"at most {most:.0f} %", looks + drawing <= most)


def _clouds(result: Any) -> Iterator[Row]:
    found, count = result["uniformity"], result["sizes"]["cloud"]
    told = f"{found['seconds']:.0f} s, {found['error']:.0e} from float64, {found['mib']:,.0f} MiB"
    yield _row(f"exact uniformity of {count:,} × 768", told, f"{EXACT:.0e} from float64", found["error"] <= EXACT)


def bench_of(measured: dict[str, Any] | None) -> str:
    """The table, with machine, versions and date."""
    if measured is None:
        return "Not measured yet."
    machine = measured["machine"]
    lines = ["| | measured | target | |", "|---|---|---|---|"]
    for row in measured["rows"]:
        verdict = "met" if row["met"] else "**missed**"
        lines.append(f"| {row['what']} | {row['measured']} | {row['target']} | {verdict} |")
    where = machine["cuda"] or f"{machine['cores']} cores, no GPU (nothing here was measured on one)"
    versions = ", ".join(f"{name} {machine[name]}" for name in ("python", "torch", "transformers", "numpy"))
    return "\n".join(
        [
            *lines,
            "",
            f"{measured['date']}, in {measured['minutes']:.0f} minutes; {where}; {versions}. In brackets the rounds.",
        ]
    )


def sentence_of(measured: dict[str, Any] | None) -> str:
    """What README says of speed."""
    if measured is None:
        return "Speed: not measured yet; `make bench` does."
    by = {row.get("key"): row for row in measured["rows"]}
    told = [f"{by[key]['value']:.2f}" for key in ("default", "step float32", "encode float32")]
    half = f"{by['step bfloat16']['value']:.2f} times at equal bfloat16 and " if "step bfloat16" in by else ""
    missed = sum(not row["met"] for row in measured["rows"])
    return (
        f"Speed: against the sentence-transformers trainer a step is {told[0]} times as fast by the defaults of both, "
        f"{half}{told[1]} at equal float32; encoding {told[2]} times. "
        f"`make bench` measures it anew in some {measured['minutes']:.0f} minutes ([table](docs/measured.md#speed): "
        f"{missed or 'none'} of {len(measured['rows'])} targets missed there)."
    )
