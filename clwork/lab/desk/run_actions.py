"""Actions on a run of the desk: continue, rename, delete."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from pathlib import Path

import ipywidgets as widgets

from ...disk import size
from ...training import Stored, delete_run, rename_run, resume
from ...training.stored.stored import AT_WORK
from ...wording import explain
from ..page.widgets import LABEL, button
from .table import called

CHOSEN = ""  # all runs that are chosen to be drawn


class RunActions(widgets.VBox):  # type: ignore[misc]
    """A drop-down of runs and a button for each action; deleting asks for confirmation."""

    def __init__(self, announce: Callable[[str], None], done: Callable[[], None]) -> None:
        """``announce`` receives the outcome of an action as a sentence, ``done`` is called after it."""
        self._announce, self._done = announce, done
        self._runs: dict[str, Stored] = {}
        self._drawn: list[str] = []
        self.one = widgets.Dropdown(
            description="run", tooltip="The run to act on.", style=LABEL, layout=widgets.Layout(width="404px")
        )
        self.one.add_class("clwork-one")
        self.go_on = button("Continue", "Go on from its last checkpoint, in the background.", "continue", self.resume)
        self.name = widgets.Text(placeholder="another name", layout=widgets.Layout(width="150px"))
        self.name.add_class("clwork-name")
        self.rename = button("Rename", "Give it, and its folder, that name.", "rename", self._rename)
        self.delete = button("Delete …", "Shows what it would free, and asks.", "delete", self._ask)
        self.question = widgets.HTML()
        self.sure = button("Delete", "For good: nothing brings it back.", "sure", self._delete, "danger")
        self.keep = button("Keep", "Delete nothing.", "keep", self._hide)
        self.asked = widgets.HBox([self.question, self.sure, self.keep], layout=widgets.Layout(display="none"))
        self._doomed: list[Path] = []
        super().__init__([widgets.HBox([self.one, self.go_on, self.delete, self.name, self.rename]), self.asked])
        self.one.observe(lambda _: self._follow(), names="value")

    def offer(self, runs: Sequence[Stored], drawn: Sequence[str]) -> None:
        """List ``runs``, and the names of the folders that are drawn; the choice stays."""
        self._runs = {str(run.folder): run for run in runs}
        self._drawn = [folder for folder, run in self._runs.items() if run.folder.name in drawn]
        options = [(_label(run), folder) for folder, run in self._runs.items()]
        if len(self._drawn) > 1:
            options.append((f"the {len(self._drawn)} chosen below", CHOSEN))
        chosen, values = self.one.value, [value for _, value in options]
        if list(self.one.options) != options:
            self.one.options = options
            self.one.value = chosen if chosen in values else next(iter(values), None)
        self._follow()

    def resume(self) -> None:
        """Continue the chosen run."""
        self._try(lambda run: f"{resume(run.folder, background=True).name} goes on from its last checkpoint.")

    def _rename(self) -> None:
        self._try(lambda run: f"{run.name} is called {rename_run(run.folder, self.name.value.strip()).name} now.")

    def _follow(self) -> None:
        """Enable the actions possible for the chosen run; a new choice withdraws a pending confirmation."""
        run = self._runs.get(self.one.value or "")
        alone = run is not None and run.status not in AT_WORK
        self.go_on.disabled = not alone or run is None or run.status == "finished"
        self.rename.disabled = not alone
        self.delete.disabled = not self._free()
        if self._doomed != [item.folder for item in self._free()]:
            self._hide()

    def _free(self) -> list[Stored]:
        """The chosen runs that are not being trained."""
        folders = self._drawn if self.one.value == CHOSEN else [self.one.value]
        runs = [self._runs[folder] for folder in folders if folder in self._runs]
        return [run for run in runs if run.status not in AT_WORK]

    def _ask(self) -> None:
        doomed = self._free()
        self._doomed = [run.folder for run in doomed]
        names = ", ".join(map(called, doomed[:5])) + (f" and {len(doomed) - 5} more" if len(doomed) > 5 else "")
        freed = size(sum(run.files.size() for run in doomed))
        text = f"Delete <b>{html.escape(names)}</b> for good? That frees {freed} on disk."
        self.question.value, self.asked.layout.display = f"<span role='alert'>{text}</span>", "flex"

    def _hide(self) -> None:
        self._doomed, self.asked.layout.display = [], "none"

    def _delete(self) -> None:
        doomed, failures = self._doomed, list[str]()
        self._hide()
        freed = 0
        for folder in doomed:
            try:
                gone = delete_run(folder)
                freed += gone.bytes
                if gone.left:
                    failures.append(f"{folder} is left, with what is not clwork's: {', '.join(gone.left[:5])}")
            except Exception as error:  # of any kind: the others are still to be deleted
                failures.append(f"{folder.name} is kept: {explain(error)}")
        self._done()
        self._announce(". ".join([f"{size(freed)} are free", *failures]))

    def _try(self, act: Callable[[Stored], str]) -> None:
        run = self._runs.get(self.one.value or "")
        if run is None:
            return
        try:
            outcome = act(run)
        except Exception as error:  # of any kind, as text: a desk has no traceback
            outcome = explain(error)
        self._done()
        self._announce(outcome)


def _label(run: Stored) -> str:
    return f"{called(run)}: {run.status}, {size(run.files.size())}"
