"""The published rulesets as data: immutable and versioned.

A published ruleset is never edited; a changed one gets a new key. The published texts
of Scoundrel differ; every difference is a field here, and no other module compares
ruleset keys. Source: rules.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from game.rules.errors import UnknownRuleset


class Limit(StrEnum):
    """Which monsters a weapon still reaches, compared with its last kill."""

    STRICTLY_WEAKER = "strictly_weaker"
    EQUAL_OR_WEAKER = "equal_or_weaker"


class DeathScore(StrEnum):
    """How a death is scored: which monsters' values are subtracted, and from what."""

    HEALTH_LESS_ALL = "health_less_monsters_in_dungeon_and_room"
    LESS_DUNGEON = "less_monsters_in_dungeon"
    HEALTH_LESS_DUNGEON = "health_less_monsters_in_dungeon"


class ClearScore(StrEnum):
    """How a cleared run is scored."""

    HEALTH = "health"
    POTION_LEAVES_AT_CAP = "health_and_last_potion_if_it_leaves_health_at_cap"
    POTION_MET_AT_CAP = "health_and_last_potion_if_met_with_health_at_cap"


class Avoid(StrEnum):
    """When a room may be avoided."""

    NOT_TWICE = "not_twice_in_a_row"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A difficulty: the health at the start, and its maximum (the cap)."""

    key: str
    health: int
    cap: int


NORMAL = Difficulty("normal", 20, 20)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One published set of rules; every run, daily and race has one."""

    key: str
    name: str
    source: str
    summary: str
    limit: Limit = Limit.STRICTLY_WEAKER
    death: DeathScore = DeathScore.HEALTH_LESS_ALL
    clear: ClearScore = ClearScore.POTION_LEAVES_AT_CAP
    avoid: Avoid = Avoid.NOT_TWICE
    difficulties: tuple[Difficulty, ...] = (NORMAL,)

    def difficulty(self, key: str) -> Difficulty:
        """The difficulty with that key. Raises UnknownRuleset."""
        for level in self.difficulties:
            if level.key == key:
                return level
        raise UnknownRuleset(
            "ruleset.unknown_difficulty",
            f"{self.key} has no difficulty {key!r}.",
            {"difficulty": key, "known": [level.key for level in self.difficulties]},
        )


_PUBLISHED = (
    Ruleset(
        key="tavern-1",
        name="Tavern",
        source="The text most players learn from; the default here.",
        summary="A worn weapon only reaches weaker monsters. A last potion that leaves"
        " you at full health counts on top.",
    ),
    Ruleset(
        key="bound-1",
        name="Bound",
        source="The text that lets a weapon slay its equal again.",
        summary="A worn weapon also reaches an equal monster. A clearance scores health"
        " alone. Three difficulties.",
        limit=Limit.EQUAL_OR_WEAKER,
        clear=ClearScore.HEALTH,
        difficulties=(
            Difficulty("easy", 25, 25),
            NORMAL,
            Difficulty("hard", 14, 14),
        ),
    ),
    Ruleset(
        key="flee-1",
        name="Flee",
        source="The text in which only the unseen dungeon counts against the dead.",
        summary="A death costs the monsters still in the dungeon and nothing else. A"
        " last potion counts when you meet it at full health.",
        death=DeathScore.LESS_DUNGEON,
        clear=ClearScore.POTION_MET_AT_CAP,
    ),
    Ruleset(
        key="original-1",
        name="Original",
        source="The designers' page of 2011.",
        summary="As Tavern, but a death counts only the monsters still in the dungeon,"
        " not those in the room.",
        death=DeathScore.HEALTH_LESS_DUNGEON,
    ),
)
RULESETS: Mapping[str, Ruleset] = MappingProxyType({r.key: r for r in _PUBLISHED})
DEFAULT_RULESET = "tavern-1"
# The keys of every ruleset's difficulties.
DIFFICULTIES = tuple(
    dict.fromkeys(level.key for ruleset in _PUBLISHED for level in ruleset.difficulties)
)


def find_ruleset(key: str) -> Ruleset:
    """The published ruleset with that key. Raises UnknownRuleset."""
    ruleset = RULESETS.get(key)
    if ruleset is None:
        raise UnknownRuleset(
            "ruleset.unknown",
            f"There is no ruleset {key!r}.",
            {"ruleset": key, "known": list(RULESETS)},
        )
    return ruleset
