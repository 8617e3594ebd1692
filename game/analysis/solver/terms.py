"""What the solver needs to know of a ruleset, and its one-byte card codes.

Owns the translation from `game.rules` into small integers. Monsters of equal value are
one code whatever their suit: that merges positions which play alike.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from game.rules import Card, Kind, Ruleset
from game.rules.rulesets import Avoid, ClearScore, DeathScore, Limit

# A card is one byte: a monster its value, a weapon 16 + value, a potion 32 + value.
WEAPON: Final = 16
POTION: Final = 32

# A weapon in hand is one byte too: strength << 4 | limit, "usable on values below".
UNARMED: Final = 0
FRESH_LIMIT: Final = 15

_BASE = {Kind.MONSTER: 0, Kind.WEAPON: WEAPON, Kind.POTION: POTION}
ONE: Final = tuple(bytes([code]) for code in range(64))


def code_of(card: Card) -> int:
    """The byte of a card."""
    return _BASE[card.kind] + card.value


@dataclass(frozen=True, slots=True)
class Terms:
    """The fields of a ruleset and a difficulty that decide a best score.

    `room_counts`: monsters left in the room count against a death. `health_counts`: so
    does the health at death (0 or below). `bonus`: a last potion can pay; `bonus_met`:
    by the health it is met with, rather than the health it leaves.
    """

    cap: int
    inclusive: bool
    room_counts: bool
    health_counts: bool
    bonus: bool
    bonus_met: bool
    avoid: bool

    @property
    def monotone_deaths(self) -> bool:
        """Whether more health never makes a death worse (docs/analysis-code.md)."""
        return self.room_counts or not self.health_counts


@cache
def terms_of(ruleset: Ruleset, cap: int) -> Terms:
    """The terms of a published (or any other) ruleset with this cap on health."""
    return Terms(
        cap=cap,
        inclusive=ruleset.limit is Limit.EQUAL_OR_WEAKER,
        room_counts=ruleset.death is DeathScore.HEALTH_LESS_ALL,
        health_counts=ruleset.death is not DeathScore.LESS_DUNGEON,
        bonus=ruleset.clear is not ClearScore.HEALTH,
        bonus_met=ruleset.clear is ClearScore.POTION_MET_AT_CAP,
        avoid=ruleset.avoid is not Avoid.NEVER,
    )
