"""Boxes of a lesson: a prediction with its outcome, a slider, an exercise, a sentence that acts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from weakref import WeakSet

import ipywidgets as widgets

from .._validation import choice, printable, shown
from ..grading import store_answer
from ..wording import NO_MATH, explain
from .anatomy_view import AnatomyView
from .page.markup import prose
from .page.notebook import Bundled, unsaved
from .page.standalone import iframe, page
from .panel.panel import Panel

# Heights of a dial's parts in pixels: slider and value; a bar; the curves at least.
HEAD = 118
ROW = 38
LEAST = 270
LEVELS = {1: "touch", 2: "think", 3: "build"}
"""Levels of exercises."""
Verdict = bool | str | float | None
"""What the check of an exercise returns.

True: the task is done. A text: what is missing. False or None: it is not done, and the hint helps.
A number: the reader's answer, of an exercise that has the digest of the right one.
"""

# The outcome of a prediction is a closed <details>, which styles hide before an answer. If a page
# drops styles and inputs (a notebook that is not trusted, a code host), the <details> remains.
STYLE = """
.clwork-predict { border: 1px solid #7f8994; border-left: 4px solid #0b62c4; border-radius: 6px;
  padding: 10px 14px; margin: 4px 0; max-width: 838px; box-sizing: border-box;
  font: 400 14px/20px system-ui, sans-serif; }
.clwork-predict fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.clwork-predict legend { padding: 0; margin-bottom: 6px; font-weight: 600; }
.clwork-predict label { display: inline-block; margin: 2px 18px 2px 0; padding: 4px 0;
  cursor: pointer; }
