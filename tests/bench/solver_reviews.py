"""How long a review takes: `python -m tests.bench.solver_reviews [ruleset] [runs]`.

Runs by three reference players, and the solver's own line; CPU seconds on one core.
"""

import resource
import statistics
import sys
import time

from game.analysis import PLAYERS, SeededRandom, review, solve, view_of
from game.rules import RULESETS, Move, State, apply, deal, start


def moves_of(name: str, state: State, seed: str) -> list[Move]:
    """The moves of a run by that player, or by the solver."""
    if name == "solver":
        return list(solve(state).line)
    chance, moves = SeededRandom(seed), list[Move]()
    while state.status == "playing":
        for move in PLAYERS[name].plan(view_of(state), chance):
            state, _ = apply(state, move)
            moves.append(move)
    return moves


def main(key: str, runs: int) -> None:
    """One line for each kind of run."""
    for name in ("random-1", "greedy-1", "mc10-1", "solver"):
        times = []
        for number in range(runs):
            deck = deal(f"reviews-{number}")
            moves = moves_of(name, start(RULESETS[key], deck), str(number))
            begun = time.process_time()
            review(RULESETS[key], deck, moves)
            times.append(time.process_time() - begun)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{key} {name}: {runs} runs, review median {statistics.median(times):.2f}"
            f" max {max(times):.2f} s, peak {peak} MB",
            flush=True,
        )


if __name__ == "__main__":
    main([*sys.argv[1:], "tavern-1"][0], int([*sys.argv[2:], "40"][0]))
