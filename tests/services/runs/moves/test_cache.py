"""The cache of runs in races: bounded, least recently used first out."""

from datetime import UTC, datetime

import pytest

from game.rules import RULESETS, deal, start
from game.selectors.runs.runs import RunRow
from game.services.runs.moves import cache
from game.services.runs.moves.cache import KnownRun, KnownRuns

AT = datetime(2026, 11, 29, tzinfo=UTC)


def known(index: int = 0) -> KnownRun:
    row = RunRow(
        *("run", "account", "Ada", "race", "tavern-1", "normal", "playing"),
        *(index, "snapshot", None, AT, AT, None, None),
        *("dungeon", "seal", "sealed", False, None),
    )
    return KnownRun(row, 1, start(RULESETS["tavern-1"], deal("a")))


def test_no_more_runs_than_the_maximum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_KNOWN_RUNS", 3)
    runs = KnownRuns()
    for number in range(10):
        runs.keep(("race", str(number)), known())
        assert len(runs) <= 3
    kept = [number for number in range(10) if runs.at(("race", str(number)), 0)]
    assert kept == [7, 8, 9]


def test_run_that_was_played_is_not_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_KNOWN_RUNS", 2)
    runs = KnownRuns()
    runs.keep(("race", "a"), known(0))
    runs.keep(("race", "b"), known(0))
    runs.keep(("race", "a"), known(1))
    runs.keep(("race", "c"), known(0))
    assert runs.at(("race", "b"), 0) is None
    assert runs.at(("race", "a"), 1) is not None


def test_run_at_another_index_is_not_found() -> None:
    runs = KnownRuns()
    runs.keep(("race", "a"), known(2))
    assert runs.at(("race", "a"), 1) is None
    assert runs.at(("race", "a"), 3) is None
    runs.forget(("race", "a"))
    assert runs.at(("race", "a"), 2) is None
    assert len(runs) == 0
