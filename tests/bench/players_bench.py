"""How often the players clear: `python -m tests.bench.players_bench [games]`.

The games are shared out so that the slow players play fewer; CPU seconds a game.
"""

import math
import statistics
import sys
import time

from game.analysis import PLAYERS, SeededRandom
from game.analysis.assessment import play_to_end
from game.rules import RULESETS, deal, score, start

SHARES = {"random-1": 10, "greedy-1": 10, "mc10-1": 1, "mc20-1": 0.5, "mc50-1": 0.25}


def main(games: int, key: str) -> None:
    """One line a player: rate with its standard error, mean score, time."""
    for name, share in SHARES.items():
        count = max(2, int(games * share))
        begun = time.process_time()
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
        spent = (time.process_time() - begun) / count
        rate = sum(one > 0 for one in scores) / count
        error = math.sqrt(rate * (1 - rate) / count)
        print(
            f"{name}: {count} games, clears {rate:.1%} +- {error:.1%}, mean score"
            f" {statistics.mean(scores):.1f}, {spent:.3f} s a game",
            flush=True,
        )


if __name__ == "__main__":
    main(int([*sys.argv[1:], "200"][0]), [*sys.argv[2:], "tavern-1"][0])
