"""The seeds game: buy seeds from a budget, decide, and count the wrong decisions."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets

from ..metrics import paired
from .page.notebook import Bundled, unsaved, widget_bundle

# Decisions, as the reader sees them and as the verdict of a comparison.
CHOICES = (("undecided", "not significant"), ("above zero", "higher"), ("below zero", "lower"))


class Game(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`game`; ``left`` is the budget, ``decisions`` are menus by name."""

    def __init__(self, questions: Mapping[str, Sequence[float]], budget: int) -> None:
        self.questions = questions
        self.left = budget
        # the number of seeds that are bought, by question
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
        # the state is shown twice, as the last row is a screen below the first
        super().__init__([self.state, *rows, widgets.HBox([show, self.state])])

    def buy(self, name: str) -> None:
        """Buy the next seed of a question, if the budget and the question have one."""
        if self.left and self.bought[name] < len(self.questions[name]):
            self.left -= 1
            self.bought[name] += 1
            self.pictures[name].value = picture(self.questions[name], self.bought[name])
            # after the end, when nothing is left, the result must stay
            self.state.value = f"{self.left} seeds are left."

    def reveal(self) -> tuple[int, int, int]:
        """End the game with all seeds; return the numbers of right, wrong and no decisions."""
        self.left = 0
        # right, wrong, undecided
        counts = [0, 0, 0]
        words = {value: text for text, value in CHOICES}
        for name, row in self.questions.items():
            own = self.decisions[name].value
            # what the test says of the differences of all seeds, compared with 0
            right = paired(row, [0.0] * len(row)).verdict
            # the first choice is "undecided"; else 0 for a right and 1 for a wrong decision
            result = 2 if own == CHOICES[0][1] else int(own != right)
            counts[result] += 1
            grade = ("right", "wrong", "not decided")[result]
            text = f"{name}: {words[right]} (your answer: {grade})"
            self.pictures[name].value = picture(row, len(row), text)
        self.state.value = "{} right, {} wrong, {} undecided".format(*counts)
        return counts[0], counts[1], counts[2]

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        final = "".join(picture(row, len(row), name) for name, row in self.questions.items())
        return widget_bundle(self, f"<details><summary>All seeds</summary>{final}</details>")


def picture(row: Sequence[float], bought: int, name: str = "") -> str:
    """Draw the bought values from -4 to 4, and from three on the interval of their mean.

    The first ``bought`` values of ``row`` are dots over an axis; ``name`` is the text below.
    """
    # 0 is at pixel 180, and 44 pixels are one unit; values beyond -4 and 4 are at the ends
    x = [180 + 44 * min(max(value, -4), 4) for value in row[:bought]]
    shapes = "".join(f"<circle cx='{each:.0f}' cy='9' r='4' fill='#0072B2'/>" for each in x)
    if bought > 2:
        found = paired(row[:bought], [0.0] * bought)
        low, high = (180 + 44 * min(max(end, -4), 4) for end in (found.low, found.high))
        shapes += f"<path d='M{low:.0f} 22H{high:.0f}' stroke='#B03A00' stroke-width='5'/>"
    axis = "<path d='M180 0V30M4 30H356' stroke='#5F6368'/>"
    text = escape(name or f"{bought} seeds")
    # a long name must not move the menu to its right
    style = "width:360px;white-space:normal"
    image = f"<svg width='360' height='32'>{axis}{shapes}</svg>"
    return f"<div style='{style}'>{image}<br>{text}</div>"


@unsaved()
def game(questions: Mapping[str, Sequence[float]], budget: int) -> Game:
    """Make a game of questions, each with a difference of scores (-4 to 4) for every seed.

    >>> game({"a": [1.0, 1.1, 0.9]}, budget=2).reveal()
    (0, 0, 1)
    """
    return Game(questions, budget)
