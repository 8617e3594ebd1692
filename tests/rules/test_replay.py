"""Replaying moves: `fold` and `steps`."""

import pytest

from game.rules import IllegalMove, MalformedMove, Ruleset, deal, fold, start, steps
from tests.rules.table import BOUND, TAVERN, play, walks

DECK = deal("tavern")


def test_fold_and_steps_agree(ruleset: Ruleset) -> None:
    for number, walk in enumerate(walks(ruleset, 8, "fold")):
        deck, moves = deal(f"fold-{number}"), [str(played.move) for played in walk]
        rules, level = walk[0].before.ruleset, walk[0].before.difficulty
        found = steps(rules, deck, moves, level)
        assert [step.move for step in found] == moves
        assert [step.after for step in found] == [played.after for played in walk]
        assert [step.effects for step in found] == [played.effects for played in walk]
        assert [step.after.index for step in found] == list(range(1, len(moves) + 1))
        assert fold(rules, deck, moves, level) == found[-1].after


def test_no_moves() -> None:
    assert fold(TAVERN, DECK, []) == start(TAVERN, DECK)
    assert steps(TAVERN, DECK, []) == ()
    assert fold(BOUND, DECK, [], "hard").health == 14


def test_refusals() -> None:
    assert fold(TAVERN, DECK, ["avoid"]) == play(start(TAVERN, DECK), "avoid")
    for function in (fold, steps):
        with pytest.raises(IllegalMove):
            function(TAVERN, DECK, ["avoid", "avoid"])
        with pytest.raises(MalformedMove):
            function(TAVERN, DECK, ["avoid", "flee"])
