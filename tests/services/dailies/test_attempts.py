"""Attempts: one an account, whoever somebody was before."""

from datetime import timedelta

import pytest

from game.models import Account, Daily, Run
from game.selectors.accounts.accounts import player_show
from game.services.accounts.accounts import guest_create
from game.services.accounts.sign_in import account_admit
from game.services.dailies.attempts import (
    daily_practice_start,
    daily_run_find,
    daily_run_start,
    may_rank,
)
from game.services.dailies.settle import daily_settle
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member, play_out

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def begin(account: Account) -> tuple[Run, bool]:
    return daily_run_start(account=account, on=DAY, ruleset="tavern-1", at=MORNING)


def test_who_may_rank() -> None:
    eve = member("Eve")
    assert may_rank(eve)
    assert may_rank(member("Bot", is_bot=True))
    assert not may_rank(guest_create(at=MORNING))
    eve.emailaddress_set.update(verified=False)  # type: ignore[attr-defined]
    assert not may_rank(eve)
    eve.emailaddress_set.update(verified=True)  # type: ignore[attr-defined]
    eve.is_active = False
    assert not may_rank(eve)


def test_a_guest_who_signs_in_has_seen_the_dungeon(daily: Daily) -> None:
    eve, guest = member("Eve"), guest_create(at=MORNING)
    run, _ = begin(guest)
    account_admit(eve, guest=guest, at=MORNING)
    found, is_new = begin(eve)
    assert (found.id, is_new, found.ranked) == (run.id, False, False)


def test_an_account_keeps_its_own_attempt(daily: Daily) -> None:
    eve, guest = member("Eve"), guest_create(at=MORNING)
    own, _ = begin(eve)
    begin(guest)
    account_admit(eve, guest=guest, at=MORNING)
    found = daily_run_find(eve.id, daily.id)
    assert found is not None
    assert (found.id, found.ranked) == (own.id, True)
    assert Run.objects.filter(daily=daily).count() == 2


def test_practice_with_the_deck_known_is_no_best(daily: Daily) -> None:
    eve = member("Eve")
    score = attempt(eve, chance=4).score
    for chance in range(6):
        practice = daily_practice_start(
            account=eve, on=DAY, ruleset="tavern-1", at=MORNING + timedelta(hours=1)
        )
        play_out(practice, chance=chance, ends_at=MORNING + timedelta(hours=2))
    daily_settle(daily.id, at=SETTLES)
    best = player_show(eve)["best"]
    assert [(one["score"], one["runs"]) for one in best] == [(score, 1)]
