"""The player: one or two recorded runs over time; and a run's report as an HTML file.

Both are HTML pages with all their data, so that they work without Python and without a network.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

from .._validation import printable
from ..disk import write_file
from ..recordings import recording
from ..training.run import RunSource as AnyRun
from .page import standalone
from .page.labels import titles
from .page.markup import escaped, table
from .panel.recorded import LONGEST, Recording, prepared_recording
from .panel.run_sources import NOTHING, Part, RecordedSource, curve_cells, update_of

HEIGHT = 640
"""Height of a player in pixels."""


def player(run: AnyRun, other: AnyRun | None = None, *, question: str = "") -> Player:
    """Play one run, or two next to each other: sentences, curves and the plane over time.

    The page needs no kernel. Of an active run it has what was recorded so far;
    ``lab.panel(run=run)`` follows the run.

    Args:
        run: a run, the result of :func:`clwork.open_run` or :func:`clwork.recording`, a run's
            folder, or the name of a method for the recorded run that is part of clwork.
        other: a second run, shown next to the first at the same step.
        question: a text above the pictures. In it ``[the end](80,pca,11)`` is a button that shows
            step 80, the map "pca" or "umap", and sentence 11 as the chosen one.

    Raises:
        ValueError: a run has no recorded positions.

    >>> player("simcse").data[0]["method"]
    'simcse'
    """
    chosen = [run] if other is None else [run, other]
    recordings = [prepared_recording(recording(each)) for each in chosen]
    if other is not None:
        names = titles([_settings_for_title(recorded) for recorded in recordings])
        for recorded, name in zip(recordings, names, strict=True):
            recorded["differs"] = name[:LONGEST]
            # Two layouts, each made for its own run, cannot be compared.
            recorded.pop("umap", None)
    return Player(recordings, question)


class Player:
    """A page that plays one or two recordings; to display it, put it last in a cell.

    Attributes:
        data: the recordings, see :func:`clwork.recording`.
        question: the text above the pictures.
    """

    def __init__(self, data: list[Recording], question: str = "") -> None:
        self.data = data
        self.question = question

    @property
    def html(self) -> str:
        """The HTML page with all its data; it makes no requests."""
        names = [recorded["title"] or recorded["method"] or "a run" for recorded in self.data]
        runs = [_data_of(recorded) for recorded in self.data]
        # The constant data.
        about = {
            "mode": "player",
            "runs": len(runs),
            "question": self.question,
            "curves": curve_cells(),
        }
        state = {"about": about, "runs": runs, "page": True}
        return standalone.page("panel", state, f"{' and '.join(names)} through time")

    def _repr_html_(self) -> str:
        return standalone.iframe(self.html, HEIGHT, "A run through time")

    def __repr__(self) -> str:
        runs = [
            f"{recorded['name']}, {len(recorded['measurements'])} probes" for recorded in self.data
        ]
        return f"<Player of {' and '.join(runs)}>"


def _data_of(recorded: Recording) -> Part:
    """Return a run's data as the live panel gets them."""
    source = RecordedSource(recorded, recorded["name"] or recorded["method"] or "recording")
    part = update_of(source, NOTHING)
    part["head"] |= {"differs": recorded["differs"], "method": recorded["method"]}
    return part


def _settings_for_title(recorded: Recording) -> dict[str, Any]:
    """Return the settings of a recorded run from which :func:`titles` makes its title."""
    settings = {"method": recorded["method"]}
    for name, value in recorded["settings"].items():
        # titles() counts the different values of the runs. A list has no hash, so it is left out.
        if isinstance(value, Hashable):
            settings[name] = value
    return {**settings, "seed": recorded.get("seed"), "total_steps": recorded.get("total_steps")}


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color-scheme: light dark; max-width: 1000px;
  margin: 0 auto; padding: 16px }
h1 { margin: 0 } h2 { margin: 28px 0 8px; font-size: 19px }
table { display: block; overflow-x: auto }
th, td { text-align: left; padding: 2px 14px 2px 0; vertical-align: top; font-weight: 400 }
"""
DOCUMENT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width"><style>{style}</style></head>
<body><h1>{title}</h1>{body}</body></html>
"""


def save_page(run: AnyRun, path: str | Path) -> Path:
    """Write a run as one HTML file: the player with its curves, the seed and all settings.

    The file works without Python and network.

    Args:
        run: any argument of :func:`clwork.recording`, such as a run or its folder.
        path: the file to write, such as ``"run.html"``; an existing file is replaced.

    Returns:
        The file's path.

    Raises:
        ValueError: the run has no recorded positions.

    >>> from tempfile import mkdtemp
    >>> save_page("simcse", Path(mkdtemp()) / "report.html").name
    'report.html'
    """
    target = Path(path).resolve()
    recorded = recording(run)
    last = recorded["rows"][-1]["step"] if recorded["rows"] else 0
    about_run = (
        f"{recorded['method']}, seed {recorded['seed']}, {recorded['status']}, "
        f"step {last} of {recorded['total_steps']}"
    )
    settings = [(str(name), str(value)) for name, value in recorded["settings"].items()]
    parts = [
        f"<p>{escaped(about_run)}</p>",
        standalone.iframe(player(recorded).html, HEIGHT, "A run through time"),
        f"<h2>Settings</h2>{table('', ['setting', 'value'], settings)}",
    ]
    # A name may have characters that an HTML file must not have, such as control characters.
    title = escaped(str(recorded["name"]))
    document = DOCUMENT.format(
        title=title, policy=standalone.POLICY, style=STYLE, body="".join(parts)
    )
    write_file(target, printable(document))
    return target
