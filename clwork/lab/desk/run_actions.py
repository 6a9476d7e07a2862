"""Actions on runs of the desk: continue, report, rename, delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...disk import size
from ...training import delete_run, rename_run, resume
from ...wording import explain, plural
from ..player.saved_page import save_page
from .facts import Facts

NAMED = 5  # runs that a question names; of more it says how many


class RunActions:
    """What can be done to runs on disk. Deleting takes two calls: one to ask, and one that says yes to the question.

    Attributes:
        question: what is to be deleted, in words; empty while nothing is asked.
        doomed: the folders that the question is about.
        asked: how many questions were asked or withdrawn, so that a page sees a new one.
    """

    def __init__(
        self, all_facts: Callable[[], Sequence[Facts]], announce: Callable[[str], None], done: Callable[[], None]
    ) -> None:
        """``announce`` receives the outcome of an action as a sentence, ``done`` is called after it."""
        self._all, self._announce, self._done = all_facts, announce, done
        self.question, self.doomed, self.asked = "", list[Path](), 0

    def resume(self, run: str) -> None:
        """Continue the run in the folder called ``run``, in the background."""
        self._try(run, lambda it: f"{resume(it.folder, background=True).name} goes on from its last checkpoint.")

    def rename(self, run: str, new: str) -> None:
        """Rename a run, and its folder."""
        self._try(run, lambda it: f"{it.name} is called {rename_run(it.folder, new.strip()).name} now.")

    def report(self, run: str) -> None:
        """Write the run as one HTML file into the current folder."""
        self._try(run, lambda it: f"{save_page(it, f'{it.folder.name}.html')} is written: open it in a browser.")

    def ask(self, names: Sequence[str]) -> None:
        """Ask whether these runs, by folder, are to be deleted; those that are being trained are left out.

        Raises:
            ValueError: none can be deleted.
        """
        wanted = set(names)
        chosen = [item for item in self._all() if item.id in wanted]
        free = [item for item in chosen if not item.at_work]
        if not free:
            raise ValueError(
                "Nothing to delete: " + ("all of these are being trained" if chosen else "no run is chosen")
            )
        self.doomed = [item.run.folder for item in free]
        self.question = _question(free, len(chosen) - len(free))
        self.asked += 1

    def keep(self) -> None:
        """Withdraw the question."""
        if self.question:
            self.question, self.doomed = "", []
            self.asked += 1

    def delete(self) -> None:
        """Delete what the question is about, for good; one that cannot be deleted does not keep the others."""
        doomed, failures, freed = self.doomed, list[str](), 0
        self.keep()
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

    def _try(self, name: str, act: Callable[[Any], str]) -> None:
        run = next((item.run for item in self._all() if item.id == name), None)
        if run is None:
            return
        try:
            outcome = act(run)
        except Exception as error:  # of any kind, as text: a desk has no traceback
            outcome = explain(error)
        self._done()
        self._announce(outcome)


def _question(free: Sequence[Facts], at_work: int) -> str:
    """How many runs, which, what is lost with them, and which stay."""
    names = ", ".join(item.called for item in free[:NAMED])
    names += f" and {len(free) - NAMED} more" if len(free) > NAMED else ""
    count = f"{plural(len(free), 'run')}: " if len(free) > 1 else ""
    steps = sum(item.run.step for item in free)
    text = f"Delete {count}{names} for good? That frees {size(sum(item.bytes for item in free))} on disk. "
    text += f"Lost: settings, records and checkpoints of {plural(steps, 'step')}, and their encoders."
    stay = f" {plural(at_work, 'run')} at work {'stays' if at_work == 1 else 'stay'}." if at_work else ""
    return text + stay
