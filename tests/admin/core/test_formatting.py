"""Formatting of times, labels, durations, evidence and replays."""

from datetime import UTC, datetime, timedelta

import pytest

from game.admin.core.forms import key_label
from game.admin.core.links import act_target_url, report_target_url
from game.admin.core.tags import evidence, seconds, to_minute, to_second
from game.admin.moderation.forms import duration_label
from game.admin.runs.replays import card, replay_rows
from game.contest.moderation.acts import OFFERED_LENGTHS, RULES
from game.models import Account
from game.services.runs.runs import practice_start, replay_json, run_abandon
from tests.fixtures.runs import NOON


def test_times_are_formatted() -> None:
    at = datetime(2026, 11, 30, 1, 18, 25, tzinfo=UTC)
    assert to_minute(at) == "2026-11-30 01:18"
    assert to_minute("2026-11-30T01:18:25.123Z") == "2026-11-30 01:18"
    assert to_second(at) == "2026-11-30 01:18:25"
    assert to_minute(None) == to_second("") == ""
    assert seconds(41_938) == "41.9 s"


def test_durations_are_formatted() -> None:
    said = [duration_label(one.total_seconds()) for one in OFFERED_LENGTHS]
    assert said[:3] == ["1 hour", "1 day", "3 days"]
    assert duration_label(None) == "permanent"
    assert duration_label(timedelta(seconds=61).total_seconds()) == "61 seconds"
    assert key_label("void_race") == "Void race"


def test_evidence_links_to_pages() -> None:
    [races, ms] = evidence({"races": ["abc"], "median_ms": 212})
    assert races["key"] == "Races"
    assert races["values"] == [{"text": "abc", "href": "/desk/races/abc/"}]
    assert ms["values"] == [{"text": "212", "href": ""}]


@pytest.mark.parametrize(
    ("place", "target", "link"),
    [
        ("race", "abc", "/desk/races/abc/"),
        ("chat", "abc:4", "/desk/races/abc/"),
        ("run", "xyz", "/desk/runs/xyz/"),
        ("profile", "", None),
        ("name", "abc", None),
    ],
)
def test_report_target_url(place: str, target: str, link: str | None) -> None:
    assert report_target_url(place, target) == link


def test_every_act_with_a_target_has_a_url() -> None:
    for kind, rule in RULES.items():
        has_target = rule.target.value not in ("account", "case")
        assert bool(act_target_url(kind, "abc:1")) == has_target, kind


def test_cards() -> None:
    assert card("TD") == {
        "code": "TD",
        "rank": "10",
        "suit": "♦",
        "words": "10 of diamonds",
        "kind": "weapon",
    }
    assert card("AS")["kind"] == "monster"
    assert card("4H")["kind"] == "potion"


def test_replay_rows_begin_with_the_first_room(ada: Account) -> None:
    run = practice_start(account=ada, at=NOON, seed="a")
    run = run_abandon(account_id=ada.id, run_id=run.id, at=NOON)
    [first] = replay_rows(replay_json(run=run))
    assert (first["move"], first["description"], first["took_s"]) == (
        "",
        "Begins.",
        None,
    )
    assert [one["code"] for one in first["room"]] == ["4C", "KS", "2D", "TH"]
