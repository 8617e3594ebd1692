"""Attempts at dailies: who may rank, guests signing in, practice."""

from datetime import datetime, timedelta

import pytest

from game.models import Account, Daily, Run
from game.selectors.accounts.accounts import player_show
from game.services.accounts.accounts import guest_create
from game.services.accounts.sign_in import account_sign_in
from game.services.core.errors import ServiceRefusal
from game.services.dailies.attempts import (
    daily_practice_start,
    daily_run_find,
    daily_run_start,
)
from game.services.dailies.settle import daily_settle
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member, play_out

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def begin(account: Account) -> tuple[Run, bool]:
    return daily_run_start(account=account, on=DAY, ruleset="tavern-1", at=MORNING)


def test_guest_attempt_is_kept_after_signing_in(daily: Daily) -> None:
    eve, guest = member("Eve"), guest_create(at=MORNING)
    run, _ = begin(guest)
    account_sign_in(eve, guest=guest, at=MORNING)
    found, is_new = begin(eve)
    assert (found.id, is_new) == (run.id, False)


def test_account_keeps_its_own_attempt_after_a_guest_signs_in(daily: Daily) -> None:
    eve, guest = member("Eve"), guest_create(at=MORNING)
    own, _ = begin(eve)
    begin(guest)
    account_sign_in(eve, guest=guest, at=MORNING)
    found = daily_run_find(eve.id, daily.id)
    assert found is not None
    assert (found.id, found.ranked) == (own.id, True)
    assert Run.objects.filter(daily=daily).count() == 2


def practise(account: Account, at: datetime) -> Run:
    return daily_practice_start(account=account, on=DAY, ruleset="tavern-1", at=at)


def test_practice_on_a_daily_does_not_count_as_best_score(daily: Daily) -> None:
    eve = member("Eve")
    score = attempt(eve, chance=4).score
    daily_settle(daily.id, at=SETTLES)
    for chance in range(6):
        practice = practise(eve, SETTLES)
        play_out(practice, chance=chance, ends_at=SETTLES + timedelta(hours=2))
    best = player_show(eve)["best"]
    assert [(one["score"], one["runs"]) for one in best] == [(score, 1)]


def test_practice_needs_the_reveal(daily: Daily) -> None:
    eve = member("Eve")
    attempt(eve, chance=4)
    for at in (MORNING, SETTLES - timedelta(minutes=1)):
        with pytest.raises(ServiceRefusal) as refused:
            practise(eve, at)
        assert refused.value.code == "daily.practice_later"
    daily_settle(daily.id, at=SETTLES)
    for account in (eve, member("Late")):
        run = practise(account, SETTLES)
        assert (run.kind, run.ranked) == (Run.Kind.PRACTICE, False)
