"""Players that do not know the order of the cards: deterministic and versioned.

    PLAYERS["mc10-1"].plan(view_of(state), SeededRandom("any text"))

They are the opponents in races against bots, the measure of a dungeon's difficulty, and
the honest players that screening is calibrated with. Strength: docs/analysis.md.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from game.analysis.players.reference import (
    GreedyPlayer,
    Player,
    RandomPlayer,
    SamplingPlayer,
)
from game.analysis.players.seeded_random import SeededRandom
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

__all__ = ["PLAYERS", "Player", "SeededRandom", "View", "view_of"]
