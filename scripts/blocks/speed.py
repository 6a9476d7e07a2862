"""Blocks of docs/measured.md on speed: a step and encoding, an open panel, the wait for an answer."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

TARGETS = {
    "default": 2.4,  # times as fast as sentence-transformers, as are the next two
    "step": 1.25,
    "encode": 1.5,
    "share": 0.6,  # of the limit, at least
    "watching": 0.04,  # cost of a panel and of looks, at most
    "touch": 5.0,  # seconds at most
    "mark": 1.0,  # seconds at most
    "traffic": 200.0,  # kB a second at most
    "first": 2.0,  # seconds until the first loss is seen, at most
    "old": 1.0,  # seconds that a picture is old, at most
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


def ladder_of(measured: list[dict[str, Any]] | None) -> str:
    """A table for each shape, batch and device: what each way to compute a step brings over the row before."""
    ladders = measured or []
    told = [_ladder(ladder) for ladder in ladders]
    if not any(ladder["device"] == "cuda" for ladder in ladders):
        told.append("On a GPU: not measured.")
    return "\n\n".join(told)


def _ladder(ladder: dict[str, Any]) -> str:
    batch, rows, machine = ladder["batch_size"], ladder["rows"], ladder["machine"]
    first = rows[0]["seconds"]
    lines = [
        "| a step | ms | sentences/s | of the limit | MiB | times as fast as the row before | as the first row "
        "| loss apart | gradient apart |",
        "|---" * 9 + "|",
    ]
    before = None
    for row in rows:
        middle = statistics.median(row["seconds"])
        share = ladder["gflop"] / middle / row["limit"]
        faster = [
            spread([a / b for a, b in zip(past, row["seconds"], strict=True)]) if past else "" for past in (before,)
        ]
        whole = statistics.median(a / b for a, b in zip(first, row["seconds"], strict=True))
        memory = "" if row["mib"] is None else f"{row['mib']:,.0f}"
        apart = [f"{row[name]:.0e}" if name in row else "" for name in ("loss_apart", "gradient_apart")]
        cells = [row["way"], f"{1000 * middle:.0f}", f"{batch / middle:.0f}", f"{100 * share:.0f} %", memory]
        lines.append(f"| {' | '.join([*cells, *faster, f'{whole:.2f}', *apart])} |")
        before = row["seconds"]
    where = machine["cuda"] if ladder["device"] == "cuda" else f"{machine['threads']} CPU threads"
    return "\n".join(
        [
            *lines,
            "",
            f"Shape {ladder['shape']!r}, batches of {batch}, {where}; the median of {ladder['rounds']} rounds of "
            f"{ladder['steps']} steps in turns, in brackets the least and the most. The limit is a product of "
            "2048 × 2048 matrices at that precision. Differences are to the row before, without dropout: of the loss, "
            "and of the gradient relative to its largest number.",
        ]
    )


def panel_cost_of(measured: dict[str, Any] | None) -> str:
    """What the panel and its looks cost a run, in a sentence."""
    if measured is None:
        return "Not measured yet."
    cost, machine, runs = measured["cost"], measured["machine"], measured["runs"]
    ms = {who: 1e3 * statistics.median(value for run in runs for value in run[who]) for who in ("watched", "alone")}
    low, drawing, high = (100 * part for part in statistics.quantiles(cost, n=4))
    looks = 100 * statistics.fmean(run["looks"] for run in runs)
    kept = "met" if drawing + looks <= 100 * TARGETS["watching"] else "**missed**"
    return (
        f"A step of a default run of SimCSE takes {ms['watched']:.0f} ms with the panel open and {ms['alone']:.0f} ms "
        f"without: {drawing:+.1f} % (half of {len(cost)} pairs of neighbouring blocks of steps lie between "
        f"{low:+.1f} and {high:+.1f} %, in {len(runs)} runs on {machine['threads']} CPU threads). Looks at the "
        f"geometry take {looks:.1f} % of the time. Together {drawing + looks:.1f} %: at most "
        f"{100 * TARGETS['watching']:.0f} %, {kept}." + _beside_busy_cores(measured.get("busy"))
    )


def _beside_busy_cores(measured: dict[str, Any] | None) -> str:
    """What the panel costs where another process takes a core."""
    if measured is None:
        return ""
    low, cost, high = (100 * part for part in statistics.quantiles(measured["cost"], n=4))
    return (
        f" Beside {measured['spin']} busy core the panel costs {cost:+.1f} % (half of {len(measured['cost'])} pairs "
        f"between {low:+.1f} and {high:+.1f} %)."
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
        + "".join(_followed(which, seen) for which, seen in measured.get("followed", {}).items())
    )


def _followed(which: str, seen: dict[str, Any]) -> str:
    """Text on how far the page lags behind the run's record."""
    where = {"quiet": "alone", "busy": "beside a busy core"}[which]
    line, picture = seen["line"], seen["picture"]
    return (
        f" A run {where}: the first loss is seen {seen['first_loss']:.2f} s after its step "
        f"({_at_most(seen['first_loss'], TARGETS['first'], 's')}); the line with the step is {line['p50']:.2f} s old "
        f"in the median, {line['p95']:.2f} s at the 95th percentile and {line['max']:.2f} s at most; the curve "
        f"{picture['p50']:.2f} s, {picture['p95']:.2f} s and {picture['max']:.2f} s "
        f"({_at_most(picture['max'], TARGETS['old'], 's')})."
    )


def _at_most(value: float, target: float, unit: str) -> str:
    return f"at most {target:g} {unit}: {'met' if value <= target else '**missed**'}"
