"""The score of a run and its parts. Source: rules.md, "The four rulesets"."""

from typing import NamedTuple

from game.rules.cards import Kind, monsters_sum
from game.rules.rulesets import ClearScore, DeathScore
from game.rules.schemas import PartName
from game.rules.state import CLEARED, PLAYING, State


class Part(NamedTuple):
    """One part of a score; the parts of a breakdown add up to the score."""

    part: PartName
    value: int


def score(state: State) -> int | None:
    """The score of a run that is over (higher is better); None while it is played."""
    if state.status is PLAYING:
        return None
    return sum(part.value for part in breakdown(state))


def breakdown(state: State) -> tuple[Part, ...]:
    """The parts of the score; of a run still played, as if it were broken off now.

    Parts in order: health, last_potion, monsters_in_room, monsters_in_dungeon.
    """
    if state.status is CLEARED:
        bonus = last_potion_bonus(state)
        health = Part("health", state.health)
        return (health, Part("last_potion", bonus)) if bonus else (health,)
    # A run that is abandoned, forfeited or expired is scored as a death with 0 health.
    health_left = 0 if state.status is PLAYING else state.health
    dungeon = Part("monsters_in_dungeon", -monsters_sum(state.dungeon))
    death = state.ruleset.death
    if death is DeathScore.LESS_DUNGEON:
        return (dungeon,)
    if death is DeathScore.HEALTH_LESS_DUNGEON:
        return (Part("health", health_left), dungeon)
    room = Part("monsters_in_room", -monsters_sum(state.room))
    return (Part("health", health_left), room, dungeon)


def broken_off_score(state: State) -> int:
    """The score if the run is broken off here; if it is over, its score."""
    return sum(part.value for part in breakdown(state))


def last_potion_bonus(state: State) -> int:
    """The bonus of a cleared run whose last faced card was a potion; else 0."""
    last = state.last
    if last is None or last.kind is not Kind.POTION:
        return 0
    clear = state.ruleset.clear
    if clear is ClearScore.POTION_LEAVES_AT_CAP:
        return last.value if state.health == state.cap else 0
    if clear is ClearScore.POTION_MET_AT_CAP:
        return last.value if state.last_met_at == state.cap else 0
    return 0
