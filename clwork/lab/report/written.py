"""The report of a run: what was set, what came of it, its pictures and its player, in one HTML file."""

from __future__ import annotations

import html
import statistics
from collections.abc import Sequence
from pathlib import Path

from ... import _validation
from ..._validation import checked, printable
from ...disk import write_whole
from ...metrics import diagnose
from ...recordings import recording
from ...training import Stored, checkpoint_steps, open_run, stored_runs
from ...training.loop.preparation import read_config
from ...training.run.run import usual_settings
from ...training.stored.stored import AT_WORK, RunSource, as_run, group_by_recipe
from ...views import RunColumns, curves, to_svg, trails
from ...views.svg.dark import both_images
from ...wording import explain
from ..force_view import forces as force_view
from ..instrument.poster import stills_of
from ..page import standalone
from ..page.messages import failure, table
from ..player.player import player

ENDS = ("loss", "alignment", "uniformity", "stsb", "sickr", "silver")
STYLE = """
:root { color-scheme: light dark } .clwork-dark { display: none }
@media screen and (prefers-color-scheme: dark) { .clwork-light { display: none } .clwork-dark { display: inline }
  html body { color: #e9edf1; background: #14181d } html .note { color: #a3adb8 } }
body { font: 15px/1.5 system-ui, sans-serif; color: #1c232b; background: #fff;
  max-width: 1000px; margin: 0 auto; padding: 16px } h1 { margin: 0 } h2 { margin: 28px 0 8px; font-size: 19px }
table { border-collapse: collapse; display: block; overflow-x: auto } th, td { text-align: left;
  padding: 2px 14px 2px 0; vertical-align: top; font-weight: 400 }
thead th { border-bottom: 1px solid #7f8994; font-weight: 600 }
img, svg { max-width: 100%; height: auto } figure { margin: 8px 0 } .note { color: #59636e }
@media print { h2 { break-after: avoid } figure, tr { break-inside: avoid } }
"""


@checked()
def report(run: RunSource, path: str | Path | None = None, *, forces: bool = True) -> Path:
    """Write a run as one HTML file, to be opened, sent or printed; the file asks for nothing from outside.

    It holds state, trend and diagnosis, the settings and where they differ from the method's, what a fork changed, the
    runs of the same folder that differ in the seed alone, curves, three stills and the player of its sentences through
    time, and who pulls and who pushes at up to three steps. Without scripts the player is a picture. A run at work is
    told as far as it is. On a dark page the pictures are dark, on paper light.

    Args:
        run: a run, one opened by :func:`clwork.open_run`, or a run's folder.
        path: the file; one that is there is replaced. Default: the folder's name and ``.html``, in the current folder.
        forces: compute the forces at the first, the middle and the last step whose weights are kept.

    Returns:
        the file's path.

    Raises:
        TypeError: something that is no run.
        FileNotFoundError: no run lies there.
        ValueError: ``path`` is a folder.
        DiskError: the disk refuses.
    """
    stored = open_run(as_run("run", run).folder)
    target = standalone.file_for(f"{stored.folder.name}.html" if path is None else path, "report.html")
    parts = [_head(stored), _diagnosis(stored), _seeds(stored), _fork(stored), _curves(stored), _through_time(stored)]
    parts += [_forces(stored)] if _validation.flag("forces", forces) else []
    body = "\n".join([*parts, _settings(stored), _again(stored)])
    title = html.escape(printable(stored.name))
    document = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{standalone.POLICY}">'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>{body}</body></html>'
    )
    write_whole(target, printable(document))
    return target


def _head(run: Stored) -> str:
    goes_on = " It is still at work: this is how far it had come." if run.status in AT_WORK else ""
    trend = "<p class='note'>No look at its sentences yet.</p>"
    if seen := run.trend:
        moved = f"Mean cosine {seen.first.mean_cosine:.2f} → {seen.last.mean_cosine:.2f}: {seen.course}."
        trend = f"<p>{failure(moved)}</p>"
    error = f"<p role='alert'>{failure(str(run.error))}</p>" if run.error else ""
    state = f"{run.method}, seed {run.recipe.seed}, {run.status}, step {run.step:,} of {run.total_steps:,}.{goes_on}"
    rows = [(name, f"{first:.4g}", f"{last:.4g}") for name, first, last in _first_and_last(run)]
    told = table("", ["", "first", "last"], rows) if rows else ""
    return f"<h1>{html.escape(run.name)}</h1><p>{failure(state)}</p>{error}{trend}{told}"


def _first_and_last(run: Stored) -> list[tuple[str, float, float]]:
    columns = RunColumns(run.records())
    measured = {name: columns.xy(name)[1] for name in ENDS}
    return [(name, float(values[0]), float(values[-1])) for name, values in measured.items() if len(values)]


