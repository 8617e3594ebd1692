"""Races to play: made, filled, begun; and time that a test can move."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from game.contest.race import COUNTDOWN
from game.models import Account, Race
from game.selectors.races import Viewer
from game.services import doorbell
from game.services.accounts import guest_create
from game.services.errors import Kind, ServiceRefusal
from game.services.race_moves import race_move_play
from game.services.race_views import race_events_shown, race_snapshot
from game.services.races import RaceAsked, race_join, race_make, race_start
from game.services.races_due import race_due
from tests.fixtures_runs import NOON

MakePeople = Callable[[int], list[Account]]


def member(name: str, **fields: Any) -> Account:
    """Somebody who has signed up, and so may be rated."""
    return Account.objects.create(name=name, created_at=NOON, seen_at=NOON, **fields)


@pytest.fixture
def cleo(db: None) -> Account:
    """A third guest."""
    return guest_create(at=NOON)


def now() -> datetime:
    """The time, of the same clock that the database has."""
    return timezone.now()


def race_of(people: list[Account], at: datetime | None = None, **asked: Any) -> str:
    """An open race with these people in it, the first its host."""
    at = at or now()
    asked.setdefault("seats", max(2, len(people)))
    host, *others = people
    made = race_make(account_id=host.id, asked=RaceAsked(**asked), at=at)
    for one in others:
        race_join(account_id=one.id, race_id=made["race_id"], at=at)
    return str(made["race_id"])


def begun(people: list[Account], **asked: Any) -> str:
    """A race of these people that started just now."""
    at = now() - COUNTDOWN - timedelta(milliseconds=10)
    race_id = race_of(people, at, **asked)
    race_start(account_id=people[0].id, race_id=race_id, at=at)
    race_due(race_id, at=now())
    return race_id


def backdate(race_id: str, by: timedelta) -> None:
    """Have a running race begin that much earlier; its deadline too."""
    race = Race.objects.get(id=race_id)
    assert race.starts_at is not None
    assert race.deadline_at is not None
    moved = {
        "starts_at": race.starts_at - by,
        "started_at": race.started_at and race.started_at - by,
        "deadline_at": race.deadline_at - by,
        "due_at": race.due_at and race.due_at - by,
    }
    Race.objects.filter(id=race_id).update(**moved)


def see(race_id: str, account: Account | None = None) -> dict[str, Any]:
    """The race as that account sees it now."""
    return race_snapshot(race_id, Viewer(account.id if account else None), now())


def entrant(race_id: str, account: Account, viewer: Account | None = None) -> Any:
    """An entrant's line in the race's JSON."""
    seen = see(race_id, viewer or account)
    return next(one for one in seen["entrants"] if one["player"] == account.name)


def play(race_id: str, account: Account, code: str | None = None) -> dict[str, Any]:
    """One move, the first legal one where none is named."""
    run = see(race_id, account)["run"]
    move = code or run["legal"][0]["move"]
    return race_move_play(
        account_id=account.id, race_id=race_id, index=run["index"], code=move
    )


def play_out(race_id: str, account: Account) -> None:
    """First legal moves to the end of the run: a death, as good as always."""
    while see(race_id, account)["run"]["status"] == "playing":
        play(race_id, account)


def play_all(race_id: str, people: list[Account]) -> None:
    """Everybody's run, to its end; the race is settled after it."""
    for one in people:
        play_out(race_id, one)


@pytest.fixture
def rung() -> Iterator[list[tuple[str, int]]]:
    """What the doorbell was rung for."""
    heard: list[tuple[str, int]] = []
    before, doorbell.bell = doorbell.bell, lambda *told: heard.append(told[:2])
    yield heard
    doorbell.bell = before


@contextmanager
def refused(code: str, kind: Kind = Kind.CONFLICT) -> Iterator[None]:
    """What is done inside is refused with that code, as that kind of no."""
    with pytest.raises(ServiceRefusal) as found:
        yield
    assert (found.value.code, found.value.kind) == (code, kind)


def shown(race_id: str, viewer: Account | None, since: int = 0) -> list[dict[str, Any]]:
    """The events after `since` as that account may see them now."""
    who = Viewer(viewer.id if viewer else None)
    return race_events_shown(race_id, since, who, now())
