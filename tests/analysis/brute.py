"""The best score by brute force on the engine, and short random dungeons to solve.

Imports nothing of game.analysis: no bound, no dominance, no shortcut. The memo's key
has everything that can matter, including suits. Only fast enough for short decks.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

from game.rules import (
    DECK,
    RULESETS,
    Card,
    Kind,
    Ruleset,
    State,
    apply,
    legal_moves,
    start,
)
from game.rules import score as score_of
from game.rules.rulesets import Avoid

NEVER_AVOID = {
    f"{key}-never-avoid": replace(rules, key=f"{key}-never-avoid", avoid=Avoid.NEVER)
    for key, rules in RULESETS.items()
}
EVERY_RULESET: dict[str, Ruleset] = {**RULESETS, **NEVER_AVOID}
LEVELS = [
    (key, level.key)
    for key, rules in EVERY_RULESET.items()
    for level in rules.difficulties
]
WEAPONS = [card for card in DECK if card.kind is Kind.WEAPON]
MONSTERS = [card for card in DECK if card.is_monster]

Memo = dict[tuple[object, ...], int]


def best_score(state: State, memo: Memo) -> int:
    """The best score from a state. Use one memo per ruleset and difficulty."""
    done = score_of(state)
    if done is not None:
        return done
    key = (
        state.health,
        state.room,
        state.dungeon,
        state.weapon,
        state.kill_stack[-1:],
        state.faced_in_room,
        state.room_full,
        state.potion_used,
        state.avoided_last,
    )
    if key not in memo:
        moves = legal_moves(state)
        memo[key] = max(best_score(apply(state, move)[0], memo) for move in moves)
    return memo[key]


def every_line(state: State) -> Iterator[tuple[str, ...]]:
    """Every sequence of moves to the run's end; no memo, for the shortest decks."""
    moves = legal_moves(state)
    if not moves:
        yield ()
    for move in moves:
        for line in every_line(apply(state, move)[0]):
            yield (move, *line)


def short_deck(rng: random.Random, size: int, potions: bool) -> list[str]:
    """Distinct cards; `potions`: from all potions and half of the other cards."""
    pool = [c for c in DECK if not potions or c.suit == "H" or rng.random() < 0.45]
    return [str(card) for card in rng.sample(pool, min(size, len(pool)))]


def short_start(
    rng: random.Random, rules: Ruleset, difficulty: str, size: int
) -> State:
    """A start with a short deck: any health, sometimes a weapon, sometimes worn."""
    deck = short_deck(rng, size, potions=rng.random() < 0.5)
    cap = rules.difficulty(difficulty).cap
    health = rng.choice([rng.randint(1, cap), rng.randint(1, 6), cap])
    weapon = None
    stack: list[str] = []
    if rng.random() < 0.4:
        weapon = next((str(c) for c in _mixed(rng, WEAPONS) if c not in deck), None)
        if weapon and rng.random() < 0.6:
            stack = [str(c) for c in _mixed(rng, MONSTERS) if c not in deck][:1]
    return start(rules, deck, difficulty, health, weapon, stack)


def random_run(rng: random.Random, state: State, survives: bool) -> Iterator[State]:
    """The positions of a random run; `survives`: no deadly move if avoidable."""
    while moves := legal_moves(state):
        yield state
        after = [apply(state, move)[0] for move in moves]
        alive = [one for one in after if one.status != "died"] if survives else []
        state = rng.choice(alive or after)
    yield state


def _mixed(rng: random.Random, cards: list[Card]) -> list[Card]:
    return rng.sample(cards, len(cards))
