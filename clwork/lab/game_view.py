"""The seeds game: buy seeds from a budget, decide, and count the wrong decisions."""

from collections.abc import Mapping, Sequence
from html import escape

import ipywidgets as widgets

from ..metrics import paired
from .page.notebook import Bundled, unsaved

# Decisions, as the reader sees them and as the verdict of a comparison.
CHOICES = (("undecided", "not significant"), ("above zero", "higher"), ("below zero", "lower"))


class Game(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`game`; ``left`` is the budget, ``decisions`` are menus by name."""

    def __init__(self, questions: Mapping[str, Sequence[float]], budget: int) -> None:
        self.questions = questions
        self.left = budget
        # The number of seeds that are bought, by question.
        self.bought = dict.fromkeys(questions, 0)
        self.decisions = {name: widgets.Dropdown(options=CHOICES) for name in questions}
        self.pictures = {name: widgets.HTML(picture(row, 0)) for name, row in questions.items()}
        self.state = widgets.HTML(f"{budget} seeds are left.")
        # A row for each question, of which there are at most twelve.
        rows = []
        for letter, (name, menu) in zip("ABCDEFGHIJKL", self.decisions.items(), strict=False):
            button = widgets.Button(description=f"{letter}: buy a seed")
            button.on_click(lambda _, name=name: self.buy(name))
            rows.append(widgets.HBox([button, self.pictures[name], menu]))
        show = widgets.Button(description="Show the answers")
        show.on_click(lambda _: self.reveal())
        # The state is shown twice, since the last row is a screen below the first.
        super().__init__([self.state, *rows, widgets.HBox([show, self.state])])

    def buy(self, name: str) -> None:
        """Buy the next seed of a question, if the budget and the question have one."""
        if self.left and self.bought[name] < len(self.questions[name]):
            self.left -= 1
            self.bought[name] += 1
            self.pictures[name].value = picture(self.questions[name], self.bought[name])
            # Only here: after the end, when nothing is left to buy, the result must stay.
            self.state.value = f"{self.left} seeds are left."

    def reveal(self) -> tuple[int, int, int]:
        """End the game with all seeds; return the numbers of right, wrong and no decisions.

        A placebo has no effect, whatever its seeds show, so that each decision about it is wrong.
        """
        self.left = 0
        grades = []
        words = {**{verdict: text for text, verdict in CHOICES}, "not significant": "not known"}
        for name, row in self.questions.items():
            decision = self.decisions[name].label
            # The verdict of the test on all seeds. The values are differences already, so they are
            # compared with 0.
            answer = words[paired(row, [0.0] * len(row)).verdict]
            if name.startswith("placebo"):
                answer = "no effect"
            grade = "right" if decision == answer else "wrong"
            if decision == "undecided":
                # The grade is the same if the test does not decide either.
                grade = "not decided"
            grades.append(grade)
            text = f"{name}: {answer} (your answer: {grade})"
            self.pictures[name].value = picture(row, len(row), text)
        right, wrong, undecided = map(grades.count, ("right", "wrong", "not decided"))
        self.state.value = f"{right} right, {wrong} wrong, {undecided} undecided"
        return right, wrong, undecided

    def _static(self) -> tuple[str, str]:
        final = "".join(picture(row, len(row), name) for name, row in self.questions.items())
        return "Game", f"<details><summary>All seeds</summary>{final}</details>"


def picture(row: Sequence[float], bought: int, name: str = "") -> str:
    """Draw the bought values as HTML, and the interval of their mean if there are three or more.

    The first ``bought`` values of ``row`` are dots above an axis from -4 to 4, and the interval is
    a bar below the dots. The text below the axis is ``name``, or else the number of seeds, and then
    the interval.
    """
    values = row[:bought]
    shapes = [f"<circle cx='{_pixel(value):.0f}' cy='9' r='4' fill='#0072B2'/>" for value in values]
    text = name or f"{bought} seeds"
    if bought > 2:
        # The values are differences already, so they are compared with 0.
        interval = paired(values, [0.0] * bought)
        low, high = _pixel(interval.low), _pixel(interval.high)
        shapes.append(f"<path d='M{low:.1f} 22H{high:.1f}' stroke='#B03A00' stroke-width='5'/>")
        text += f", mean {interval.mean:+.2f} [{interval.low:+.2f}, {interval.high:+.2f}]"
    # A vertical line is drawn at 0, short ones at half a point, and a horizontal one from -4 to 4.
    axis = "<path d='M180 0V30M158 26V30M202 26V30M4 30H356' stroke='#5F6368'/>"
    image = f"<svg width='360' height='32'>{axis}{''.join(shapes)}</svg>"
    # A fixed width, so that a long name does not move the menu to its right.
    style = "width:360px;white-space:normal"
    return f"<div style='{style}'>{image}<br>{escape(text)}</div>"


def _pixel(value: float) -> float:
    """Return where a value is on the axis, in pixels; values beyond -4 and 4 are at the ends."""
    return 180 + 44 * min(max(value, -4), 4)


@unsaved()
def game(questions: Mapping[str, Sequence[float]], budget: int) -> Game:
    """Make a game of questions, each with a difference of scores (-4 to 4) for every seed.

    A question whose name begins with "placebo" is known to have no effect.

    >>> game({"a": [1.0, 1.1, 0.9]}, budget=2).reveal()
    (0, 0, 1)
    """
    return Game(questions, budget)
