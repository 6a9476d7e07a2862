"""The seeds game: the budget, the decisions, and the page without a kernel."""

from __future__ import annotations

from clwork import lab

# Above zero, below zero, and the same on both sides.
QUESTIONS = {"up": [1.0, 1.2, 0.8, 1.1], "down": [-1.0, -1.2, -0.8, -1.1], "none": [1.0, -1, 2, -2]}


def test_seeds_are_bought_from_the_budget_until_it_is_spent() -> None:
    game = lab.game(QUESTIONS, budget=5)
    for _ in range(6):
        game.buy("up")
    assert (game.bought["up"], game.left) == (4, 1), "a question has no more than its seeds"
    assert game.pictures["up"].value.count("<circle") == 4
    assert "4 seeds, mean +1.02 [+0.75, +1.30]" in game.pictures["up"].value
    game.buy("down")
    game.buy("down")
    assert game.bought["down"] == 1
    assert "0 seeds" in game.state.value


def test_the_end_counts_right_wrong_and_missing_decisions() -> None:
    game = lab.game(QUESTIONS, budget=5)
    for name in ("up", "none"):
        game.decisions[name].value = "higher"
    assert game.reveal() == (1, 1, 1)
    game.buy("up")
    assert game.bought["up"] == 0, "nothing is bought after the end"
    assert game.state.value == "1 right, 1 wrong, 1 undecided"
    assert "none: not known (your answer: wrong)" in game.pictures["none"].value


def test_a_decision_about_a_placebo_is_wrong_whatever_its_seeds_show() -> None:
    game = lab.game({name: QUESTIONS["up"] for name in ("real", "placebo", "placebo, too")}, 5)
    for name in ("real", "placebo"):
        game.decisions[name].value = "higher"
    assert game.reveal() == (1, 1, 1)
    assert "placebo: no effect (your answer: wrong)" in game.pictures["placebo"].value


def test_names_are_hidden_until_the_end_and_shown_without_a_kernel() -> None:
    game = lab.game({"a < b": [1.0, 1.1, 0.9]}, budget=3)
    shown = game.pictures["a < b"]
    assert "a &lt; b" not in shown.value
    game.reveal()
    assert "a &lt; b" in shown.value
    assert "a &lt; b" in game._repr_mimebundle_()[0]["text/html"]
