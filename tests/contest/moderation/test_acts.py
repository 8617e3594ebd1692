"""The table of acts: inverse, lowest role, and when a second moderator is needed."""

from datetime import timedelta

import pytest

from game.contest.moderation.acts import (
    INVERSES,
    RULES,
    ActKind,
    ActTarget,
    needs_second_moderator,
    role_needed,
)
from game.contest.moderation.reasons import (
    CASE_KIND_BY_FLAG,
    REASONS,
    WEIGHT_BY_FLAG,
    FlagKind,
    reporter_weight,
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
        if rule.timed:
            assert rule.sanction
            assert rule.target is ActTarget.ACCOUNT
        if rule.target in (ActTarget.RACE, ActTarget.DAILY, ActTarget.CASE):
            assert not rule.sanction


@pytest.mark.parametrize(
    ("kind", "length", "wanted"),
    [
        (ActKind.BAN, 30 * DAYS, False),
        (ActKind.BAN, 31 * DAYS, True),
        (ActKind.BAN, None, True),
        (ActKind.SUSPEND, None, False),
        (ActKind.MARK_CHEAT, None, True),
        (ActKind.VOID_DAILY, None, True),
        (ActKind.VOID_RACE, None, False),
    ],
)
def test_acts_that_need_a_second_moderator(
    kind: ActKind, length: timedelta | None, wanted: bool
) -> None:
    assert needs_second_moderator(kind, length) is wanted


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
    assert reporter_weight(0, 0, is_guest=False) == 1.0
    assert reporter_weight(0, 0, is_guest=True) == 0.5
    assert reporter_weight(9, 0, is_guest=False) > 1.8
    assert reporter_weight(0, 9, is_guest=False) < 0.2


def test_roles_are_found_by_key() -> None:
    assert list(STAFF_ROLE_BY_KEY) == ["", "helper", "moderator", "administrator"]
