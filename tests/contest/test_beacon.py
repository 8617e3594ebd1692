"""The public random value of a daily: rounds, times, and what is derived from them."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from game.contest.beacon import (
    BEACON_LEAD,
    QUICKNET,
    daily_round,
    randomness_of,
    round_at,
    round_time,
)
from game.contest.drawing import candidate_seed, day_key, label_seal
from game.rules import seal_of
from tests.parts import ROOT

CASES: dict[str, Any] = json.loads((ROOT / "tests/cases/beacon.json").read_text())
OPENS = datetime(2027, 3, 17, tzinfo=UTC)
MS = timedelta(milliseconds=1)


@pytest.mark.parametrize("case", CASES["rounds"], ids=lambda case: case["round"])
def test_recorded_rounds_of_quicknet(case: dict[str, Any]) -> None:
    published = datetime.fromisoformat(case["published_at"])
    assert round_time(QUICKNET, case["round"]) == published
    assert round_at(QUICKNET, published) == case["round"]
    assert round_at(QUICKNET, published - MS) == case["round"]
    assert round_at(QUICKNET, published + MS) == case["round"] + 1
    assert randomness_of(case["signature"]) == case["randomness"]


def test_first_round_is_1() -> None:
    genesis = round_time(QUICKNET, 1)
    assert round_at(QUICKNET, genesis - timedelta(days=1)) == 1
    assert round_at(QUICKNET, genesis) == 1


def test_named_round_is_published_two_hours_before_the_opening() -> None:
    named = round_at(QUICKNET, OPENS - BEACON_LEAD)
    assert 0 * MS <= round_time(QUICKNET, named) - (OPENS - BEACON_LEAD) < 3000 * MS
    at = round_time(QUICKNET, named)
    assert daily_round(QUICKNET, opens_at=OPENS, drawn_at=at - MS) == named
    # A value that is published already could be known: none is named.
    assert daily_round(QUICKNET, opens_at=OPENS, drawn_at=at) is None


def test_published_vectors_of_a_day() -> None:
    day = CASES["day"]
    key = day_key(day["master"], day["round"], day["signature"])
    assert seal_of(day["master"]) == day["master_seal"]
    assert key == day["key"]
    assert [candidate_seed(key, n) for n in range(3)] == day["seeds"]
    assert label_seal(day["master"], day["label"]) == day["label_seal"]


@pytest.mark.parametrize(("number", "signature"), [(None, ""), (1000, ""), (None, "a")])
def test_without_a_value_the_key_is_the_master(
    number: int | None, signature: str
) -> None:
    day = CASES["day"]
    key = day_key(day["master"], number, signature)
    assert key == day["master"]
    assert [candidate_seed(key, n) for n in range(3)] == day["seeds_without"]
