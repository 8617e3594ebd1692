"""The table of acts: inverse, lowest role, and when a second moderator is needed."""

from datetime import UTC, datetime, timedelta

import pytest

from game.contest.moderation.acts import (
    INVERSES,
    RULES,
    TIMED,
    ActKind,
    ActTarget,
    needs_second_moderator,
    role_needed,
    time_alone,
)
from game.contest.moderation.reasons import (
    CASE_KIND_BY_FLAG,
    REASONS,
    WEIGHT_BY_FLAG,
    FlagKind,
    ReporterKind,
    reporter_weight,
    weight_in_case,
)
from game.contest.moderation.roles import STAFF_ROLE_BY_KEY, StaffRole

DAYS = timedelta(days=1)
ACCUSING = ("cheat", "liar", "fraud", "guilty", "abuse", "toxic", "dishonest")


def test_every_act_has_an_inverse() -> None:
    assert set(RULES) | INVERSES == set(ActKind)
    assert not set(RULES) & INVERSES
    assert all(rule.inverse in INVERSES for rule in RULES.values())


def test_timed_acts_are_sanctions_of_accounts() -> None:
    for rule in RULES.values():
        if rule.is_timed:
            assert rule.is_sanction
            assert rule.target is ActTarget.ACCOUNT
        if rule.target in (ActTarget.RACE, ActTarget.DAILY, ActTarget.CASE):
            assert not rule.is_sanction


@pytest.mark.parametrize(
    ("kind", "length", "wanted"),
    [
        (ActKind.BAN, 30 * DAYS, False),
        (ActKind.BAN, 31 * DAYS, True),
        (ActKind.BAN, None, True),
        *((kind, None, True) for kind in sorted(TIMED)),
        *((kind, 31 * DAYS, True) for kind in sorted(TIMED)),
        *((kind, 30 * DAYS, False) for kind in sorted(TIMED)),
        (ActKind.WARN, None, False),
        (ActKind.MARK_CHEAT, None, True),
        (ActKind.VOID_DAILY, None, True),
        (ActKind.VOID_RACE, None, False),
    ],
)
def test_acts_that_need_a_second_moderator(
    kind: ActKind, length: timedelta | None, wanted: bool
) -> None:
    assert needs_second_moderator(kind, length) is wanted


# Days from the first: the restrictions before, and how long they last in a row.
@pytest.mark.parametrize(
    ("before", "days"),
    [
        ([], 0),
        ([(70, 100)], 30),
        ([(70, 93.5)], 30),  # a pause shorter than a week
        ([(70, 93)], 0),
        ([(95, 130)], 5),  # longer than the new one: only what is past counts
        ([(80, None)], 20),
        ([(60, 75), (80, 99)], 40),
        ([(60, 70), (80, 99)], 20),
        ([(0, 30), (31, 61), (62, 92), (93, 100)], 100),
    ],
)
def test_time_alone(before: list[tuple[float, float | None]], days: float) -> None:
    first = datetime(2026, 1, 1, tzinfo=UTC)
    spells = [
        (first + start * DAYS, None if end is None else first + end * DAYS)
        for start, end in before
    ]
    alone = time_alone(spells, first + 100 * DAYS)
    assert alone == days * DAYS
    assert not needs_second_moderator(ActKind.MUTE, 30 * DAYS - alone, alone=alone)
    assert needs_second_moderator(ActKind.MUTE, 31 * DAYS - alone, alone=alone)


@pytest.mark.parametrize(
    ("kind", "length", "role"),
    [
        (ActKind.MUTE, DAYS, StaffRole.HELPER),
        (ActKind.MUTE, 8 * DAYS, StaffRole.MODERATOR),
        (ActKind.MUTE, None, StaffRole.MODERATOR),
        (ActKind.WARN, None, StaffRole.HELPER),
        (ActKind.BAN, DAYS, StaffRole.MODERATOR),
        (ActKind.VOID_RUN, None, StaffRole.MODERATOR),
    ],
)
def test_lowest_role_for_each_act(
    kind: ActKind, length: timedelta | None, role: StaffRole
) -> None:
    assert role_needed(kind, length) is role


def test_texts_do_not_accuse() -> None:
    said = [rule.words for rule in RULES.values()] + list(REASONS.values())
    assert not [text for text in said for word in ACCUSING if word in text.lower()]


def test_every_flag_has_a_case_and_weight() -> None:
    assert set(CASE_KIND_BY_FLAG) == set(WEIGHT_BY_FLAG) == set(FlagKind)


def test_report_weight_depends_on_the_reporters_record() -> None:
    account, guest, new = ReporterKind
    assert reporter_weight(0, 0, account) == 1.0
    assert reporter_weight(0, 0, guest) == 0.5
    assert reporter_weight(0, 0, new) == 0.1
    assert reporter_weight(9, 0, account) > 1.8
    assert reporter_weight(0, 9, account) < 0.2


@pytest.mark.parametrize("kind", [ReporterKind.GUEST, ReporterKind.NEW_GUEST])
def test_all_guests_weigh_no_more_than_one_account(kind: ReporterKind) -> None:
    total = 0.0
    for _ in range(200):
        total += weight_in_case(reporter_weight(0, 0, kind), kind, total)
    assert total == pytest.approx(1.0)
    assert weight_in_case(1.0, ReporterKind.ACCOUNT, total) == 1.0


def test_roles_are_found_by_key() -> None:
    assert list(STAFF_ROLE_BY_KEY) == ["", "helper", "moderator", "administrator"]
