"""Linked accounts that act at the same moment, each for the first time at its address.

An entry point records where an account is, then calls the service. Whatever the order,
one of two services sees both records.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from game.models import (
    Account,
    Entrant,
    MatchDecline,
    MatchTicket,
    Race,
    RatingChange,
)
from game.services.accounts.browsers import browser_record
from game.services.maintenance.invariants import breaches
from game.services.races.commands import race_join, race_ready
from game.services.races.matchmaking import (
    match_offer_accept,
    match_ticket_join,
    match_ticket_leave,
    matchmaking_advance,
)
from game.services.races.timeouts import race_advance
from tests.fixtures.races import create_race, member, now, play_all
from tests.fixtures.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 6
LINKED = "race.linked_accounts"


def at_home(account: Account, act: Callable[[], Any]) -> Callable[[], Any]:
    """The act as a request from one address, in a browser of the account's own."""

    def request() -> Any:
        browser_record(
            account.id, address="10.0.0.1", agent=account.name, at=now(), cookie=""
        )
        return act()

    return request


def pair(number: int) -> tuple[Account, Account]:
    return member(f"Dora {number}"), member(f"Emil {number}")


def test_two_linked_accounts_join_at_once(db: None) -> None:
    for number in range(ROUNDS):
        dora, emil = pair(number)
        race_id = create_race([member(f"Host {number}")], seats=3)
        Race.objects.filter(id=race_id).update(rated=True)

        def join(one: Account, race_id: str = race_id) -> Callable[[], Any]:
            return at_home(
                one,
                lambda: race_join(account_id=one.id, race_id=race_id, at=now()),
            )

        answers = at_once(join(dora), join(emil))
        assert answers.count(LINKED) == 1
        seated = Entrant.objects.filter(race=race_id, left_at=None)
        assert seated.count() == 2


def test_linked_accounts_get_ready_at_once(db: None) -> None:
    for number in range(ROUNDS):
        dora, emil = pair(number)
        race_id = create_race([dora, emil], rated=True)

        def ready(one: Account, race_id: str = race_id) -> Callable[[], Any]:
            return at_home(
                one,
                lambda: race_ready(account_id=one.id, race_id=race_id, at=now()),
            )

        assert at_once(ready(dora), ready(emil)).count(LINKED) == 1
        assert Race.objects.get(id=race_id).starts_at is None


def search(account: Account) -> Callable[[], Any]:
    return at_home(
        account,
        lambda: match_ticket_join(
            account_id=account.id, ruleset="tavern-1", form="score", at=now()
        ),
    )


def accept(account: Account) -> Callable[[], Any]:
    return at_home(account, lambda: match_offer_accept(account_id=account.id, at=now()))


def test_two_linked_accounts_search_and_accept_at_once(db: None) -> None:
    for number in range(ROUNDS):
        MatchTicket.objects.all().delete()
        dora, emil = pair(number)
        at_once(search(dora), search(emil))
        assert not MatchTicket.objects.exclude(offer="").exists()
        earlier = now() - timedelta(seconds=20)
        MatchTicket.objects.update(made_at=earlier)
        at_once(*[lambda: matchmaking_advance(at=now())] * 2)
        assert MatchTicket.objects.filter(is_linked=True).count() == 2
        at_once(accept(dora), accept(emil))
        race = Race.objects.get(entrants__account=dora)
        assert (race.is_paired, race.is_linked, race.rated) == (True, True, False)
        assert race.starts_at is not None
        race_advance(race.id, at=race.starts_at)
        play_all(race.id, [dora, emil])
    assert not RatingChange.objects.exists()
    assert list(breaches(at=now())) == []


def test_rated_offer_does_not_survive_a_link_that_both_acceptances_make(
    db: None,
) -> None:
    for number in range(ROUNDS):
        MatchTicket.objects.all().delete()
        dora, emil = pair(number)
        for one in (dora, emil):
            match_ticket_join(
                account_id=one.id, ruleset="tavern-1", form="score", at=now()
            )
        assert MatchTicket.objects.filter(is_linked=False).exclude(offer="").count()
        at_once(accept(dora), accept(emil))
        assert not Race.objects.filter(entrants__account=dora).exists()
        assert MatchTicket.objects.filter(offer="").count() == 2


def test_both_decline_at_once(db: None) -> None:
    for number in range(ROUNDS):
        dora, emil = pair(number)
        at_once(
            *(
                lambda one=one: match_ticket_join(
                    account_id=one.id, ruleset="tavern-1", form="score", at=now()
                )
                for one in (dora, emil)
            )
        )
        matchmaking_advance(at=now())
        assert MatchTicket.objects.exclude(offer="").count() == 2
        at_once(
            *(
                lambda one=one: match_ticket_leave(account_id=one.id, at=now())
                for one in (dora, emil)
            )
        )
        # The second one has no offer any more.
        assert MatchDecline.objects.filter(account__in=[dora, emil]).count() == 1
        assert not MatchTicket.objects.exists()


def test_one_account_is_seen_in_many_requests_at_once(db: None) -> None:
    dora = member("Dora")
    at_once(*[at_home(dora, lambda: None)] * 8)
    assert dora.browser_marks.count() == 1
