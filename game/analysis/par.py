"""How hard a dungeon is: what it allows, and how often a fair player clears it.

The best score is a proof of what is possible with the order known; it saturates (four
dungeons in five allow the most there is), so the band comes from the clearances of a
player who does not know it. Deterministic: the games' seeds are part of the version.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from game.analysis.players import PLAYERS, Chance, Player, view_of
from game.analysis.solver import solve
from game.rules import Card, Ruleset, State, apply, score, start

# Any change to the solver's meaning, the player or the games is a new version.
ANALYSIS_VERSION: Final = "1"
MEASURE: Final = "mc20-1"
GAMES: Final = 20
EASY_ABOVE: Final = 0.40
HARD_BELOW: Final = 0.20

Band = Literal["easy", "medium", "hard"]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a dungeon is like under a ruleset and difficulty.

    `best`, `proven`: the best score with the order known. `clearances` of `games` by
    the player `measure`, who does not know it; `rate` is their quotient.
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

    About 15 s of one core for a full dungeon, most of it the games. `progress(done,
    total)` is called after the solving and after each game.
    """
    root = start(ruleset, deck, difficulty)
    found = solve(root, max_states=max_states)
    tell = progress or _silent
    tell(1, games + 1)
    clearances = 0
    for game in range(games):
        chance = Chance(f"assess/{ANALYSIS_VERSION}/{game}")
        end = play(PLAYERS[MEASURE], root, chance)
        clearances += end.status == "cleared"
        tell(game + 2, games + 1)
    rate = clearances / games if games else 0.0
    return Assessment(
        version=ANALYSIS_VERSION,
        winnable=found.best > 0,
        best=found.best,
        proven=found.proven,
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


def play(player: Player, state: State, chance: Chance) -> State:
    """The end of a run from here, played by a player who sees only views."""
    while score(state) is None:
        for move in player.plan(view_of(state), chance):
            state, _ = apply(state, move)
    return state


def _silent(done: int, total: int) -> None:
    """Nobody is watching."""