def _seeds(run: Stored) -> str:
    """The runs beside it that differ in nothing but their seed, and how far they spread."""
    beside, _ = stored_runs(run.folder.parent)
    groups = group_by_recipe([one for one in beside if one.method == run.method])
    alike = next((group for group in groups.values() if any(one.folder == run.folder for one in group)), [])
    alike = list({one.recipe.seed: one for one in alike if one.status == "finished"}.values())  # copies count once
    if len(alike) < 2:
        return ""
    ends = [{name: last for name, _, last in _first_and_last(one)} for one in alike]
    names = [name for name in ENDS if all(name in end for end in ends)]
    rows = [
        [f"{one.name}, seed {one.recipe.seed}", *(f"{end[name]:.4g}" for name in names)]
        for one, end in zip(alike, ends, strict=True)
    ]
    spread = [[end[name] for end in ends] for name in names]
    rows.append(["mean ± sd", *(f"{statistics.mean(v):.4g} ± {statistics.stdev(v):.2g}" for v in spread)])
    return f"<h2>The same with other seeds</h2>{table('', ['run', *names], rows)}"


def _fork(run: Stored) -> str:
    if run.parent is None:
        return ""
    changed = [[name, str(old), str(new)] for name, (old, new) in run.parent.changed.items()]
    told = table("", ["setting", "parent", "this run"], changed) if changed else "<p>Nothing was changed.</p>"
    return f"<h2>A fork of {html.escape(run.parent.run)} at step {run.parent.step:,}</h2>{told}"


def _curves(run: Stored) -> str:
    if not run.rows:
        return "<p class='note'>Nothing is recorded yet.</p>"
    figure = curves(run.records(), total_steps=run.total_steps, width=960)
    drawn = [both_images(to_svg(figure), "curves of the run")]
    if any(None not in (row.get("uniformity"), row.get("alignment")) for row in run.records()):
        way = to_svg(trails({run.method: [run.records()]}))
        drawn.append(both_images(way, "its way through alignment and uniformity"))
    return "<h2>Curves</h2>" + "".join(f"<figure>{one}</figure>" for one in drawn)


def _through_time(run: Stored) -> str:
    try:
        shown = player(run)
    except ValueError as error:  # it kept no positions, or none yet
        return f"<h2>Sentences through time</h2><p class='note'>{failure(explain(error))}</p>"
    stills = both_images(stills_of(shown.data[0]), "its sentences at the first look, in the middle and at the last")
    return f"<h2>Sentences through time</h2><figure>{stills}</figure>{shown._repr_html_()}"


def _diagnosis(run: Stored) -> str:
    """What the cloud of its sentences looks like by the last weights, in words."""
    try:
        found = diagnose(run.encoder.encode(recording(run)["texts"]))
        config = vars(read_config(run.recipe, run.files))
        told = str(found.of_run(run.trend, config, usual_settings(run.recipe, run.folder)))
    except (ValueError, OSError, RuntimeError) as error:  # no weights, no positions, or what it started from is gone
        told = explain(error)
    return f"<h2>Diagnosis</h2><p>{failure(told)}</p>"


def _forces(run: Stored) -> str:
    """Who pulls and pushes the sentence with the largest loss, at up to three steps."""
    try:
        kept = checkpoint_steps(run)
        steps = sorted({kept[0], kept[len(kept) // 2], kept[-1]}) if kept else []
        drawn = [_forces_at(run, step) for step in steps]
    except (ValueError, OSError, RuntimeError) as error:  # examples are gone or have changed, weights are not kept
        return f"<h2>Who pulls, who pushes</h2><p class='note'>{failure(explain(error))}</p>"
    return "<h2>Who pulls, who pushes</h2>" + ("".join(drawn) or "<p class='note'>No weights are kept.</p>")


def _forces_at(run: Stored, step: int) -> str:
    return f"<h3>After step {step:,}</h3>{force_view(run, step=step).static_html()}"


def _settings(run: Stored) -> str:
    usual = usual_settings(run.recipe, run.folder)
    rows: list[Sequence[str]] = []
    for name, value in run.settings().items():
        default = usual.get(name, value)
        rows.append([str(name), str(value), "" if default == value else str(default)])
    return f"<h2>Settings</h2>{table('', ['setting', 'value', 'default, where it is another'], rows)}"


def _again(run: Stored) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in run.recipe.versions.items())
    code = html.escape(f"clwork.replay({str(run.folder.name)!r})")
    return f"<h2>Again</h2><p>Beside the folder of this run: <code>{code}</code></p><p>{failure(versions)}</p>"
