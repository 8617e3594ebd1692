"""Players of a daily who are linked are no opponents of each other."""

from datetime import timedelta

import pytest

from game.models import (
    Account,
    AccountMark,
    BrowserMark,
    Daily,
    DailyLink,
    EarnedBadge,
    PointsLine,
    Run,
)
from game.services.accounts.browsers import Browser, browser_record
from game.services.accounts.deletion import account_close
from game.services.accounts.exports import account_export
from game.services.boards.leaderboards import boards_rebuild
from game.services.dailies.settle import daily_resettle, daily_settle
from tests.fixtures.dailies import MORNING, SETTLES, attempt, member

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
HOME = "10.0.0.1"


def seen_at(account: Account, address: str) -> Account:
    """The account, used in a browser of its own at the address before today."""
    browser = Browser(address, f"agent of {account.name}", "")
    browser_record(account.id, at=MORNING - timedelta(days=1), **browser._asdict())
    return account


def points(*accounts: Account) -> list[int]:
    by_account = dict(PointsLine.objects.values_list("account_id", "points"))
    return [by_account[account.id] for account in accounts]


def test_nine_accounts_at_one_address_give_each_other_nothing(daily: Daily) -> None:
    accounts = [seen_at(member(), HOME) for _ in range(9)]
    for number, account in enumerate(accounts):
        attempt(account, chance=number, takes=timedelta(minutes=5 + number))
    daily_settle(daily.id, at=SETTLES)
    assert points(*accounts) == [10] * 9
    # Nobody is third or better among five, either.
    keys = set(EarnedBadge.objects.values_list("key", flat=True))
    assert not keys & {"podium", "first_place"}


def test_household_is_measured_against_everybody_else(daily: Daily) -> None:
    """As if the other had not played; what others get does not change."""
    ann, ben = (seen_at(member(name), HOME) for name in ("Ann", "Ben"))
    others = [seen_at(member(), f"10.1.0.{n}") for n in range(4)]
    for account in (ann, ben, *others):
        # All play the same moves, one after the other: Ann is the fastest.
        takes = timedelta(minutes=5 + [ann, ben, *others].index(account))
        attempt(account, chance=1, takes=takes)
    daily_settle(daily.id, at=SETTLES)
    assert points(ann, ben, *others) == [50, 50, 40, 30, 20, 10]
    badges = EarnedBadge.objects.filter(key="first_place")
    assert set(badges.values_list("account", flat=True)) == {ann.id}


def test_points_stay_when_the_marks_are_gone(daily: Daily) -> None:
    """A rebuilt or resettled board has the points of the first settlement."""
    accounts = [seen_at(member(), HOME) for _ in range(3)]
    stranger = seen_at(member(), "10.1.0.1")
    runs = [
        attempt(account, chance=1, takes=timedelta(minutes=5 + number))
        for number, account in enumerate([*accounts, stranger])
    ]
    daily_settle(daily.id, at=SETTLES)
    expected = [20, 20, 20, 10]
    assert points(*accounts, stranger) == expected
    AccountMark.objects.all().delete()
    BrowserMark.objects.all().delete()
    boards_rebuild()
    assert points(*accounts, stranger) == expected
    daily_resettle(daily.id, at=SETTLES + timedelta(days=1), reason="test")
    assert points(*accounts, stranger) == expected
    Run.objects.filter(id=runs[3].id).update(voided_at=SETTLES)
    daily_resettle(daily.id, at=SETTLES + timedelta(days=2), reason="test")
    assert points(*accounts) == [10, 10, 10]


def test_closed_account_is_no_opponent_either(daily: Daily) -> None:
    main, second = (seen_at(member(), HOME) for _ in range(2))
    attempt(main, chance=1, takes=timedelta(minutes=5))
    attempt(second, chance=1, takes=timedelta(minutes=6))
    account_close(second.id, at=MORNING + timedelta(hours=1))
    daily_settle(daily.id, at=SETTLES)
    assert points(main, second) == [10, 10]


def test_shared_networks_link_nobody(daily: Daily, settings: object) -> None:
    """A school lists its network; there everybody is everybody's opponent."""
    settings.SHARED_NETWORKS = ["10.0.0.0/24"]  # type: ignore[attr-defined]
    first, second = (seen_at(member(), HOME) for _ in range(2))
    attempt(first, chance=1, takes=timedelta(minutes=5))
    attempt(second, chance=1, takes=timedelta(minutes=6))
    daily_settle(daily.id, at=SETTLES)
    assert points(first, second) == [20, 10]
    assert not DailyLink.objects.exists()


def test_settling_again_stores_no_second_groups(daily: Daily) -> None:
    for number in range(2):
        attempt(seen_at(member(), HOME), chance=number)
    digest = daily_settle(daily.id, at=SETTLES)
    before = list(DailyLink.objects.values_list("group", "account"))
    assert daily_settle(daily.id, at=SETTLES) == digest
    assert list(DailyLink.objects.values_list("group", "account")) == before
    assert len(before) == 2
    exported = account_export(account=Account.objects.get(id=before[0][1]), at=SETTLES)
    assert [row["group"] for row in exported["linked_in_dailies"]] == [0]
