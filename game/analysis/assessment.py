"""The difficulty of a dungeon: its best score, and how often a fixed player clears it.

The best score proves what is possible when the order is known. Four dungeons in five
allow the maximum, so the difficulty band is the clearance rate of a player that does
not know the order. Deterministic: the seeds of the games are part of the version.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from game.analysis.players import PLAYERS, Player, SeededRandom, view_of
from game.analysis.solver import solve
from game.rules import Card, Ruleset, State, apply, score, start

# A change to the solver's results, the player or the games needs a new version.
ANALYSIS_VERSION: Final = "1"
MEASURE: Final = "mc20-1"
GAMES: Final = 20
EASY_ABOVE: Final = 0.40
HARD_BELOW: Final = 0.20

Band = Literal["easy", "medium", "hard"]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Assessment:
    """The analysis of a dungeon under a ruleset and a difficulty.

    `best`, `proven`: the best score with the order known, and whether it is proven. The
    player named `measure`, which does not know the order, cleared `clearances` of
    `games`; `rate` is their quotient.
    """

    version: str
    winnable: bool
    best: int
    proven: bool
    measure: str
    games: int
    clearances: int
    rate: float
    band: Band


def assess(
    ruleset: Ruleset,
    deck: Sequence[Card],
    difficulty: str = "normal",
    *,
    games: int = GAMES,
    max_states: int | None = None,
    progress: Progress | None = None,
) -> Assessment:
    """Solve the dungeon, then let the measuring player play it `games` times.

    Takes about 15 s of one core for a full dungeon, most of it for the games.
    `progress(done, total)` is called after solving and after each game.
    """
    root = start(ruleset, deck, difficulty)
    solution = solve(root, max_states=max_states)
    report = progress or _ignore
    report(1, games + 1)
    clearances = 0
    for game in range(games):
        rng = SeededRandom(f"assess/{ANALYSIS_VERSION}/{game}")
        end = play_to_end(PLAYERS[MEASURE], root, rng)
        clearances += end.status == "cleared"
        report(game + 2, games + 1)
    rate = clearances / games if games else 0.0
    return Assessment(
        version=ANALYSIS_VERSION,
        winnable=solution.best > 0,
        best=solution.best,
        proven=solution.is_proven,
        measure=MEASURE,
        games=games,
        clearances=clearances,
        rate=rate,
        band=band_of(rate),
    )


def band_of(rate: float) -> Band:
    """Easy above 40 % clearances, hard below 20 %, medium between."""
    if rate > EASY_ABOVE:
        return "easy"
    return "hard" if rate < HARD_BELOW else "medium"


def play_to_end(player: Player, state: State, rng: SeededRandom) -> State:
    """The final state of a run continued by a player, which sees only views."""
    while score(state) is None:
        for move in player.plan(view_of(state), rng):
            state, _ = apply(state, move)
    return state


def _ignore(done: int, total: int) -> None:
    """Report no progress."""
