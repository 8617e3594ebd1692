"""Seats before the start: who can take one, keep one, and how many."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from game.contest.race import MAX_OPEN_RACES, MAX_OPEN_SEATS, RELEASE_AFTER
from game.models import Account, Block, MatchDecline, MatchTicket, Race, RaceEvent
from game.services.accounts.accounts import guest_create
from game.services.core.errors import Kind
from game.services.races.commands import (
    race_join,
    race_leave,
    race_ready,
    race_remove,
    race_start,
)
from game.services.races.create import RaceTerms, race_make, race_rematch
from game.services.races.matchmaking import match_ticket_join
from game.services.races.timeouts import race_advance
from tests.fixtures.races import (
    create_race,
    expect_refusal,
    now,
    play_all,
    play_out,
    read_race,
    start_race,
)
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
SECOND = timedelta(seconds=1)


def players(race_id: str) -> list[str]:
    return [one["player"] for one in read_race(race_id)["entrants"]]


def join(account: Account, race_id: str, at: datetime | None = None) -> Any:
    return race_join(account_id=account.id, race_id=race_id, at=at or now())


def seek(account: Account, at: datetime | None = None) -> MatchTicket:
    return match_ticket_join(
        account_id=account.id, ruleset="tavern-1", form="score", at=at or now()
    )


def leave_reasons(race_id: str) -> list[Any]:
    events = RaceEvent.objects.filter(race_id=race_id, kind="left").order_by("seq")
    return [(event.seat, '"idle"' in event.body) for event in events]


@pytest.fixture
def people(ada: Account, bob: Account, cleo: Account) -> dict[str, Account]:
    return {"ada": ada, "bob": bob, "cleo": cleo}


def test_removed_entrant_cannot_come_back(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = create_race([ada, bob, cleo], seats=3)
    with expect_refusal("race.not_host", Kind.FORBIDDEN):
        race_remove(account_id=cleo.id, race_id=race_id, seat=2, at=now())
    race_remove(account_id=ada.id, race_id=race_id, seat=2, at=now())
    assert players(race_id) == [ada.name, cleo.name]
    with expect_refusal("race.removed"):
        join(bob, race_id)
    # Also after the host has changed.
    race_leave(account_id=ada.id, race_id=race_id, at=now())
    with expect_refusal("race.removed"):
        join(bob, race_id)
    join(ada, race_id)


@pytest.mark.parametrize("blocker", [0, 1])
def test_players_who_block_each_other_do_not_join_one_race(
    ada: Account, bob: Account, cleo: Account, blocker: int
) -> None:
    pair = [bob, cleo]
    race_id = create_race([ada, bob], seats=3)
    Block.objects.create(
        account=pair[blocker], blocked=pair[1 - blocker], made_at=now()
    )
    with expect_refusal("race.blocked", Kind.FORBIDDEN):
        join(cleo, race_id)
    race_leave(account_id=bob.id, race_id=race_id, at=now())
    join(cleo, race_id)
    with expect_refusal("race.blocked", Kind.FORBIDDEN):
        join(bob, race_id)


def test_open_races_and_seats_of_an_account_are_limited(
    ada: Account, bob: Account
) -> None:
    own = [create_race([ada]) for _ in range(MAX_OPEN_RACES)]
    with expect_refusal("race.too_many_open"):
        create_race([ada])
    others = [create_race([guest_create(at=NOON)]) for _ in range(3)]
    for race_id in others[: MAX_OPEN_SEATS - MAX_OPEN_RACES]:
        join(ada, race_id)
    with expect_refusal("race.too_many_seats"):
        join(ada, others[-1])
    race_leave(account_id=ada.id, race_id=own[0], at=now())
    join(ada, others[-1])
    # A race that has started is no open one.
    with expect_refusal("race.too_many_seats"):
        create_race([ada])
    join(bob, own[1])
    race_start(account_id=ada.id, race_id=own[1], at=now())
    assert Race.objects.filter(host=ada, starts_at=None, cancelled_at=None).count() == 1


@pytest.mark.parametrize(
    ("asked", "ready", "after_s", "expected"),
    [
        ({}, (), 119.9, ["ada", "bob", "cleo"]),
        ({}, (), 120, []),
        ({}, ("ada", "cleo"), 120, ["ada", "cleo"]),
        ({}, ("bob",), 120, ["bob"]),
        ({"visibility": "link"}, (), 3000, ["ada", "bob", "cleo"]),
        ({"seats": 4}, (), 3000, ["ada", "bob", "cleo"]),
    ],
)
def test_full_public_race_releases_seats_that_are_not_ready(
    people: dict[str, Account],
    asked: Any,
    ready: tuple[str, ...],
    after_s: float,
    expected: list[str],
) -> None:
    at = now()
    race_id = create_race(list(people.values()), at, **{"seats": 3, **asked})
    for name in ready:
        race_ready(account_id=people[name].id, race_id=race_id, at=at)
    race_advance(race_id, at=at + after_s * SECOND)
    race = Race.objects.get(id=race_id)
    assert players(race_id) == [people[name].name for name in expected]
    assert (race.cancelled_at is None) is bool(expected)
    if expected:
        assert race.host_id == people[expected[0]].id


def test_release_counts_from_the_last_seat_and_from_unready(
    ada: Account, bob: Account, cleo: Account
) -> None:
    at = now()
    race_id = create_race([ada, bob], at, seats=3)
    join(cleo, race_id, at + 100 * SECOND)
    race_ready(account_id=ada.id, race_id=race_id, at=at)
    due_at = Race.objects.get(id=race_id).due_at
    assert due_at is not None
    assert due_at == at + 100 * SECOND + RELEASE_AFTER
    race_advance(race_id, at=due_at)
    assert leave_reasons(race_id) == [(2, True), (3, True)]
    # They may come back, and have two minutes again.
    join(bob, race_id, due_at)
    join(cleo, race_id, due_at)
    assert Race.objects.get(id=race_id).due_at == due_at + RELEASE_AFTER


def enter(way: str, ada: Account, other: str, over: str) -> None:
    """Try to enter a race in that way; `other` is open, `over` has ended."""
    given = {"account_id": ada.id, "at": now()}
    match way:
        case "make":
            create_race([ada])
        case "make with a bot":
            race_make(terms=RaceTerms(house="House Rat", ready=True), **given)
        case "join":
            join(ada, create_race([guest_create(at=NOON)]))
        case "ready":
            race_ready(race_id=other, **given)
        case "start":
            race_start(race_id=other, **given)
        case "rematch":
            race_rematch(race_id=over, **given)
        case "search":
            seek(ada)


WAYS = ("make", "make with a bot", "join", "ready", "start", "rematch", "search")


@pytest.mark.parametrize("way", WAYS)
def test_account_in_a_running_race_enters_no_other(
    ada: Account, bob: Account, cleo: Account, way: str
) -> None:
    over = start_race([ada, cleo])
    play_all(over, [ada, cleo])
    other = create_race([ada, cleo])
    live = start_race([ada, bob])
    with expect_refusal("race.one_live"):
        enter(way, ada, other, over)
    # Once the own run has ended, though the other player's goes on.
    play_out(live, ada)
    enter(way, ada, other, over)
    assert read_race(live)["phase"] == "running"


def test_start_leaves_out_entrants_of_another_running_race(
    ada: Account, bob: Account, cleo: Account
) -> None:
    second = create_race([cleo, bob, ada], seats=4)
    start_race([ada, bob])
    with expect_refusal("race.too_few"):
        race_start(account_id=cleo.id, race_id=second, at=now())
    dora = guest_create(at=NOON)
    join(dora, second)
    race_start(account_id=cleo.id, race_id=second, at=now())
    assert players(second) == [cleo.name, dora.name]


def test_joining_a_race_ends_the_search(ada: Account, bob: Account) -> None:
    """The other player of an offer goes on searching."""
    enters: tuple[Callable[[], Any], ...] = (
        lambda: create_race([ada]),
        lambda: join(ada, create_race([guest_create(at=NOON)])),
        lambda: race_make(
            account_id=ada.id, terms=RaceTerms(house="House Rat", ready=True), at=now()
        ),
    )
    for enter in enters:
        MatchDecline.objects.all().delete()  # joining declines the offer
        seek(ada)
        assert seek(bob).offer
        enter()
        ticket = MatchTicket.objects.get()
        assert (ticket.account_id, ticket.offer) == (bob.id, "")
        MatchTicket.objects.all().delete()


def test_start_by_others_ends_the_search(ada: Account, bob: Account) -> None:
    race_id = create_race([ada, bob])
    seek(bob)
    race_start(account_id=ada.id, race_id=race_id, at=now())
    assert not MatchTicket.objects.exists()
