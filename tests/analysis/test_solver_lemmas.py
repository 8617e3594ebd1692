"""Check each lemma of docs/analysis-code.md by brute force on short dungeons.

The brute force computes the true best scores. From the solver come only encodings,
bounds and tables.
"""

import random
from dataclasses import replace

import pytest

from game.analysis.solver.bounds import (
    UNREACHABLE,
    normal_form,
    remaining_cards,
    threshold_of,
    upper_bound,
)
from game.analysis.solver.encoding import code_of, solver_rules
from game.analysis.solver.plans import PlanTable
from game.analysis.solver.position import position_of, weapon_code
from game.rules import CARDS, DECK, RULESETS, State, apply, legal_moves, start
from tests.analysis.brute import (
    EVERY_RULESET,
    LEVELS,
    MONSTERS,
    WEAPONS,
    Memo,
    best_score,
    random_run,
    short_start,
)

WALKS = 5


def positions(key: str, difficulty: str, salt: str, walks: int = WALKS):
    rng = random.Random(f"{salt}/{key}/{difficulty}")
    for number in range(walks):
        memo: Memo = {}
        root = short_start(rng, EVERY_RULESET[key], difficulty, rng.randint(5, 10))
        for state in random_run(rng, root, survives=number % 2 == 0):
            if state.status == "playing":
                yield rng, state, memo


def with_weapon(state: State, weapon: str, stack: str | None) -> State:
    return state._replace(
        weapon=CARDS[weapon], kill_stack=() if stack is None else (CARDS[stack],)
    )


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l1_more_health_is_never_worse(key, difficulty):
    """Holds for wins in all rulesets, for deaths where `deaths_are_monotone` is set."""
    for rng, state, memo in positions(key, difficulty, "L1"):
        if state.health == state.cap:
            continue
        more = state._replace(health=rng.randint(state.health + 1, state.cap))
        value, better = best_score(state, memo), best_score(more, memo)
        if value > 0 or solver_rules(state.ruleset, state.cap).deaths_are_monotone:
            assert better >= value, state


def test_l1_does_not_hold_for_deaths_in_original_1():
    """With 14 health the first ace kills; with 15 a later death scores less."""
    rules = RULESETS["original-1"]
    deck = ["AC", "AS", "KC", "KS", "QC"]
    dead_at_once = start(rules, deck, health=14)
    lives_on = start(rules, deck, health=15)
    assert best_score(dead_at_once, {}) == -12
    assert best_score(lives_on, {}) < -12
    assert not solver_rules(rules, 20).deaths_are_monotone
    others = [r for r in RULESETS.values() if r is not rules]
    assert all(solver_rules(r, 20).deaths_are_monotone for r in others)


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l2_a_better_weapon_is_never_worse(key, difficulty):
    for rng, state, memo in positions(key, difficulty, "L2"):
        held = {*state.room, *state.dungeon}
        weapons = sorted(c.value for c in WEAPONS if c not in held)
        stacks = sorted(c.value for c in MONSTERS if c not in held)
        if len(weapons) < 2 or len(stacks) < 2:
            continue
        low, high = sorted(rng.sample(weapons, 2))
        worn, less_worn = sorted(rng.sample(stacks, 2))
        pick = {c.value: str(c) for c in MONSTERS if c not in held}
        names = {c.value: str(c) for c in WEAPONS}
        none = state._replace(weapon=None, kill_stack=())
        chain = [
            none,
            with_weapon(state, names[low], pick[worn]),
            with_weapon(state, names[high], pick[worn]),
            with_weapon(state, names[high], pick[less_worn]),
            with_weapon(state, names[high], None),
        ]
        values = [best_score(one, memo) for one in chain]
        exact = not solver_rules(state.ruleset, state.cap).deaths_are_monotone
        if exact:
            values = [max(0, value) for value in values]
        assert values == sorted(values), state


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l3_weapons_with_equal_normal_forms_have_equal_values(key, difficulty):
    """Holds for deaths too."""
    for rng, state, memo in positions(key, difficulty, "L3"):
        root = position_of(state)
        remaining = remaining_cards(root.cards, root.faces, root.potion_used)
        held = {*state.room, *state.dungeon}
        stacks = [None, *(str(c) for c in MONSTERS if c not in held)]
        by_form: dict[int, set[int]] = {}
        for _ in range(6):
            weapon = rng.choice([str(c) for c in WEAPONS if c not in held])
            one = with_weapon(state, weapon, rng.choice(stacks))
            form, _ = normal_form(remaining, weapon_code(one), root.rules.reaches_equal)
            by_form.setdefault(form, set()).add(best_score(one, memo))
        assert all(len(values) == 1 for values in by_form.values()), (state, by_form)


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l4_no_score_exceeds_the_upper_bound(key, difficulty):
    tight = 0
    for _, state, memo in positions(key, difficulty, "L4", walks=8):
        root = position_of(state)
        remaining = remaining_cards(root.cards, root.faces, root.potion_used)
        bound = upper_bound(remaining, root.health, root.weapon, root.rules)
        value = best_score(state, memo)
        assert value <= bound, state
        tight += value == bound
    assert tight > 5


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l4_threshold_keeps_positions_that_beat_the_best(key, difficulty):
    """As the search uses it: at the start of a room, with any best score so far."""
    for rng, state, memo in positions(key, difficulty, "L4t", walks=12):
        if state.faced_in_room:
            continue
        root = position_of(state)
        remaining = remaining_cards(root.cards, root.faces, root.potion_used)
        _, gain = normal_form(remaining, root.weapon, root.rules.reaches_equal)
        value = best_score(state, memo)
        for best in {value - 1, value - rng.randint(1, 9)}:
            assert root.health + gain >= threshold_of(remaining, best, root.rules), (
                state
            )
        if value == root.rules.cap + 10:
            assert threshold_of(remaining, value, root.rules) == UNREACHABLE


