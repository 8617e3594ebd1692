"""Random games a second of the rules engine.

    python -m tests.bench.rules

A game lists the legal moves at every step and applies one. Dealing is not counted. Each
figure is the median of five rounds of one second.
"""

import random
import statistics
import time
from collections.abc import Callable

from game.rules import RULESETS, Ruleset, apply, deal, legal_moves, observe, start
from tests.rules.table import immortal

ROUNDS = 5
SECONDS = 1.0
DECKS = [deal(f"bench-{number}") for number in range(256)]


def play_one(rules: Ruleset, number: int, rng: random.Random) -> int:
    """Play a random game; returns its number of moves."""
    state = start(rules, DECKS[number % len(DECKS)])
    effects = []
    while moves := legal_moves(state):
        state, did = apply(state, rng.choice(moves))
        effects.append(did)
    return len(effects)


def observe_one(rules: Ruleset, number: int, rng: random.Random) -> int:
    """The same with an observation after each move."""
    state = start(rules, DECKS[number % len(DECKS)])
    seen = [observe(state)]
    while moves := legal_moves(state):
        state, _ = apply(state, rng.choice(moves))
        seen.append(observe(state))
    return len(seen)


def rate(
    one: Callable[[Ruleset, int, random.Random], int], rules: Ruleset
) -> tuple[float, float]:
    """Games a second and moves a second, each the median of the rounds."""
    games_rates, moves_rates = [], []
    for number in range(ROUNDS):
        rng = random.Random(number)
        games = moves = 0
        started = time.perf_counter()
        while (spent := time.perf_counter() - started) < SECONDS:
            moves += one(rules, games, rng)
            games += 1
        games_rates.append(games / spent)
        moves_rates.append(moves / spent)
    return statistics.median(games_rates), statistics.median(moves_rates)


def main() -> None:
    """Print a line for each measurement."""
    tavern = RULESETS["tavern-1"]
    measures = [(f"{key} random", play_one, rules) for key, rules in RULESETS.items()]
    measures.append(("tavern-1 to the last room", play_one, immortal(tavern)))
    measures.append(("tavern-1 with observations", observe_one, tavern))
    for name, one, rules in measures:
        games, moves = rate(one, rules)
        print(f"{name:28}{games:>10,.0f} games/s{moves:>12,.0f} moves/s")


if __name__ == "__main__":
    main()
