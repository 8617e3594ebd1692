"""Invariants at every step of every run."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules import (
    DECK,
    MOVES,
    RULESETS,
    IllegalMove,
    Ruleset,
    State,
    apply,
    breakdown,
    broken_off_score,
    deal,
    legal_moves,
    observe,
    parse_move,
    score,
    start,
    why_illegal,
)
from game.rules.observation import faced_count, observe_table
from game.rules.rulesets import Limit
from game.rules.snapshot import from_text, to_text
from tests.rules.table import Played, immortal, random_walk, walks
from tests.rules.test_observation import cards_in, hidden_cards


def _all_cards(state: State) -> list[str]:
    held = () if state.weapon is None else (state.weapon,)
    return [*state.room, *state.dungeon, *held, *state.kill_stack, *state.discard]


def _check_cards(state: State) -> None:
    assert sorted(_all_cards(state)) == sorted(DECK)
    assert len(state.room) <= 4
    assert all(card.is_monster for card in state.kill_stack)
    assert state.weapon is not None or not state.kill_stack
    assert 0 <= state.known <= len(state.dungeon)


def _check_health(state: State) -> None:
    assert state.health <= state.cap
    assert (state.health <= 0) == (state.status == "died")


def _check_legality(state: State) -> None:
    legal = set(legal_moves(state))
    assert len(legal) == len(legal_moves(state))
    assert bool(legal) == (state.status == "playing")
    for move in MOVES.values():
        assert parse_move(str(move)) is move
        if move in legal:
            assert why_illegal(state, move) is None
            after, effects = apply(state, str(move))
            assert after.index == state.index + 1
            assert effects
        else:
            with pytest.raises(IllegalMove):
                apply(state, move)


def _check_limit(state: State) -> None:
    equal = state.ruleset.limit is Limit.EQUAL_OR_WEAKER
    for earlier, later in pairwise(card.value for card in state.kill_stack):
        assert later < earlier or (equal and later == earlier)


def _check_rooms(state: State) -> None:
    seen = observe_table(state)
    assert seen["faced"] == faced_count(state) == 44 - len(state.room + state.dungeon)
    assert 1 <= seen["room_number"] <= 15
    before_this_room = seen["faced"] - state.faced_in_room
    assert before_this_room == 3 * (seen["room_number"] - 1)
    assert state.room_full == (seen["room_number"] <= 14)
    if state.status == "playing":
        size = 4 if state.room_full else 2
        assert len(state.room) == size - state.faced_in_room


def _check_score(state: State) -> None:
    total = sum(part.value for part in breakdown(state))
    assert broken_off_score(state) == total
    if state.status == "playing":
        assert score(state) is None
        assert -208 <= total <= 0
    else:
        assert score(state) == total


def _check_effects(played: Played) -> None:
    kinds = [effect.kind for effect in played.effects]
    assert kinds[0] in {"fought", "equipped", "healed", "wasted", "avoided"}
    assert len(kinds) <= 2
    assert kinds[1:] in ([], ["dealt"], ["died"], ["cleared"])
    ended = played.after.status != "playing"
    assert (kinds[-1] in {"died", "cleared"}) == ended
    for effect in played.effects:
        if effect.kind == "dealt":
            assert played.after.room[-len(effect.cards) :] == effect.cards


def _check_run(walk: list[Played], deck_seed: str) -> None:
    deck = deal(deck_seed)
    for state in (walk[0].before, *(played.after for played in walk)):
        _check_cards(state)
        _check_health(state)
        _check_legality(state)
        _check_limit(state)
        _check_rooms(state)
        _check_score(state)
        text = to_text(state)
        assert from_text(text, state.ruleset, state.difficulty, deck) == state
        assert not cards_in(observe(state)) & hidden_cards(state)
    for played in walk:
        _check_effects(played)


def test_invariants_of_random_runs(ruleset: Ruleset) -> None:
    for number, walk in enumerate(walks(ruleset, 16, "walk")):
        _check_run(walk, f"walk-{number}")


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_invariants_of_hypothesis_runs(data: st.DataObject) -> None:
    rules = RULESETS[data.draw(st.sampled_from(sorted(RULESETS)))]
    rules = immortal(rules) if data.draw(st.booleans()) else rules
    seed = data.draw(st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True))
    state, walk = start(rules, deal(seed)), []
    choices = data.draw(st.lists(st.integers(0, 8), min_size=1, max_size=58))
    for choice in choices:
        legal = legal_moves(state)
        if not legal:
            break
        before, move = state, legal[choice % len(legal)]
        state, effects = apply(before, move)
        walk.append(Played(before, move, effects, state))
    _check_run(walk, seed)


def test_a_run_has_58_moves_at_most(ruleset: Ruleset) -> None:
    """Forty-four cards and an avoid for each full room over a dungeon."""
    state = start(immortal(ruleset), deal("long"))
    while state.status == "playing":
        state, _ = apply(state, legal_moves(state)[-1])
    assert state.index == 58
    assert state.status == "cleared"


def test_a_death_scores_0_at_most(ruleset: Ruleset) -> None:
    """Monsters add up to 208, and no kill costs more health than its value."""
    for number in range(200):
        rng = random.Random(f"death-{ruleset.key}-{number}")
        level = rng.choice(ruleset.difficulties)
        *_, last = random_walk(start(ruleset, deal(f"death-{number}"), level.key), rng)
        total = score(last.after)
        assert last.after.status == "died"
        assert total is not None
        assert level.health - 208 <= total <= 0


def test_a_clearance_scores_1_to_30(ruleset: Ruleset) -> None:
    """Health above 0, and at most the cap and the best potion."""
    rng = random.Random(f"cleared-{ruleset.key}")
    totals = set()
    for _ in range(600):
        cards, health = rng.sample(DECK, 2), rng.randint(1, 20)
        *_, last = random_walk(start(ruleset, cards, health=health), rng)
        if last.after.status == "cleared":
            totals.add(score(last.after))
    assert totals <= set(range(1, 31))
    assert len(totals) >= 20
