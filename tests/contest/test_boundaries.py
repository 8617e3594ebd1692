"""Boundary values and fixed outputs of the pure functions, found by `make mutants`."""

import hashlib
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from game.contest.badges import MIN_PODIUM_FIELD, DailyResult, badges_earned
from game.contest.calendar import day_of, week_range
from game.contest.chain import (
    GENESIS_HASH,
    ChainEntry,
    entry_hash,
    find_faults,
)
from game.contest.digest import moves_digest
from game.contest.events import Event, EventKind, move_event_body
from game.contest.horizon import Disclosure, ViewerRole, event_disclosure, viewpoint
from game.contest.leaver_penalty import FLAG_AT_COUNT, FLAG_WINDOW, should_flag
from game.contest.moderation.acts import MAX_HELPER_LENGTH, ActKind, role_needed
from game.contest.moderation.patterns import measure_pace
from game.contest.moderation.reasons import ReporterKind, reporter_weight
from game.contest.moderation.roles import StaffRole
from game.contest.pairing import INITIAL_WINDOW, QueuedPlayer, find_pairs
from game.contest.placing import EntrantResult, assign_places
from game.contest.race import Format
from game.contest.ranking import SortKey, daily_points, number_key, percentile
from game.contest.streaks import Streak, current_length
from game.contest.text_matching import limit_marks
from game.rules import apply, deal, legal_moves, score, start
from game.rules.observation import faced_count, observe_table
from game.rules.rulesets import RULESETS

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)


def daily(rank: int, of: int) -> frozenset[str]:
    return badges_earned(DailyResult(True, 1, rank, of, 1, 1))


def test_podium_is_three_of_at_least_five() -> None:
    assert "podium" in daily(3, MIN_PODIUM_FIELD)
    assert "podium" not in daily(4, MIN_PODIUM_FIELD)
    assert "podium" not in daily(1, MIN_PODIUM_FIELD - 1)


def test_week_ends_before_the_next_monday() -> None:
    week = week_range("2026-W48")
    assert date(2026, 11, 23) in week
    assert date(2026, 11, 30) not in week
    assert date(2026, 11, 22) not in week
    assert "2026-11-23" not in week


def test_day_is_that_of_utc() -> None:
    far_east = timezone(timedelta(hours=14))
    assert day_of(datetime(2026, 11, 30, 13, tzinfo=far_east)) == date(2026, 11, 29)


def test_moves_digest_is_one_code_a_line() -> None:
    expected = hashlib.sha256(b"a\nb\n").hexdigest()
    assert moves_digest(["a", "b"]) == expected


def test_one_shown_position_is_enough_for_an_event_that_needs_one() -> None:
    view = viewpoint(seat=None, shown={1: 1}, playing=[1], is_closed=False)
    assert view.role is ViewerRole.SPECTATOR
    shown = event_disclosure(EventKind.MOVED, 1, 1, {}, view)
    assert shown is Disclosure.FULL


def test_events_that_need_nothing_are_shown_before_the_start() -> None:
    view = viewpoint(seat=2, shown={}, playing=[], is_closed=False)
    assert (view.seat, view.horizon) == (2, 0)
    assert event_disclosure(EventKind.JOINED, 1, 0, {}, view) is Disclosure.FULL


def test_abandonment_a_whole_window_ago_is_not_flagged() -> None:
    recent = [AT] * (FLAG_AT_COUNT - 1)
    assert not should_flag([*recent, AT - FLAG_WINDOW], AT)
    assert should_flag([*recent, AT - FLAG_WINDOW + timedelta(seconds=1)], AT)


def test_helper_may_mute_for_exactly_the_longest_time() -> None:
    assert role_needed(ActKind.MUTE, MAX_HELPER_LENGTH) is StaffRole.HELPER


def test_entry_hash_is_over_canonical_json() -> None:
    text = f'{{"facts":{{"a":"ü","b":1}},"number":1,"previous":"{GENESIS_HASH}"}}'
    expected = hashlib.sha256(text.encode()).hexdigest()
    assert entry_hash(1, {"b": 1, "a": "ü"}, GENESIS_HASH) == expected


