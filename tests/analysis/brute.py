"""The best score by trying everything on the engine, and the short dungeons to try.

Nothing of game.analysis is imported: no bound, no dominance, no shortcut. Positions are
told apart by everything that can matter, suits included. Only fit for short decks.
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

RELENTLESS = {
    f"{key}-relentless": replace(rules, key=f"{key}-relentless", avoid=Avoid.NEVER)
    for key, rules in RULESETS.items()
}
EVERY_RULESET: dict[str, Ruleset] = {**RULESETS, **RELENTLESS}
LEVELS = [
    (key, level.key)
    for key, rules in EVERY_RULESET.items()
    for level in rules.difficulties
]
WEAPONS = [card for card in DECK if card.kind is Kind.WEAPON]
MONSTERS = [card for card in DECK if card.is_monster]

Memo = dict[tuple[object, ...], int]


def best_score(state: State, memo: Memo) -> int:
    """The best score from a state. One memo serves one ruleset and difficulty."""
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
    """Every sequence of moves to an end: without any memory, for the shortest decks."""
    moves = legal_moves(state)
    if not moves:
        yield ()
    for move in moves:
        for line in every_line(apply(state, move)[0]):
            yield (move, *line)


def short_deck(rng: random.Random, size: int, potions: bool) -> list[str]:
    """Distinct cards; `potions`: all potions and half of the rest to draw from."""
    pool = [c for c in DECK if not potions or c.suit == "H" or rng.random() < 0.45]
    return [str(card) for card in rng.sample(pool, min(size, len(pool)))]


def short_start(
    rng: random.Random, rules: Ruleset, difficulty: str, size: int
) -> State:
    """A start over a short deck: any health, sometimes armed, sometimes worn."""
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


def walk(rng: random.Random, state: State, hardy: bool) -> Iterator[State]:
    """The positions of a random run; `hardy`: no move that dies while one does not."""
    while moves := legal_moves(state):
        yield state
        after = [apply(state, move)[0] for move in moves]
        alive = [one for one in after if one.status != "died"] if hardy else []
        state = rng.choice(alive or after)
    yield state


def _mixed(rng: random.Random, cards: list[Card]) -> list[Card]:
    return rng.sample(cards, len(cards))
