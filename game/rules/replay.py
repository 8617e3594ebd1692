"""Replaying moves from the start: the last position, or every step."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from game.rules.cards import Card
from game.rules.effects import Effect
from game.rules.moves import Move, parse_move
from game.rules.rulesets import Ruleset
from game.rules.state import State, start
from game.rules.transition import apply


class Step(NamedTuple):
    """One move, its effects, and the position after it."""

    move: Move
    effects: tuple[Effect, ...]
    after: State


def fold(
    ruleset: Ruleset,
    deck: Sequence[Card],
    moves: Iterable[Move | str],
    difficulty: str = "normal",
) -> State:
    """The position after all the moves. Raises IllegalMove, MalformedMove."""
    state = start(ruleset, deck, difficulty)
    for move in moves:
        state, _ = apply(state, move)
    return state


def steps(
    ruleset: Ruleset,
    deck: Sequence[Card],
    moves: Iterable[Move | str],
    difficulty: str = "normal",
) -> tuple[Step, ...]:
    """Every move with its effects and the position after it.

    Raises IllegalMove, MalformedMove.
    """
    state = start(ruleset, deck, difficulty)
    all_steps: list[Step] = []
    for text in moves:
        move = parse_move(text)
        state, effects = apply(state, move)
        all_steps.append(Step(move, effects, state))
    return tuple(all_steps)
