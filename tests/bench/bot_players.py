"""Clearance rate, mean score and CPU seconds a game of each bot player.

    python -m tests.bench.bot_players [games] [ruleset]

Slow bots play fewer games.
"""

import math
import statistics
import sys
import time

from game.analysis import PLAYERS, SeededRandom
from game.analysis.assessment import play_to_end
from game.rules import RULESETS, deal, score, start

# Games of each bot, as a multiple of the command line's.
SHARES = {"random-1": 10, "greedy-1": 10, "mc10-1": 1, "mc20-1": 0.5, "mc50-1": 0.25}


def main(games: int, key: str) -> None:
    """Print a line for each bot: rate with standard error, mean score, time."""
    for name, share in SHARES.items():
        count = max(2, int(games * share))
        started = time.process_time()
        scores = [
            score(
                play_to_end(
                    PLAYERS[name],
                    start(RULESETS[key], deal(f"players-{number}")),
                    SeededRandom(f"{name}/{number}"),
                )
            )
            or 0
            for number in range(count)
        ]
        spent = (time.process_time() - started) / count
        rate = sum(one > 0 for one in scores) / count
        error = math.sqrt(rate * (1 - rate) / count)
        print(
            f"{name}: {count} games, clears {rate:.1%} +- {error:.1%}, mean score"
            f" {statistics.mean(scores):.1f}, {spent:.3f} s a game",
            flush=True,
        )


if __name__ == "__main__":
    main(int([*sys.argv[1:], "200"][0]), [*sys.argv[2:], "tavern-1"][0])
