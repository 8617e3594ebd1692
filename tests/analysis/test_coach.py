"""The coach: legal plans, nothing from hidden cards, and the same advice each time."""

import pytest

from game.analysis import Advice, advise, view_of
from game.rules import (
    DECK,
    RULESETS,
    State,
    apply,
    deal,
    legal_moves,
    parse_move,
    start,
)

SEEDS = ["a", "moss", "tavern"]


def first_room(seed: str, ruleset: str = "tavern-1") -> State:
    return start(RULESETS[ruleset], deal(seed))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_plan_is_legal_and_ends_the_room(ruleset: str) -> None:
    state = first_room("moss", ruleset)
    for _ in range(3):
        before = state.room
        found = advise(view_of(state))
        for move in found.plan:
            assert move in legal_moves(state)
            state, _ = apply(state, move)
        assert state.room != before
        assert 0 <= found.chance <= 1
        assert 0 <= found.error < 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_advice_does_not_depend_on_hidden_cards(seed: str) -> None:
    known = deal(seed)
    hidden = (*known[:4], *reversed(known[4:]))
    rules = RULESETS["tavern-1"]
    assert advise(view_of(start(rules, known))) == advise(view_of(start(rules, hidden)))


def test_lost_room_has_a_plan_and_no_chance() -> None:
    deck = ["KC", "AS", "QC", "JS", *(card for card in DECK if card.value == 2)]
    found = advise(view_of(start(RULESETS["tavern-1"], deck, health=3)))
    # Avoiding is an option of every full room with cards under it.
    assert found.theme == "avoid"
    state = start(RULESETS["tavern-1"], ["KC", "AS"], health=3)
    lost = advise(view_of(state))
    assert (lost.theme, lost.chance) == ("lost", 0.0)
    assert lost.plan[0] in legal_moves(state)


def test_theme_is_that_of_the_first_move() -> None:
    state = start(RULESETS["tavern-1"], ["9C", "6S"], weapon="8D")
    found = advise(view_of(state))
    plan = (parse_move("9Cw"), parse_move("6Sw"))
    assert found == Advice(plan, "armed", 1.0, 0.0)
