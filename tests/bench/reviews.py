"""CPU seconds and memory of a run's review.

    python -m tests.bench.reviews [ruleset] [runs]

Reviews runs of three bots and of the solver, on one core.
"""

import resource
import statistics
import sys
import time

from game.analysis import PLAYERS, SeededRandom, review, solve, view_of
from game.rules import RULESETS, Move, State, apply, deal, start


def moves_of(name: str, state: State, seed: str) -> list[Move]:
    """The moves of a run of that bot, or of the solver."""
    if name == "solver":
        return list(solve(state).line)
    rng, moves = SeededRandom(seed), list[Move]()
    while state.status == "playing":
        for move in PLAYERS[name].plan(view_of(state), rng):
            state, _ = apply(state, move)
            moves.append(move)
    return moves


def main(key: str, runs: int) -> None:
    """Print a line for each kind of run."""
    for name in ("random-1", "greedy-1", "mc10-1", "solver"):
        times = []
        for number in range(runs):
            deck = deal(f"reviews-{number}")
            moves = moves_of(name, start(RULESETS[key], deck), str(number))
            started = time.process_time()
            review(RULESETS[key], deck, moves)
            times.append(time.process_time() - started)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{key} {name}: {runs} runs, review median {statistics.median(times):.2f}"
            f" max {max(times):.2f} s, peak {peak} MB",
            flush=True,
        )


if __name__ == "__main__":
    main([*sys.argv[1:], "tavern-1"][0], int([*sys.argv[2:], "40"][0]))
