"""Positions and random runs for the tests of the rules.

Random moves come from a `random.Random` with a fixed seed, so runs are repeatable.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from game.rules import (
    RULESETS,
    Action,
    Difficulty,
    Effect,
    Move,
    Ruleset,
    State,
    apply,
    deal,
    legal_moves,
    start,
)

# The four rulesets that rules.md compares, in the order of its tables.
TAVERN, BOUND, FLEE, ORIGINAL = (
    RULESETS[key] for key in ("tavern-1", "bound-1", "flee-1", "original-1")
)
COMPARED = (TAVERN, BOUND, FLEE, ORIGINAL)

# So much health that a run cannot end by death.
HARDY = Difficulty("normal", 300, 300)


class Played(NamedTuple):
    """One move of a random run."""

    before: State
    move: Move
    effects: tuple[Effect, ...]
    after: State


def play(state: State, *codes: str) -> State:
    """The position after those moves, given as codes."""
    for code in codes:
        state, _ = apply(state, code)
    return state


def immortal(ruleset: Ruleset) -> Ruleset:
    """The same rules with so much health that every run reaches its last card."""
    return replace(ruleset, difficulties=(HARDY,))


def random_walk(state: State, rng: random.Random) -> Iterator[Played]:
    """A run of random legal moves."""
    while state.status == "playing":
        before, move = state, rng.choice(legal_moves(state))
        state, effects = apply(before, move)
        yield Played(before, move, effects, state)


def careful_walk(state: State, rng: random.Random) -> Iterator[Played]:
    """A mostly careful random run: gets far, sometimes clears, has every effect."""
    while state.status == "playing":
        before = state
        move = min(
            legal_moves(state), key=lambda m: (_danger_of(before, m), rng.random())
        )
        if rng.random() < 0.1:
            move = rng.choice(legal_moves(state))
        state, effects = apply(before, move)
        yield Played(before, move, effects, state)


def _danger_of(state: State, move: Move) -> float:
    """How much a careful player avoids a move."""
    card = move.card
    if card is None:
        return sum(c.value for c in state.room if c.is_monster) / 4 - 2
    if move.action is Action.FIGHT:
        held = state.weapon.value if move.armed and state.weapon else 0
        worn = (14 - card.value) / 3 if move.armed else 0
        return max(0, card.value - held) + worn
    if move.action is Action.DRINK:
        lost = state.health + card.value - state.cap
        return max(0, lost) * 1.5 - 1 + (card.value if state.potion_used else 0) / 2
    held = state.weapon.value if state.weapon else 0
    fresh = not state.kill_stack
    return 6 if fresh and held >= card.value else -0.5 * card.value


def walks(ruleset: Ruleset, count: int, seed: str = "walk") -> Iterator[list[Played]]:
    """Whole runs of one ruleset, normal and immortal, random and careful."""
    for number in range(count):
        rng = random.Random(f"{seed}-{ruleset.key}-{number}")
        rules = ruleset if number % 2 else immortal(ruleset)
        level = rng.choice(rules.difficulties).key
        state = start(rules, deal(f"{seed}-{number}"), level)
        walk = careful_walk if number % 4 < 2 else random_walk
        yield list(walk(state, rng))