.clwork-predict input[type=number] { font: inherit; width: 9em; padding: 4px 6px; }
.clwork-predict details { display: none; margin-top: 8px; }
.clwork-predict:has(:checked) details, .clwork-predict:has(input:user-valid) details,
.clwork-predict:has(details[open]) details { display: block; }
.clwork-predict summary { cursor: pointer; font-weight: 600; padding: 4px 0; }
.clwork-predict .first { opacity: .75; font-size: 12px; margin-top: 6px; }
.clwork-predict:has(:checked) .first, .clwork-predict:has(details[open]) .first { display: none; }
.clwork-predict :focus-visible { outline: 2px solid #4d9bf0; outline-offset: 2px; }
"""
# Numbers of the predictions of this process, which distinguish their radio buttons.
_numbers = itertools.count()
_exercises: WeakSet[Exercise] = WeakSet()


@dataclass
class Prediction:
    """Returned by :func:`clwork.lab.predict`; without ``choices`` the answer is a number.

    The attributes are the arguments of that function; ``outcome`` is a text.
    """

    question: str
    choices: tuple[str, ...]
    outcome: str

    def _repr_html_(self) -> str:
        # Radio buttons of one name exclude each other.
        name = f"clwork-predict-{next(_numbers)}"
        answers = ""
        for number, answer in enumerate(self.choices):
            button = f'<input type="radio" name="{name}" value="{number}">'
            answers += f"<label>{button} {prose(answer)}</label>"
        if not answers:
            answers = '<label>Your number: <input type="number" step="any" required></label>'
        return (
            f'<div class="clwork-predict {NO_MATH}"><style>{STYLE}</style>'
            f"<fieldset><legend>{prose(self.question)}</legend><div>{answers}</div></fieldset>"
            '<div class="first">Answer first; then the outcome can be opened.</div>'
            '<details aria-live="polite"><summary>Compare with the outcome</summary>'
            f"<div>{prose(self.outcome)}</div></details></div>"
        )

    def __repr__(self) -> str:
        """Return the question only, so that plain text does not reveal the outcome."""
        return f"Prediction({self.question!r})"


def predict(
    question: str,
    choices: Sequence[str] | None = None,
    outcome: str | Callable[[], str] = "",
) -> Prediction:
    """Make a box of plain HTML with a question; the reader can open its outcome after an answer.

    Args:
        question: text of the question; backticks mark code, stars mark emphasis.
        choices: the answers; None if the answer is a number.
        outcome: a text, or a function that returns one and is called immediately.

    >>> predict("Is 7 prime?", ["yes", "no"], "Yes.")
    Prediction('Is 7 prime?')
    """
    outcome_text = outcome() if callable(outcome) else outcome
    return Prediction(question, tuple(choices or ()), outcome_text)


class Dial:
    """Returned by :func:`clwork.lab.dial`.

    Attributes:
        values: the positions of the slider.
        rows: the numbers of ``draw(value)`` by name, for each of ``values``.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        """``state`` is what the page, js/src/dial, receives; its rows are lists of numbers."""
        self._state = state
        self.values: list[float] = state["values"]
        self.rows = [dict(zip(state["names"], row, strict=True)) for row in state["rows"]]

    def page(self) -> str:
        """Return the dial as an HTML document, which makes no requests."""
        return page("dial", self._state, self._state["name"])

    def _repr_html_(self) -> str:
        state = self._state
        height = HEAD + max(LEAST, ROW * len(state["names"]))
        return iframe(self.page(), height, f"dial: {state['name']}")

    def __repr__(self) -> str:
        values = f"{len(self.values)} values, {self.values[0]:g} to {self.values[-1]:g}"
        return f"Dial({self._state['name']!r}, {values})"


def dial(
    name: str,
    values: Sequence[Any],
    draw: Callable[[Any], Mapping[str, float]],
    *,
    start: float | None = None,
    unit: str = "",
    log: bool = False,
) -> Dial:
    """Make a slider over ``values`` that shows the numbers of ``draw(value)`` as bars and curves.

    Args:
        name: title of the slider, such as ``"temperature τ"``.
        values: numbers in increasing order; above 0 if ``log``.
        draw: returns finite numbers by name, with the same names for each value; called for all
            values now.
        start: the first value that is shown; the nearest of ``values`` is used. Default: the first
            of ``values``.
        unit: unit of the numbers, used as the title of their axis.
        log: whether the axis of values is logarithmic.

    Raises:
        ValueError: ``values`` are not as described.
        KeyError: ``draw`` returns a name for the first value that it lacks for another one.

    >>> dial("x", [1, 2, 4], lambda x: {"square": x * x})
    Dial('x', 3 values, 1 to 4)
    """
    numbers = [float(value) for value in values]
    # All must be between these two limits, which NaN and infinity are not.
    with_limits = [0 if log else -math.inf, *numbers, math.inf]
    if not numbers or not all(left < right for left, right in itertools.pairwise(with_limits)):
        limit = ", above 0 for a logarithmic axis" if log else ""
        raise ValueError(f"values={shown(numbers)}: give numbers in increasing order{limit}")
    results = [draw(value) for value in values]
    names = list(results[0])

    wanted = numbers[0] if start is None else start
    first = min(numbers, key=lambda number: abs(number - wanted))
    state = {
        "name": printable(name),
        "values": numbers,
        "names": [printable(result_name) for result_name in names],
        # A result without one of the names raises the KeyError here.
        "rows": [[float(result[result_name]) for result_name in names] for result in results],
        "start": numbers.index(first),
        "unit": unit,
        "log": log,
    }
    return Dial(state)


class Exercise(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`clwork.lab.exercise`.

    Attributes:
        solved: whether the last check found the task done; None before the first check.
    """

    def __init__(
        self,
        task: str,
        check: Callable[[], Verdict],
        hint: str,
        digest: str,
        about: Mapping[str, Any],
    ) -> None:
        """``task`` is HTML; ``about`` has the lesson, title and level that are stored."""
        self.solved: bool | None = None
        self._readers_check = check
        self._hint = hint
        self._digest = digest
        self._about = about
        self._button = widgets.Button(
            description="Check", tooltip="check whether it is done", icon="check"
        )
        self._result = widgets.HTML()
        self._button.on_click(lambda _: self.check())
        boxes = [widgets.HTML(task), self._button, self._result]
        super().__init__(boxes, layout=widgets.Layout(max_width="838px"))
        self.add_class("clwork-exercise")
        _exercises.add(self)

    def check(self) -> bool:
        """Run the check as the button does, store the result, and return whether it is done."""
        digest = ""
        try:
            verdict = self._readers_check()
            if self._digest and not isinstance(verdict, bool | str | None):
                # The verdict is a number, which is the reader's answer.
                digest, verdict = self._compared(verdict)
        except (Exception, KeyboardInterrupt) as error:
            # The reader's unfinished code may raise anything, or be interrupted in an endless loop.
            verdict = explain(error)
        self.solved = verdict is True
        result = "Done." if self.solved else f"Not yet. {verdict or self._hint}".strip()
        answer = {**self._about, "solved": self.solved, "result": result, "digest": digest}
        try:
            if self._about["exercise"]:
                store_answer(answer)
        except (OSError, ValueError, TypeError) as error:
            # TypeError: answers.json has other content, such as a list.
            result += f" This result was not stored for grading: {explain(error)}"
        text = prose(f"{'✓' if self.solved else '○'} {result}")
        self._result.value = f'<div class="{NO_MATH}" role="status">{text}</div>'
        return self.solved

    def _compared(self, number: float) -> tuple[str, bool | str]:
        """Return the digest of the reader's answer, and the verdict: True, or that it is wrong.

        A digest is the number of significant digits and a hash of the title and the rounded answer,
        so that the notebook does not contain the answer.
        """
        digits, _, _ = self._digest.partition(":")
        title = self._about["exercise"]
        answer = f"{number:.{digits}g}"
        digest = f"{digits}:{sha256(f'{title} {answer}'.encode()).hexdigest()[:16]}"
        return digest, digest == self._digest or f"{answer} is not the answer. {self._hint}"

    def _static(self) -> tuple[str, str]:
        return "Exercise", self.children[0].value


@unsaved()
def exercise(
    task: str,
    check: Callable[[], Verdict],
    *,
    level: int = 1,
    hint: str = "",
    title: str = "",
    lesson: str = "",
    digest: str = "",
) -> Exercise:
    """Make a box with a task and a button that checks whether the task is done.

    Each check of an exercise with a title writes its result and digest to ``answers.json`` next to
    the folder of runs, which :func:`clwork.grade` reads.

    Args:
        task: text of the task; backticks mark code, stars mark emphasis.
        check: returns True if the task is done, else a text about what is missing, or False or None
            to show the hint; the message of an exception is shown in the same way. With ``digest``
            it may also return the reader's answer, a number, whose digest is compared.
        level: 1 use a control, 2 think, 3 write code.
        hint: a text that the reader can open.
        title: number and name of the exercise.
        lesson: number of the lesson, such as ``"02"``.
        digest: digest of the answer; it begins with the number of significant digits, as in
            ``"3:"``.

    >>> exercise("Set x to 4.", lambda: 2 + 2 == 4).check()
    True
    """
    # There is a dot for each level, filled up to this one.
    dots = f"{'●' * level}{'○' * (len(LEVELS) - level)} {LEVELS[level]}"
    heading = f"<b>{prose(f'Exercise {title}'.strip())}</b> <small>{dots}</small>"
    more = f"<details><summary>A hint</summary>{prose(hint)}</details>" if hint else ""
    box = (
        f'<div class="{NO_MATH}" style="border-left:4px solid #009e73;padding:4px 14px;'
        f'line-height:20px">{heading}<br>{prose(task)}{more}</div>'
    )
    about = {"lesson": lesson, "exercise": printable(title), "level": level}
    return Exercise(box, check, hint, digest, about)


def check_all(solved: bool | None) -> None:
    """Check the exercises of this process that have this ``solved``, for :func:`clwork.grade`."""
    for box in list(_exercises):
        if box.solved is solved:
            box.check()


# A sentence is one paragraph, in which the parts of the box and the button stand as words.
ACT_STYLE = """<style>
.clwork-act.clwork-act { display: block; max-width: 838px; overflow: visible;
  font-size: var(--jp-content-font-size1, 14px); }
.clwork-act > .widget-html, .clwork-act .widget-html-content { display: inline; margin: 0;
  font-size: inherit; line-height: 2; }
.clwork-act > button { display: inline-block; height: auto; margin: 0 2px; padding: 0 8px;
  border-radius: 6px; font-size: inherit; line-height: 1.6;
  border: 1px solid var(--jp-brand-color1, #0b62c4); }
.clwork-act [role=status] { line-height: 1.5; }
</style>"""


class Act(Bundled, widgets.Box):  # type: ignore[misc]
    """Returned by :func:`clwork.lab.act`."""

    def __init__(
        self, panel: Panel | AnatomyView, sentence: str, actions: Mapping[str, Any], reveal: str
    ) -> None:
        before, _, rest = sentence.partition("[")
        label, bracket, after = rest.partition("]")
        if not label.strip() or not bracket:
            raise ValueError(f"sentence={shown(sentence)}: put the button's words in [brackets]")
        self._panel = panel
        self._text = before + label + after
        self._actions = actions
        self._reveal = reveal
        self._button = widgets.Button(description=label, layout=widgets.Layout(width="auto"))
        self._button.on_click(lambda _: self.press())
        self._result = widgets.HTML()
        first = widgets.HTML(ACT_STYLE + prose(before))
        super().__init__([first, self._button, widgets.HTML(prose(after)), self._result])
        self.add_class("clwork-act")

    def press(self) -> bool:
        """Act as the button does, and return whether nothing was refused."""
        # The spinner is shown until the kernel has acted, which takes seconds if it trains.
        self._button.icon = "spinner"
        refusal = self._panel.act(self._actions)
        self._button.icon = "" if refusal else "check"
        text = prose(f"⚠ {refusal}" if refusal else self._reveal)
        self._result.value = f'<div class="{NO_MATH}" role="status">{text}</div>'
        return not refusal

    def _static(self) -> tuple[str, str]:
        return "Act", f'<p class="{NO_MATH}">{prose(self._text)}</p>'


@unsaved()
def act(panel: Panel | AnatomyView, sentence: str, *, reveal: str = "", **actions: Any) -> Act:
    """Show a sentence of a lesson with a button that acts on a panel or an anatomy.

    The panel does what its own controls do, and outlines the part meant for two seconds. A refused
    action says why below the sentence.

    Args:
        panel: a panel, or what :func:`anatomy` returns, that is shown in another cell.
        sentence: one line; its part in [brackets] is the button; backticks mark code, stars mark
            emphasis.
        reveal: what to look for, shown once the button was pressed.
        actions: settings by name, such as ``temperature=0.5``, and what else the sentence does, in
            their order. A panel: ``start=True``; ``step=1``, one step; ``scrub=0``, show this step;
            ``type="A sentence."`` in the cloud; ``view="umap"`` or ``"pca"``; ``fork=16``, train on
            from this step; ``compare=True``, show the run before as well. An anatomy: ``step=3``,
            three steps; ``choose=0``, the first sentence; ``restart=True``.

    Raises:
        ValueError: an action is unknown, or the sentence has no part in brackets.

    >>> from clwork import lab
    >>> shown = lab.panel("simcse")
    >>> act(shown, "[Set τ = 0.5], and watch uniformity.", temperature=0.5).press()
    True
    >>> shown.config()["temperature"]
    0.5
    """
    for name in actions:
        choice("action", name, panel.known_actions())
    return Act(panel, printable(sentence), actions, reveal)
