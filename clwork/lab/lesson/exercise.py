"""A task with a button that checks, in the kernel, whether it is done."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from ... import _validation
from ..._validation import checked, printable, shown
from ...wording import explain
from ..page.messages import prose
from ..page.notebook import unsaved
from ..page.widgets import manager_metadata

LEVELS = {1: "touch", 2: "think", 3: "build"}
Verdict = bool | str | None


class Exercise(widgets.VBox):  # type: ignore[misc]
    """See :func:`clwork.lab.exercise`, which makes it.

    Attributes:
        solved: whether the last check passed; None before the first.
    """

    def __init__(self, task: str, check: Callable[[], Verdict], level: int, hint: str, title: str) -> None:
        """Show the task; nothing is checked yet."""
        self.solved: bool | None = None
        self._task, self._check, self._level, self._hint, self._title = task, check, level, hint, title
        self._button = widgets.Button(description="Check", tooltip="see whether it is done", icon="check")
        self._said = widgets.HTML()
        self._button.on_click(lambda _: self.check())
        super().__init__(
            [widgets.HTML(self._text()), self._button, self._said], layout=widgets.Layout(max_width="838px")
        )
        self.add_class("clwork-exercise")

    def check(self) -> bool:
        """Check, as the button does; say what is missing, and return whether it is done."""
        try:
            found = self._check()
        except Exception as error:  # the reader's own code, half written
            found = explain(error)
        self.solved = found is True
        said = "Done." if self.solved else f"Not yet. {found or self._hint}".strip()
        mark = "✓" if self.solved else "○"
        self._said.value = f'<div role="status">{mark} {prose(printable(said))}</div>'
        return self.solved

    def _text(self) -> str:
        level = f"{'●' * self._level}{'○' * (len(LEVELS) - self._level)} {LEVELS[self._level]}"
        hint = f"<details><summary>A hint</summary>{prose(self._hint)}</details>" if self._hint else ""
        title = prose(f"Exercise {self._title}".strip())
        return (
            '<div style="border-left:4px solid #009e73;padding:4px 14px;line-height:20px">'
            f"<b>{title}</b> <small>{html.escape(level)}</small><br>{prose(self._task)}{hint}</div>"
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widgets, and the task for readers without widgets."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        bundle["text/html"] = self._text()
        return bundle, manager_metadata()


@checked()
@unsaved()
def exercise(task: str, check: Callable[[], Verdict], *, level: int = 1, hint: str = "", title: str = "") -> Exercise:
    """A task, and a button that checks whether it is done.

    Args:
        task: what the reader shall do.
        check: called by the button: True where it is done, else what is missing (a text; None and False say the hint).
            An exception is shown as what is missing. In all texts, code stands between backticks.
        level: 1 touch a control, 2 think or derive, 3 write code.
        hint: folded below the task.
        title: its number and name, such as ``"3.1: one point"``.

    Raises:
        TypeError: ``check`` cannot be called.
        ValueError: no task, or another level.

    >>> done = exercise("Set x to 4.", lambda: 2 + 2 == 4)
    >>> done.check(), done.solved
    (True, True)
    """
    if not task.strip():
        raise ValueError("task is empty; say what the reader shall do")
    if not callable(check):
        raise TypeError(f"check={shown(check)} cannot be called; give a function without arguments")
    level = _validation.whole("level", level, 1, len(LEVELS))
    return Exercise(printable(task), check, level, printable(hint), printable(title))
