"""Players who are not told the order of the cards: deterministic, versioned.

    PLAYERS["mc10-1"].plan(view_of(state), Chance("any text"))

They serve as house opponents, as the measure of a dungeon's difficulty, and as the
honest side of screening. Strength: docs/analysis.md.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from game.analysis.players.chance import Chance
from game.analysis.players.reference import (
    GreedyPlayer,
    Player,
    RandomPlayer,
    SamplingPlayer,
)
from game.analysis.players.view import View, view_of

_PUBLISHED: Final[tuple[Player, ...]] = (
    RandomPlayer("random-1"),
    GreedyPlayer("greedy-1"),
    SamplingPlayer("mc10-1", samples=10),
    SamplingPlayer("mc20-1", samples=20),
    SamplingPlayer("mc50-1", samples=50),
)
PLAYERS: Final[Mapping[str, Player]] = MappingProxyType(
    {player.name: player for player in _PUBLISHED}
)

__all__ = ["PLAYERS", "Chance", "Player", "View", "view_of"]
