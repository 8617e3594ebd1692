"""Each lemma of docs/analysis-code.md against the brute force, on short dungeons.

The lemmas are about true values, so the brute force decides; the solver only lends its
codes and tables.
"""

import random
from dataclasses import replace

import pytest

from game.analysis.solver.bounds import (
    NEVER,
    form_of,
    left_of,
    threshold_of,
    upper_bound,
)
from game.analysis.solver.plans import PlanBook
from game.analysis.solver.position import position_of, weapon_code
from game.analysis.solver.terms import code_of, terms_of
from game.rules import CARDS, DECK, RULESETS, State, apply, legal_moves, start
from tests.analysis.brute import (
    EVERY_RULESET,
    LEVELS,
    MONSTERS,
    WEAPONS,
    Memo,
    best_score,
    short_start,
    walk,
)

WALKS = 8


def positions(key: str, difficulty: str, salt: str, walks: int = WALKS):
    rng = random.Random(f"{salt}/{key}/{difficulty}")
    for number in range(walks):
        memo: Memo = {}
        root = short_start(rng, EVERY_RULESET[key], difficulty, rng.randint(5, 10))
        for state in walk(rng, root, hardy=number % 2 == 0):
            if state.status == "playing":
                yield rng, state, memo


def with_weapon(state: State, weapon: str, stack: str | None) -> State:
    return state._replace(
        weapon=CARDS[weapon], kill_stack=() if stack is None else (CARDS[stack],)
    )


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l1_more_health_is_never_worse(key, difficulty):
    """For wins everywhere; for deaths wherever `monotone_deaths` says so."""
    for rng, state, memo in positions(key, difficulty, "L1"):
        if state.health == state.cap:
            continue
        more = state._replace(health=rng.randint(state.health + 1, state.cap))
        value, better = best_score(state, memo), best_score(more, memo)
        if value > 0 or terms_of(state.ruleset, state.cap).monotone_deaths:
            assert better >= value, state


def test_l1_fails_for_original_deaths_so_the_search_there_is_exact():
    """14 health die at once on the first ace, at 0; 15 live to die deeper, at -13."""
    rules = RULESETS["original-1"]
    deck = ["AC", "AS", "KC", "KS", "QC"]
    dead_at_once = start(rules, deck, health=14)
    lives_on = start(rules, deck, health=15)
    assert best_score(dead_at_once, {}) == -12
    assert best_score(lives_on, {}) < -12
    assert not terms_of(rules, 20).monotone_deaths
    others = [r for r in RULESETS.values() if r is not rules]
    assert all(terms_of(r, 20).monotone_deaths for r in others)


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
        exact = not terms_of(state.ruleset, state.cap).monotone_deaths
        if exact:
            values = [max(0, value) for value in values]
        assert values == sorted(values), state


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l3_the_normal_form_plays_alike(key, difficulty):
    """Every weapon of one normal form has one value, deaths included."""
    for rng, state, memo in positions(key, difficulty, "L3"):
        root = position_of(state)
        left = left_of(root.cards, root.faces, root.drank)
        held = {*state.room, *state.dungeon}
        stacks = [None, *(str(c) for c in MONSTERS if c not in held)]
        by_form: dict[int, set[int]] = {}
        for _ in range(6):
            weapon = rng.choice([str(c) for c in WEAPONS if c not in held])
            one = with_weapon(state, weapon, rng.choice(stacks))
            form, _ = form_of(left, weapon_code(one), root.terms.inclusive)
            by_form.setdefault(form, set()).add(best_score(one, memo))
        assert all(len(values) == 1 for values in by_form.values()), (state, by_form)


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l4_nothing_beats_the_upper_bound(key, difficulty):
    tight = 0
    for _, state, memo in positions(key, difficulty, "L4", walks=15):
        root = position_of(state)
        left = left_of(root.cards, root.faces, root.drank)
        bound = upper_bound(left, root.health, root.weapon, root.terms)
        value = best_score(state, memo)
        assert value <= bound, state
        tight += value == bound
    assert tight > 10


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_l4_the_threshold_never_drops_what_beats_the_best(key, difficulty):
    """As the search uses it: at a door, for any score it may already know."""
    for rng, state, memo in positions(key, difficulty, "L4t", walks=25):
        if state.faced_in_room:
            continue
        root = position_of(state)
        left = left_of(root.cards, root.faces, root.drank)
        _, gain = form_of(left, root.weapon, root.terms.inclusive)
        value = best_score(state, memo)
        for best in {value - 1, value - rng.randint(1, 9)}:
            assert root.health + gain >= threshold_of(left, best, root.terms), state
        if value == root.terms.cap + 10:
            assert threshold_of(left, value, root.terms) == NEVER


@pytest.mark.parametrize("inclusive", [False, True])
@pytest.mark.parametrize("drank", [False, True])
def test_l5_plans_are_what_the_engine_can_do(inclusive, drank):
    """The exact book holds every outcome, the other book the undominated ones."""
    rules = RULESETS["bound-1" if inclusive else "tavern-1"]
    rng = random.Random(f"L5/{inclusive}/{drank}")
    exact, book = PlanBook(inclusive, exact=True), PlanBook(inclusive, exact=False)
    for _ in range(120):
        cards = rng.sample(DECK, 3)
        others = [c for c in DECK if c not in cards]
        weapon = rng.choice([str(c) for c in others if c in WEAPONS])
        stack = rng.choice(
            [(), (str(rng.choice([c for c in others if c.is_monster])),)]
        )
        root = start(rules, cards, health=20, weapon=weapon, kill_stack=stack)
        root = root._replace(health=rng.randint(1, 20), potion_used=drank)
        ends = set(_ends(root))
        sorted_codes = bytes(sorted(map(code_of, cards)))
        plans = {
            kind: {
                (h, plan[3])
                for plan in one.of(sorted_codes, weapon_code(root), drank)
                if (h := _after(plan, root.health)) > 0
            }
            for kind, one in (("exact", exact), ("book", book))
        }
        assert plans["exact"] == ends
        assert plans["book"] <= ends
        for h, w in ends:
            assert any(
                h2 >= h and w2 >> 4 >= w >> 4 and w2 & 15 >= w & 15
                for h2, w2 in plans["book"]
            )


def _ends(state: State):
    if state.status == "died":
        return
    if not state.room:
        yield state.health, weapon_code(state)
        return
    for move in legal_moves(state):
        yield from _ends(apply(state, move)[0])


def _after(plan, health):
    a, p, b, _ = plan
    health -= a
    if p and health > 0:
        health = min(20, health + p) - b
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


def test_terms_tell_published_rulesets_apart():
    found = {terms_of(rules, 20) for rules in EVERY_RULESET.values()}
    assert len(found) == len(EVERY_RULESET)
    tavern = terms_of(RULESETS["tavern-1"], 20)
    assert replace(tavern, avoid=False) in found
