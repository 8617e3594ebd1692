"""The solver's encoding of `game.rules`: one-byte card codes, and rulesets as flags.

Monsters of equal value have one code whatever their suit, because such positions play
alike.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from game.rules import Card, Kind, Ruleset
from game.rules.rulesets import Avoid, ClearScore, DeathScore, Limit

# A card is one byte: a monster its value, a weapon 16 + value, a potion 32 + value.
WEAPON: Final = 16
POTION: Final = 32

# A weapon in hand is one byte, strength << 4 | limit: usable on values below limit.
UNARMED: Final = 0
FRESH_LIMIT: Final = 15

_BASE = {Kind.MONSTER: 0, Kind.WEAPON: WEAPON, Kind.POTION: POTION}
ONE: Final = tuple(bytes([code]) for code in range(64))


def code_of(card: Card) -> int:
    """The one-byte code of a card."""
    return _BASE[card.kind] + card.value


@dataclass(frozen=True, slots=True)
class SolverRules:
    """The parts of a ruleset and a difficulty that decide a best score.

    `reaches_equal`: a worn weapon also reaches a monster equal to its last kill.
    `death_counts_room`: a death subtracts the monsters left in the room.
    `death_counts_health`: a death adds the health (0 or below).
    `has_potion_bonus`: a potion faced last can score. `bonus_by_met_health`: it does so
    by the health before the potion, not after it.
    """

    cap: int
    reaches_equal: bool
    death_counts_room: bool
    death_counts_health: bool
    has_potion_bonus: bool
    bonus_by_met_health: bool
    can_avoid: bool

    @property
    def deaths_are_monotone(self) -> bool:
        """Whether more health never makes a death worse (docs/analysis-code.md)."""
        return self.death_counts_room or not self.death_counts_health


@cache
def solver_rules(ruleset: Ruleset, cap: int) -> SolverRules:
    """The solver's view of a ruleset, published or not, with this cap on health."""
    return SolverRules(
        cap=cap,
        reaches_equal=ruleset.limit is Limit.EQUAL_OR_WEAKER,
        death_counts_room=ruleset.death is DeathScore.HEALTH_LESS_ALL,
        death_counts_health=ruleset.death is not DeathScore.LESS_DUNGEON,
        has_potion_bonus=ruleset.clear is not ClearScore.HEALTH,
        bonus_by_met_health=ruleset.clear is ClearScore.POTION_MET_AT_CAP,
        can_avoid=ruleset.avoid is not Avoid.NEVER,
    )