@pytest.mark.parametrize("reaches_equal", [False, True])
@pytest.mark.parametrize("potion_used", [False, True])
def test_l5_plans_equal_the_outcomes_of_playing(reaches_equal, potion_used):
    """The exact table has every outcome, the other one those that none dominates."""
    rules = RULESETS["bound-1" if reaches_equal else "tavern-1"]
    rng = random.Random(f"L5/{reaches_equal}/{potion_used}")
    exact, table = (
        PlanTable(reaches_equal, is_exact=True),
        PlanTable(reaches_equal, is_exact=False),
    )
    for _ in range(120):
        cards = rng.sample(DECK, 3)
        others = [c for c in DECK if c not in cards]
        weapon = rng.choice([str(c) for c in others if c in WEAPONS])
        stack = rng.choice(
            [(), (str(rng.choice([c for c in others if c.is_monster])),)]
        )
        root = start(rules, cards, health=20, weapon=weapon, kill_stack=stack)
        root = root._replace(health=rng.randint(1, 20), potion_used=potion_used)
        ends = set(_ends(root))
        sorted_codes = bytes(sorted(map(code_of, cards)))
        plans = {
            kind: {
                (h, plan[3])
                for plan in one.plans(sorted_codes, weapon_code(root), potion_used)
                if (h := _health_after(plan, root.health)) > 0
            }
            for kind, one in (("exact", exact), ("table", table))
        }
        assert plans["exact"] == ends
        assert plans["table"] <= ends
        for h, w in ends:
            assert any(
                h2 >= h and w2 >> 4 >= w >> 4 and w2 & 15 >= w & 15
                for h2, w2 in plans["table"]
            )


def _ends(state: State):
    """Yield (health, weapon) after the room, for each way to play it and survive."""
    if state.status == "died":
        return
    if not state.room:
        yield state.health, weapon_code(state)
        return
    for move in legal_moves(state):
        yield from _ends(apply(state, move)[0])


def _health_after(plan, health):
    before, potion, after, _ = plan  # damage, health drunk, damage
    health -= before
    if potion and health > 0:
        health = min(20, health + potion) - after
    return health


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l6_values_never_rise_along_a_run(key, difficulty):
    before: State | None = None
    known = 0
    for _, state, memo in positions(key, difficulty, "L6"):
        value = best_score(state, memo)
        if before is not None and state.index == before.index + 1:
            assert value <= known
        before, known = state, value


def test_solver_rules_differ_for_every_ruleset():
    found = {solver_rules(rules, 20) for rules in EVERY_RULESET.values()}
    assert len(found) == len(EVERY_RULESET)
    tavern = solver_rules(RULESETS["tavern-1"], 20)
    assert replace(tavern, can_avoid=False) in found
