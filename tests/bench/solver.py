"""CPU seconds and memory of the solver.

    python -m tests.bench.solver [ruleset] [dungeons]

Solves random dungeons in two ways, each in a separate process on one core: whether the
dungeon can be cleared, and the exact best score.
"""

import resource
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context

from game.analysis import is_winnable, solve
from game.rules import RULESETS, State, deal, start

DUNGEONS = 200


def format_spread(times: list[float]) -> str:
    """Return the median, 95th percentile and maximum as text."""
    ordered = sorted(times)
    at = [ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)], ordered[-1]]
    return "median {:.3f}  p95 {:.3f}  max {:.3f} s".format(*at)


def measure(key: str, dungeons: int, solver: Callable[[State], object]) -> list[object]:
    """Run the solver on each dungeon, print times and memory, return the results."""
    results, times = [], []
    for number in range(dungeons):
        state = start(RULESETS[key], deal(f"bench-{number}"))
        started = time.process_time()
        results.append(solver(state))
        times.append(time.process_time() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"  {solver.__name__:9} {format_spread(times)}  peak {peak} MB", flush=True)
    return results


def measure_winnable(key: str, dungeons: int) -> None:
    """Measure whether a dungeon can be cleared."""
    won = measure(key, dungeons, is_winnable)
    print(f"  winnable {sum(map(bool, won))} of {dungeons}")


def measure_solve(key: str, dungeons: int) -> None:
    """Measure the exact best score."""
    found = measure(key, dungeons, solve)
    bests = [one.best for one in found]  # type: ignore[attr-defined]
    expanded = sorted(one.expanded for one in found)  # type: ignore[attr-defined]
    print(
        f"  best score: mean {sum(bests) / len(bests):.2f}, highest {max(bests)} in"
        f" {bests.count(max(bests))}; positions expanded: median"
        f" {expanded[len(expanded) // 2]}, max {expanded[-1]}"
    )


def main(key: str, dungeons: int) -> None:
    """Run both measurements on the same dungeons."""
    print(f"{key}, {dungeons} random dungeons, one core, CPU time")
    context = get_context("spawn")
    for measurement in (measure_winnable, measure_solve):
        process = context.Process(target=measurement, args=(key, dungeons))
        process.start()
        process.join()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(
        arguments[0] if arguments else "tavern-1",
        int(arguments[1]) if arguments[1:] else DUNGEONS,
    )
