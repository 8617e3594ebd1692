"""Bugs planted on purpose, each of which a check must find.

The fault tests rely on the invariants, on the comparison of histories and on the search
for leaks. Here these see a server with a bug. Bugs that a constraint of the database
would refuse are planted in a form that it accepts.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from game.contest.horizon import Disclosure
from game.models import Account, Entrant, Race, RaceEvent, Run
from game.selectors.races import snapshots as race_selectors
from game.services.boards import ratings
from game.services.maintenance.invariants import breaches
from game.services.races import effects, locking, timeouts
from game.services.races.timeouts import race_advance
from game.services.runs.moves import play, sql
from game.services.runs.moves.play import race_move_play
from game.services.runs.moves.sql import MoveResult, MoveWrite
from tests.faults.history import (
    EventSequence,
    MoveAttempt,
    Outcome,
    Received,
    find_history_errors,
    find_leaks,
)
from tests.faults.stored_races import read_stored_races
from tests.fixtures.races import (
    backdate,
    create_race,
    member,
    now,
    play_all,
    read_events,
    read_race,
    start_race,
)
from tests.fixtures.runs import signed_in
from tests.scanner import Leak
from tests.services.boards.test_ratings import rated_race

pytestmark = pytest.mark.django_db
Patch = pytest.MonkeyPatch


class Player:
    """A client in this process, with its attempts and the texts it received."""

    def __init__(self, race_id: str, account: Account) -> None:
        self.race_id, self.account = race_id, account
        self.attempts: list[MoveAttempt] = []
        self.received: list[Received] = []

    def play(self, key: str, outcome: Outcome = "ok") -> None:
        """Play the first legal move, and record it with this outcome."""
        run = read_race(self.race_id, self.account)["run"]
        code = run["legal"][0]["move"]
        answer = race_move_play(
            account_id=self.account.id,
            race_id=self.race_id,
            index=run["index"],
            code=code,
            key=key,
        )
        known = (self.race_id, self.account.id, run["index"], code, key)
        self.attempts.append(MoveAttempt(*known, outcome, answer["run"]))

    def read_events(self) -> None:
        """Receive the events as they are shown."""
        text = str(read_events(self.race_id, self.account))
        self.received.append(Received(self.race_id, self.account.id, time.time(), text))

    def errors(self) -> list[str]:
        """The errors in the history, and the leaks."""
        with connection.cursor() as cursor:
            races = read_stored_races(cursor)
        return [
            *find_history_errors(self.attempts, races),
            *find_leaks(self.received, races),
        ]


@pytest.fixture
def two(db: None) -> list[Account]:
    return [member("Dora"), member("Emil")]


@pytest.fixture
def client(two: list[Account]) -> Player:
    """Dora, in a running race with Emil."""
    return Player(start_race(two), two[0])


def broken_invariants() -> set[str]:
    return {breach.invariant for breach in breaches(at=now())}


def test_without_a_bug_nothing_is_found(client: Player) -> None:
    client.play("a")
    client.play("b")
    client.read_events()
    assert client.errors() == []
    assert broken_invariants() == set()


def test_a_write_without_a_check_of_the_index_is_found(
    client: Player, monkeypatch: Patch
) -> None:
    plain: Callable[[MoveWrite], Any] = sql.move_write
    nested = [lambda: client.play("between")]

    def write_anywhere(write: MoveWrite) -> Any:
        if nested:  # another move comes between the read and the write
            nested.pop()()
        row = Run.objects.get(id=write.run_id)
        return plain(write._replace(index=row.index, before=row.snapshot))

    monkeypatch.setattr(play, "move_write", write_anywhere)
    client.play("late")
    assert broken_invariants() & {"I1", "I6"}
    assert any(found.startswith("I3") for found in client.errors())


def test_an_answer_without_a_commit_is_found(
    client: Player, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(play, "move_write", lambda _: MoveResult(now(), 9))
    client.play("a")
    assert any("acknowledged, but not stored" in found for found in client.errors())


def test_a_refusal_after_a_commit_is_found(client: Player) -> None:
    client.play("a", outcome="fail")
    assert any("refused, but stored" in found for found in client.errors())


def test_a_key_that_is_not_stored_is_found(client: Player, monkeypatch: Patch) -> None:
    plain: Callable[[MoveWrite], Any] = sql.move_write
    monkeypatch.setattr(play, "move_write", lambda w: plain(w._replace(key=None)))
    client.play("a")
    assert any("acknowledged, but not stored" in found for found in client.errors())


def test_a_snapshot_that_is_not_written_is_found(
    client: Player, monkeypatch: Patch
) -> None:
    first = Run.objects.get(account=client.account).snapshot
    plain: Callable[[MoveWrite], Any] = sql.move_write
    stale = {"snapshot": first}
    monkeypatch.setattr(play, "move_write", lambda w: plain(w._replace(**stale)))
    client.play("a")
    assert "I1" in broken_invariants()


def test_a_skipped_event_number_is_found(db: None, monkeypatch: Patch) -> None:
    two = [member("Cleo"), member("Dan")]
    plain = locking._write_events

    def write_skipping(race: Race, *more: Any) -> None:
        race.seq += 1
        plain(race, *more)

    monkeypatch.setattr(locking, "_write_events", write_skipping)
    race_id = create_race(two)
    assert "I6" in broken_invariants()
    sequence = EventSequence()
    for event in read_events(race_id, two[0]):
        sequence.check({"t": "race.event", "seq": event["seq"]})
    assert sequence.gaps


def test_a_move_without_an_event_is_found(client: Player) -> None:
    client.play("a")
    race = Race.objects.get(id=client.race_id)
    RaceEvent.objects.filter(race=race, kind="moved").update(kind="readied")
    assert "I6" in broken_invariants()


def test_ratings_applied_twice_are_found(
    two: list[Account], monkeypatch: Patch
) -> None:
    plain = ratings._apply

    def twice(row: Any, skill: Any, at: Any) -> None:
        plain(row, skill, at)
        change = skill.rating - 1500.0
        plain(row, skill._replace(rating=skill.rating + change), at)

    monkeypatch.setattr(ratings, "_apply", twice)
    play_all(rated_race(*two), two)
    assert broken_invariants() == {"I7"}


def test_ratings_not_applied_are_found(two: list[Account], monkeypatch: Patch) -> None:
    monkeypatch.setattr(effects, "race_rate", lambda *_, **__: {})
    play_all(rated_race(*two), two)
    assert broken_invariants() == {"I7"}


def test_wrong_places_are_found(two: list[Account], monkeypatch: Patch) -> None:
    plain = effects.race_placings

    def backwards(race: Race, entrants: list[Entrant]) -> dict[int, int | None]:
        placed = plain(race, entrants)
        return {seat: (place or 0) + 1 for seat, place in placed.items()}

    monkeypatch.setattr(effects, "race_placings", backwards)
    play_all(start_race(two), two)
    assert "I9" in broken_invariants()


def test_a_card_shown_too_early_is_found(
    two: list[Account], client: Player, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(race_selectors, "event_disclosure", lambda *_: Disclosure.FULL)
    other = Player(client.race_id, two[1])
    for key in "abc":
        client.play(key)
    other.read_events()
    assert any(found.startswith("I11") for found in other.errors())
    page: Client = signed_in(two[1])
    with pytest.raises(Leak):
        page.get(f"/api/v1/races/{client.race_id}/events/")


def test_the_next_card_of_the_own_dungeon_is_found(client: Player) -> None:
    with connection.cursor() as cursor:
        deck = read_stored_races(cursor)[client.race_id].deck
    client.play("a")
    known = (client.race_id, client.account.id, time.time())
    client.received.append(Received(*known, f'{{"next": "{deck[5]}"}}'))
    assert any(found.startswith("I11") for found in client.errors())


def test_a_seed_shown_before_the_close_is_found(client: Player) -> None:
    with connection.cursor() as cursor:
        seed = read_stored_races(cursor)[client.race_id].seed
    known = (client.race_id, client.account.id, time.time())
    client.received.append(Received(*known, f'{{"seed": "{seed}"}}'))
    assert any("the seed" in found for found in client.errors())


def test_an_event_with_too_small_a_horizon_is_found(
    client: Player, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(play, "shown_count", lambda _: 1)
    client.play("a")
    assert "I11" in broken_invariants()


def test_a_race_that_is_not_closed_is_found(
    two: list[Account], client: Player, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(timeouts, "next_transition", lambda *_: None)
    backdate(client.race_id, timedelta(minutes=30))
    race_advance(client.race_id, at=timezone.now())
    assert "I13" in broken_invariants()


def test_an_entrant_without_a_run_is_found(two: list[Account]) -> None:
    race_id = start_race(two)
    Entrant.objects.filter(race_id=race_id, account=two[1]).update(run=None)
    assert "I5" in broken_invariants()
