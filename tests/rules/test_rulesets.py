"""The published rulesets and their differences, as in the table of rules.md."""

from dataclasses import FrozenInstanceError

import pytest

from game.rules import (
    DEFAULT_RULESET,
    RULESETS,
    Difficulty,
    Ruleset,
    UnknownRuleset,
    find_ruleset,
)
from game.rules.rulesets import Avoid, ClearScore, DeathScore, Limit
from tests.rules.table import BOUND, FLEE, ORIGINAL, TAVERN


def test_what_is_published() -> None:
    assert list(RULESETS)[:4] == ["tavern-1", "bound-1", "flee-1", "original-1"]
    assert DEFAULT_RULESET == "tavern-1"
    assert all(find_ruleset(key) is RULESETS[key] for key in RULESETS)


def test_differences() -> None:
    def fields(r: Ruleset) -> tuple[object, ...]:
        return (r.limit, r.death, r.clear, r.avoid)

    strict, twice = Limit.STRICTLY_WEAKER, Avoid.NOT_TWICE
    all_, dungeon = DeathScore.HEALTH_LESS_ALL, DeathScore.HEALTH_LESS_DUNGEON
    leaves, met = ClearScore.POTION_LEAVES_AT_CAP, ClearScore.POTION_MET_AT_CAP
    assert fields(TAVERN) == (strict, all_, leaves, twice)
    assert fields(BOUND) == (Limit.EQUAL_OR_WEAKER, all_, ClearScore.HEALTH, twice)
    assert fields(FLEE) == (strict, DeathScore.LESS_DUNGEON, met, twice)
    assert fields(ORIGINAL) == (strict, dungeon, leaves, twice)


def test_difficulties() -> None:
    normal = Difficulty("normal", 20, 20)
    assert (
        TAVERN.difficulties == FLEE.difficulties == ORIGINAL.difficulties == (normal,)
    )
    easy, hard = Difficulty("easy", 25, 25), Difficulty("hard", 14, 14)
    assert BOUND.difficulties == (easy, normal, hard)
    assert BOUND.difficulty("hard") == hard


def test_rulesets_have_texts_for_players(ruleset: Ruleset) -> None:
    assert ruleset.name
    assert ruleset.source
    assert ruleset.summary.endswith(".")
    assert ruleset.difficulty("normal") in ruleset.difficulties


def test_a_published_ruleset_cannot_be_changed(ruleset: Ruleset) -> None:
    with pytest.raises(FrozenInstanceError):
        ruleset.name = "Mine"  # type: ignore[misc]
    with pytest.raises(TypeError):
        RULESETS["mine-1"] = ruleset  # type: ignore[index]


def test_unknown() -> None:
    with pytest.raises(UnknownRuleset) as refused:
        find_ruleset("tavern-2")
    assert refused.value.code == "ruleset.unknown"
    assert refused.value.detail == {"ruleset": "tavern-2", "known": list(RULESETS)}
    with pytest.raises(UnknownRuleset) as refused:
        TAVERN.difficulty("hard")
    assert refused.value.code == "ruleset.unknown_difficulty"
    assert refused.value.detail == {"difficulty": "hard", "known": ["normal"]}
