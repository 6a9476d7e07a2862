"""A question that the reader answers before the outcome can be opened; the box needs neither kernel nor script."""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Sequence

from ..._validation import checked, kind, printable, shown
from ..page.messages import prose

MOST_CHOICES = 8

# The outcome is a closed <details>. Where styles are kept, it is not shown before an answer; where a page drops styles
# and inputs (a notebook that is not trusted, a code-hosting page), the closed <details> is what remains.
STYLE = """
.clwork-predict { border: 1px solid #7f8994; border-left: 4px solid #0b62c4; border-radius: 6px; padding: 10px 14px;
  margin: 4px 0; max-width: 838px; font: 400 14px/20px system-ui, sans-serif; box-sizing: border-box; }
.clwork-predict fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.clwork-predict legend { padding: 0; margin-bottom: 6px; font-weight: 600; }
.clwork-predict label { display: inline-block; margin: 2px 18px 2px 0; padding: 4px 0; cursor: pointer; }
.clwork-predict input[type=number] { font: inherit; width: 9em; padding: 4px 6px; }
.clwork-predict details { display: none; margin-top: 8px; }
.clwork-predict:has(:checked) details, .clwork-predict:has(input:user-valid) details,
.clwork-predict:has(details[open]) details { display: block; }
.clwork-predict summary { cursor: pointer; font-weight: 600; padding: 4px 0; }
.clwork-predict .first { opacity: .75; font-size: 12px; margin-top: 6px; }
.clwork-predict:has(:checked) .first, .clwork-predict:has(details[open]) .first { display: none; }
.clwork-predict :focus-visible { outline: 2px solid #4d9bf0; outline-offset: 2px; }
"""
_numbers = itertools.count()


class Prediction:
    """See :func:`clwork.lab.predict`, which makes it.

    Attributes:
        question: what is asked.
        choices: the answers to choose from; empty where a number is asked for.
        outcome: what is shown after an answer.
    """

    def __init__(self, question: str, choices: Sequence[str], outcome: str, unit: str) -> None:
        """Hold what the box shows."""
        self.question, self.choices, self.outcome, self.unit = question, tuple(choices), outcome, unit

    def _repr_html_(self) -> str:
        """The box."""
        told = prose(self.outcome)
        name = f"clwork-predict-{next(_numbers)}"  # radio buttons of one name exclude each other
        if self.choices:
            radios = (
                f'<label><input type="radio" name="{name}" value="{number}"> {html.escape(choice)}</label>'
                for number, choice in enumerate(self.choices)
            )
            answers = f"<div>{''.join(radios)}</div>"
        else:
            unit = html.escape(self.unit)
            answers = f'<label>Your number: <input type="number" step="any" required> {unit}</label>'
        return (
            f'<div class="clwork-predict"><style>{STYLE}</style><fieldset><legend>{prose(self.question)}</legend>'
            f'{answers}</fieldset><div class="first">Answer first; then the outcome can be opened.</div>'
            f'<details aria-live="polite"><summary>Compare with the outcome</summary><div>{told}</div></details></div>'
        )

    def __repr__(self) -> str:
        """The question alone: the outcome is not for those who only see text."""
        return f"Prediction({self.question!r})"


@checked()
def predict(
    question: str,
    choices: Sequence[str] | None = None,
    outcome: str | Callable[[], str] = "",
    *,
    unit: str = "",
) -> Prediction:
    """A box with a question; its outcome can be opened once the reader has answered.

    The box is plain HTML: it works without a kernel, without scripts, and in a page made from the notebook.

    Args:
        question: what will happen?
        choices: 2 to 8 answers to choose from; None asks for a number.
        outcome: what happens: a text, or a function of no arguments that returns one. It is called at once.
        unit: stands behind the number.

    Raises:
        TypeError: a choice or the outcome is of another kind.
        ValueError: not 2 to 8 different choices, or no outcome.

    >>> predict("Is 7 prime?", ["yes", "no"], "Yes.")
    Prediction('Is 7 prime?')
    """
    given = [] if choices is None else [_text("choices", choice) for choice in choices]
    if choices is not None and not 2 <= len(set(given)) == len(given) <= MOST_CHOICES:
        raise ValueError(
            f"choices={shown(list(given))}; give 2 to {MOST_CHOICES} different answers, or None for a number"
        )
    told = outcome() if callable(outcome) else outcome
    if not isinstance(told, str):
        raise TypeError(f"outcome={shown(told)} is {kind(told)}; give a text, or a function that returns one")
    if told == "":
        raise ValueError("outcome is empty; say what happens, so that a reader can compare")
    return Prediction(printable(question), given, printable(told), unit)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} holds {shown(value)}, {kind(value)}; give texts")
    return printable(value)
