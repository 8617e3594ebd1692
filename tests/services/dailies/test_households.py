"""Accounts that share an address: who may be ranked at the same daily."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress

from game.contest.ranked_attempts import MIN_CROWD
from game.models import Account, Daily, Flag, Run
from game.services.accounts.accounts import guest_create
from game.services.accounts.browsers import Browser, browser_record
from game.services.accounts.deletion import account_close
from game.services.dailies.ranking import (
    account_attempts_decide,
    attempts_decide,
    why_unranked_before_start,
)
from game.services.dailies.settle import daily_settle
from game.services.dailies.views import daily_json
from tests.fixtures.dailies import DAY, MORNING, SETTLES, member, play_out
from tests.services.dailies.test_ranking import (
    grow_old,
    play,
    standing,
    start,
    unverified,
    verify,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
HOUR = timedelta(hours=1)
LATER = MORNING + HOUR
EVES = Browser("10.0.0.1", "Firefox", "e" * 43)
OTHERS = Browser("10.0.0.1", "Chrome on a tablet", "o" * 43)


@pytest.fixture
def eve(db: None) -> Account:
    """A player who has used her browser at home before."""
    account = member("Eve")
    browser_record(account.id, at=MORNING - timedelta(days=1), **EVES._asdict())
    return account


def test_guest_looks_first_and_a_familiar_browser_plays(
    daily: Daily, eve: Account
) -> None:
    """The player is told before the attempt starts."""
    play(guest_create(at=MORNING), OTHERS)
    assert why_unranked_before_start(daily, eve, EVES, at=LATER) == "address_seen"
    run = play(eve, EVES, at=LATER)
    assert standing(run) == "address_seen"
    daily_settle(daily.id, at=SETTLES)
    assert standing(run) == "address_seen"


def test_ranked_attempt_starts_first_and_a_guest_looks(
    daily: Daily, eve: Account
) -> None:
    run = start(eve, EVES)
    assert standing(run) == "ranked"
    start(guest_create(at=LATER), OTHERS, at=LATER)
    assert standing(run) == "address_seen"
    play_out(run, chance=1, ends_at=LATER + HOUR)
    daily_settle(daily.id, at=SETTLES)
    assert standing(run) == "address_seen"


def test_guest_who_looks_afterwards_changes_nothing(daily: Daily, eve: Account) -> None:
    run = play(eve, EVES)
    play(guest_create(at=LATER), OTHERS, at=LATER)
    daily_settle(daily.id, at=SETTLES)
    assert standing(run) == "ranked"


def test_new_account_of_the_household_qualifies_the_same_day(
    daily: Daily, eve: Account
) -> None:
    """What the page tells to do works, and the page shows it."""
    child = unverified("Child")
    play(child, OTHERS)
    run = play(eve, EVES, at=LATER)
    assert standing(run) == "address_seen"
    verify(child)
    account_attempts_decide(child.id, at=LATER)
    shown = daily_json(
        on=DAY, ruleset="tavern-1", at=LATER + HOUR, viewer=eve, browser=EVES
    )
    assert shown["ranking"] is not None
    assert shown["ranking"]["is_ranked"]
    daily_settle(daily.id, at=SETTLES)
    assert standing(run) == "ranked"


def test_two_players_who_qualify_do_not_affect_each_other(
    daily: Daily, eve: Account
) -> None:
    partner = member("Partner")
    browser_record(partner.id, at=MORNING - timedelta(days=1), **OTHERS._asdict())
    runs = [play(partner, OTHERS), play(eve, EVES, at=LATER)]
    # Not even once one of them has closed their account.
    account_close(partner.id, at=LATER)
    attempts_decide(daily, at=LATER)
    assert [standing(run) for run in runs] == ["ranked", "ranked"]


def fill(address: str, mailboxes: int) -> None:
    """Have so many other players use the address."""
    for number in range(mailboxes):
        browser = Browser(address, f"browser {number}", "")
        account = member(f"Student {number}")
        browser_record(account.id, at=MORNING - HOUR, **browser._asdict())


@pytest.mark.parametrize("missing", [0, 1])
def test_guest_at_a_crowded_address_is_flagged_only(
    daily: Daily, eve: Account, missing: int
) -> None:
    fill(EVES.address, MIN_CROWD - 1 - missing)  # Eve is one of them
    guest = guest_create(at=MORNING)
    play(guest, OTHERS)
    run = play(eve, EVES, at=LATER)
    daily_settle(daily.id, at=SETTLES)
    if missing:
        assert standing(run) == "address_seen"
        assert not Flag.objects.exists()
    else:
        assert standing(run) == "ranked"
        flag = Flag.objects.get()
        assert (flag.subject_id, flag.kind) == (eve.id, "shared_dungeon")
        assert flag.evidence == {"run": run.id, "other": guest.id, "share": ["address"]}


def test_guests_and_aliases_make_no_crowd(daily: Daily, eve: Account) -> None:
    for number in range(2 * MIN_CROWD):
        alias = guest_create(at=MORNING)
        EmailAddress.objects.create(
            user=alias, email=f"mallory+{number}@example.org", verified=True
        )
        browser_record(alias.id, at=MORNING - HOUR, **OTHERS._asdict())
    play(guest_create(at=MORNING), OTHERS)
    assert standing(play(eve, EVES, at=LATER)) == "address_seen"


def test_shared_network_is_no_household(
    daily: Daily, eve: Account, settings: object
) -> None:
    settings.SHARED_NETWORKS = ["10.0.0.0/24"]  # type: ignore[attr-defined]
    play(guest_create(at=MORNING), OTHERS)
    assert standing(play(eve, EVES, at=LATER)) == "ranked"
    # A common browser counts there too.
    assert standing(play(member("Ann"), OTHERS, at=LATER)) == "browser_seen"


def stocked(name: str, browser: Browser) -> Account:
    """An account that qualifies by its age and runs alone, in a familiar browser."""
    account = unverified(name)
    grow_old(account)
    browser_record(account.id, at=MORNING - timedelta(days=1), **browser._asdict())
    return account


def test_one_account_of_an_address_is_ranked_by_its_history(daily: Daily) -> None:
    first, second = stocked("First", EVES), stocked("Second", OTHERS)
    runs = [play(first, EVES, at=LATER)]
    told = why_unranked_before_start(daily, second, OTHERS, at=LATER + HOUR)
    assert told == "history_taken"
    runs.append(play(second, OTHERS, at=LATER + HOUR))
    assert [standing(run) for run in runs] == ["ranked", "history_taken"]
    assert attempts_decide(daily, at=LATER + HOUR) == 0
    # The second verifies an e-mail, as the page tells them.
    verify(second)
    account_attempts_decide(second.id, at=LATER + HOUR)
    assert [standing(run) for run in runs] == ["ranked", "ranked"]
    daily_settle(daily.id, at=SETTLES)
    assert [standing(run) for run in runs] == ["ranked", "ranked"]


def test_history_of_a_closed_account_still_counts(daily: Daily) -> None:
    first, second = stocked("First", EVES), stocked("Second", OTHERS)
    done = play(first, EVES, at=LATER)
    account_close(first.id, at=LATER + HOUR)
    run = play(second, OTHERS, at=LATER + HOUR)
    daily_settle(daily.id, at=SETTLES)
    assert [standing(one) for one in (done, run)] == ["ranked", "history_taken"]


def test_history_elsewhere_and_verified_players_are_not_affected(
    daily: Daily, eve: Account
) -> None:
    first = stocked("First", OTHERS)
    away = Browser("10.5.5.5", "Safari", "a" * 43)
    second = stocked("Second", away)
    runs = [play(first, OTHERS), play(second, away), play(eve, EVES, at=LATER)]
    # The accounts were made old by runs that end at LATER.
    attempts_decide(daily, at=LATER)
    assert [standing(run) for run in runs] == ["ranked"] * 3


def test_settling_finds_histories_that_started_at_once(daily: Daily) -> None:
    """Neither attempt saw the other when it started."""
    first, second = stocked("First", EVES), stocked("Second", OTHERS)
    runs = [play(first, EVES, at=LATER), play(second, OTHERS, at=LATER)]
    Run.objects.filter(daily=daily).update(ranked=True, unranked="")
    daily_settle(daily.id, at=SETTLES)
    assert sorted(standing(run) for run in runs) == ["history_taken", "ranked"]