def test_each_fault_of_a_chain_is_described() -> None:
    first = entry_hash(1, {}, GENESIS_HASH)
    entries = [
        ChainEntry(1, {}, GENESIS_HASH, first),
        ChainEntry(3, {"x": 1}, "wrong", "wrong"),
        ChainEntry(4, {}, "other", entry_hash(4, {}, "other")),
    ]
    head = entries[-1].hash
    faults = list(find_faults(entries, count=5, head=head))
    assert faults == [
        (2, "entry 2 is missing before entry 3"),
        (3, "is not what was written"),
        (4, "does not follow on the entry before it"),
        (4, "is the last found, of 5 that were written"),
    ]
    assert list(find_faults(entries[:1], count=1, head=first)) == []


def test_pauses_of_zero_are_perfectly_regular() -> None:
    assert measure_pace([0, 0]).spread == 0.0


def test_dismissed_reports_lower_the_weight() -> None:
    assert reporter_weight(0, 2, ReporterKind.ACCOUNT) == pytest.approx(0.5)
    assert reporter_weight(2, 0, ReporterKind.ACCOUNT) == pytest.approx(1.5)


def test_longest_waiting_player_is_paired_first_up_to_the_window_edge() -> None:
    late = QueuedPlayer("a", "a", 1500.0, 0.0)
    long = QueuedPlayer("b", "b", 1510.0, 30.0)
    other = QueuedPlayer("c", "c", 1512.0, 20.0)
    assert find_pairs([late, long, other]) == [(long, other)]
    edge = QueuedPlayer("d", "d", 1500.0 + INITIAL_WINDOW, 0.0)
    assert find_pairs([late, edge]) == [(late, edge)]


def test_recent_opponent_of_either_side_is_not_paired() -> None:
    first = QueuedPlayer("a", "a", 1500.0, 3.0, frozenset({"b"}))
    second = QueuedPlayer("b", "b", 1500.0, 2.0)
    third = QueuedPlayer("c", "c", 1590.0, 1.0)
    assert find_pairs([first, second, third]) == [(first, third)]


@pytest.mark.parametrize("form", list(Format))
def test_higher_score_of_two_clearances_is_first(form: Format) -> None:
    low = EntrantResult(1, True, 10, 5000)
    high = EntrantResult(2, True, 12, 5000)
    assert assign_places(form, [low, high]) == {1: 2, 2: 1}


def test_numbers_of_boards() -> None:
    assert number_key(3) == SortKey(-3, 0)
    assert percentile(2, 2) == 0.0
    assert daily_points(2, 4) == 30
    assert isinstance(daily_points(3, 8), int)


def test_freeze_that_was_used_too_recently_does_not_bridge() -> None:
    last = date(2026, 3, 10)
    ready = Streak(last, 5, 5, last + timedelta(days=1) - timedelta(days=30))
    used = Streak(last, 5, 5, last + timedelta(days=2) - timedelta(days=30))
    today = last + timedelta(days=2)
    assert (current_length(ready, today), current_length(used, today)) == (5, 0)


def test_enclosing_marks_are_limited_too() -> None:
    assert limit_marks("a" + "\u20dd" * 5, most=3) == "a" + "\u20dd" * 3


def test_body_of_a_move_has_all_facts_of_it() -> None:
    before = start(RULESETS["tavern-1"], deal("seed"))
    code = next(move for move in legal_moves(before) if move != "avoid")
    after, effects = apply(before, code)
    body = move_event_body(after, code, effects)
    assert body == {
        "index": 0,
        "move": code,
        "depth": faced_count(after),
        "state": "racing",
        "effects": body["effects"],
        "table": observe_table(after),
        "score": score(after),
        "told": True,
    }
    assert len(body["effects"]) == len(effects)
    avoided, effects = apply(before, "avoid")
    assert move_event_body(avoided, "avoid", effects)["told"] is False


def test_body_of_an_event_can_be_extended() -> None:
    event = Event(EventKind.ENDED, 1, {"state": "died"}).with_body(score=3)
    assert event.body == {"state": "died", "score": 3}
