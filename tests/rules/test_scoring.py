"""Scores and their parts: cleared, died, and broken off."""

import pytest

from game.rules import (
    Difficulty,
    Ruleset,
    breakdown,
    broken_off_score,
    score,
    start,
)
from game.rules.scoring import last_potion_bonus
from tests.rules.table import BOUND, COMPARED, FLEE, ORIGINAL, TAVERN, play

EACH = pytest.mark.parametrize("rules", COMPARED, ids=lambda r: r.key)
FIVE = ["9S", "KC", "2H", "3D", "5S"]
SIX = ["2S", "KC", "5H", "3D", "5S", "AC"]

DEATHS = {
    TAVERN.key: {"health": -6, "monsters_in_room": -13, "monsters_in_dungeon": -5},
    BOUND.key: {"health": -6, "monsters_in_room": -13, "monsters_in_dungeon": -5},
    FLEE.key: {"monsters_in_dungeon": -5},
    ORIGINAL.key: {"health": -6, "monsters_in_dungeon": -5},
}
BROKEN_OFF = {
    TAVERN.key: {"health": 0, "monsters_in_room": -13, "monsters_in_dungeon": -19},
    BOUND.key: {"health": 0, "monsters_in_room": -13, "monsters_in_dungeon": -19},
    FLEE.key: {"monsters_in_dungeon": -19},
    ORIGINAL.key: {"health": 0, "monsters_in_dungeon": -19},
}


@EACH
def test_breakdown_of_a_death(rules: Ruleset) -> None:
    state = play(start(rules, FIVE, health=3), "9Sb")
    assert {p.part: p.value for p in breakdown(state)} == DEATHS[rules.key]
    assert score(state) == broken_off_score(state) == sum(DEATHS[rules.key].values())


@EACH
def test_broken_off_run_counts_no_health(rules: Ruleset) -> None:
    state = play(start(rules, SIX), "2Sb")
    assert score(state) is None
    assert {p.part: p.value for p in breakdown(state)} == BROKEN_OFF[rules.key]
    assert broken_off_score(state) == sum(BROKEN_OFF[rules.key].values())


@EACH
def test_breaking_off_before_the_first_card(rules: Ruleset) -> None:
    dungeon_alone = rules in {FLEE, ORIGINAL}
    state = start(rules, SIX)
    assert broken_off_score(state) == (-19 if dungeon_alone else -34)


@EACH
def test_breakdown_of_a_clearance(rules: Ruleset) -> None:
    state = play(start(rules, ["2H"], health=13), "2H")
    assert breakdown(state) == (("health", 15),)


@pytest.mark.parametrize(
    ("rules", "health", "bonus"),
    [
        (TAVERN, 13, 7), (BOUND, 13, 0), (FLEE, 13, 0), (ORIGINAL, 13, 7),
        (TAVERN, 12, 0), (BOUND, 12, 0), (FLEE, 12, 0), (ORIGINAL, 12, 0),
        (TAVERN, 20, 7), (BOUND, 20, 0), (FLEE, 20, 7), (ORIGINAL, 20, 7),
    ],
)  # fmt: skip
def test_last_potion(rules: Ruleset, health: int, bonus: int) -> None:
    state = play(start(rules, ["7H"], health=health), "7H")
    parts = {part.part: part.value for part in breakdown(state)}
    assert last_potion_bonus(state) == bonus
    assert parts.get("last_potion", 0) == bonus
    assert parts["health"] == min(20, health + 7)
    assert score(state) == parts["health"] + bonus


@pytest.mark.parametrize("level", BOUND.difficulties, ids=lambda level: level.key)
def test_a_difficulty_scores_up_to_its_cap(level: Difficulty) -> None:
    state = play(start(BOUND, ["TH"], difficulty=level.key), "TH")
    assert score(state) == level.cap


@EACH
def test_a_monster_last_gives_no_bonus(rules: Ruleset) -> None:
    state = play(start(rules, ["7H", "2S"], weapon="5D"), "7H", "2Sw")
    assert score(state) == state.health == 20
    assert last_potion_bonus(state) == 0


@EACH
def test_nothing_faced_gives_no_bonus(rules: Ruleset) -> None:
    assert last_potion_bonus(start(rules, SIX)) == 0
