"""The panel's sentences as HTML: state, time left, verdict and errors."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from ...columns import TABLE, of
from ...metrics import Diagnosis
from ...training import Run
from ...training.stored.stored import AT_WORK
from ...views import RunColumns
from ...wording import plural

SIGNALS_SHOWN = 6
GOOD, BAD, UNKNOWN = "#009E73", "#D55E00", "#888888"  # as a border: text has the page's own colour


def duration(seconds: float) -> str:
    """Format a time span.

    >>> duration(8), duration(95), duration(4000)
    ('8 s', '1 min 35 s', '1 h 6 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def time_left(run: Run) -> str:
    """The step, and the estimated time for the remaining ones; or what delays them now."""
    step, total = run.step, run.total_steps
    text = f"step {step} of {total}"
    if not run.alive or run.status not in ("running", "paused"):
        return text
    if delay := "paused" if run.status == "paused" else run.busy_with:
        return f"{text}, {delay}"
    seconds = next((float(row.get("seconds", 0.0)) for row in run.records(-1)), 0.0)  # of work: pauses are left out
    return f"{text}, about {duration(seconds / step * (total - step))} left" if seconds and 0 < step < total else text


def state(run: Run | None) -> str:
    """One sentence on what the run does, and what can be done next."""
    if run is None:
        return "Ready. Press Start; most sliders may be moved while it trains."
    name = html.escape(run.name)
    if not run.alive and run.status in AT_WORK:
        return f"{name} is trained by another process. This is how it stood at step {run.step}; open it again for more."
    sentences = {
        "waiting": f"{name} is {_waiting(run)}",
        "running": f"{name} {_running(run)}",
        "paused": f"{name} is paused. Press Resume to go on.",
        "stopped": f"{name} was stopped {_where(run)}. All settings are kept: press Start for a new run.",
        "finished": f"{name} is finished. {_best(run)}",
        "failed": _marked(
            BAD,
            f"<b>{name} failed.</b> {failure(run.error or '')}<br>All settings are kept: change one and press Start.",
        ),
    }
    return sentences.get(run.status, f"{name} did not come to its end. This is how it stood at step {run.step}.")


def ending(run: Run) -> str:
    """The sentence for a run that has ended while its last picture is still being drawn."""
    return f"{html.escape(run.name)} has ended. Its last picture is being drawn."


def _running(run: Run) -> str:
    """What a run does now: steps, or work before the first and after the last."""
    if run.step == 0 and run.busy_with:
        return f"is ready to train: its {run.busy_with} comes before the first step."
    if run.step == run.total_steps:
        return "has done all its steps." + (f" What is left is its {run.busy_with}." if run.busy_with else "")
    return "is training. Move a slider and watch the curves answer."


def _waiting(run: Run) -> str:
    """What a run prepares before its first step, with progress."""
    if (progress := run.preparing) is None:
        return "reading its encoder and corpus; this takes some seconds."
    text = f"{html.escape(progress.work)}: {progress.done} of {progress.total}"
    if 0 < progress.done < progress.total:
        text += f", about {duration(progress.seconds / progress.done * (progress.total - progress.done))} left"
    return f"{text}. Its own steps come then; Stop ends this too."


def _where(run: Run) -> str:
    return f"at step {run.step}" if run.step or run.records() else "before its first step"


def _best(run: Run) -> str:
    best = run.best
    if not best:
        return "It was never validated, so no checkpoint was chosen."
    rule = html.escape(str(best.get("rule", "")))
    return f"Checkpoint kept: step {best['step']} ({rule}); <code>panel.run.best_encoder()</code> gives it."


def failure(error: str) -> str:
    """An error as text: escaped, line breaks kept, never a traceback."""
    return html.escape(error).replace("\n", "<br>")


def wrong(sentence: str) -> str:
    """A refusal, marked as an error."""
    return _marked(BAD, failure(sentence))


def failed(why: str, drawn: Run | None = None) -> str:
    """Why a run did not start, marked as an error; says so if what is ``drawn`` is an earlier run."""
    older = "" if drawn is None else f"<br>What is drawn below is {html.escape(drawn.name)}, an earlier run."
    return _marked(BAD, f"<b>It did not start.</b> {failure(why)}{older}")


def drawn_run(run: Run | None, drawn: Run | None) -> str:
    """Which run is drawn, and its settings: never the current values of the knobs."""
    if drawn is None:
        return ""
    text = f"shown: <b>{html.escape(drawn.name)}</b>, {_settings(drawn)}"
    if run is not None and run is not drawn:
        why = "has nothing to show yet" if run.alive else f"{_outcome(run)} before it had anything to show"
        return f"{text} · <b>an earlier run</b>: {html.escape(run.name)} {why}"
    return text


def _outcome(run: Run) -> str:
    return "was stopped" if run.status == "stopped" else html.escape(run.status)


def _settings(run: Run) -> str:
    recipe = run.recipe
    parts = [
        f"seed {recipe.seed}",
        plural(recipe.steps, "step"),
        recipe.sentences.label,
        recipe.encoder.removeprefix("./"),
    ]
    return html.escape(" · ".join(part if len(part) < 40 else f"…{part[-38:]}" for part in parts))


def verdict(diagnosis: Diagnosis, step: int) -> str:
    """The diagnosis with its signals; grey, neither good nor bad, before a tenth of the run."""
    early = diagnosis.trend is not None and diagnosis.trend.course == "too early"
    colour, sign = (BAD, "!") if diagnosis.warns else (UNKNOWN, "…") if early else (GOOD, "✓")
    signals = list(diagnosis.signals.items())[:SIGNALS_SHOWN]
    figures = " · ".join(f"{html.escape(of(name).label)} {value:.3g}" for name, value in signals)
    head = f"<b>{sign} {html.escape(diagnosis.headline)}</b> at step {step}. {html.escape(diagnosis.text)}"
    return _marked(colour, f"{head}<br><span style='opacity:.75'>{figures}</span>")


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An HTML table of escaped texts, line breaks kept, with a caption and headings for screen readers.

    >>> table("runs", ["name"], [["<a>"]]).count("&lt;a&gt;")
    1
    """
    columns = "".join(f"<th scope='col'>{html.escape(name)}</th>" for name in head)
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td>{failure(cell)}</td>" for cell in rest)
        lines.append(f"<tr><th scope='row'>{html.escape(first)}</th>{cells}</tr>")
    return (
        "<table class='clwork-table' style='border-collapse:collapse;font-size:12px;line-height:1.5'>"
        f"<caption style='text-align:left'>{html.escape(caption)}</caption>"
        f"<thead><tr>{columns}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )


def measured_on(probe: Any, tracks: RunColumns) -> str:
    """On how many sentences and pairs the geometry is measured, and the values over all of them at start and end.

    Empty before the corpus has been read.
    """
    if probe is None:
        return ""
    text = f"Measured: {html.escape(probe.about)}."
    ends = {column.label: tracks.xy(f"{column.name}_all")[1] for column in TABLE}
    pairs, sentences = tracks.last("pairs_all"), tracks.last("sentences_all")
    if pairs is not None and sentences is not None:
        changes = (f"{name} " + " → ".join(f"{v:.3g}" for v in values) for name, values in ends.items() if len(values))
        measured = f"{plural(round(pairs), 'pair')} and {plural(round(sentences), 'sentence')}"
        text += f" On {measured}, at the start and the end: {', '.join(changes)}."
    return f"<br><span style='opacity:.75'>{text}</span>"


def _marked(colour: str, text: str) -> str:
    return f"<div style='border-left:4px solid {colour};padding-left:8px'>{text}</div>"


def arithmetic(run: Run) -> str:
    """The run's precision, with the reason for it as a tooltip."""
    why = html.escape(run.recipe.precision_why, quote=True)
    return f"<span title='{why}'>in {html.escape(run.recipe.precision)}</span>"


def numbers(last: Mapping[str, float | None]) -> str:
    """The latest measurements in one line; missing ones are left out."""
    shown = [(of(name), value) for name, value in last.items() if value is not None]
    return " · ".join(f"{html.escape(column.label)} <b>{column.scale * value:.4g}</b>" for column, value in shown)
