"""Bugs planted on purpose, each of which the proofs must notice.

Whoever trusts the fault tests trusts the invariants, the histories and the scanners;
here these are shown a server that is wrong. Where a constraint of the schema would stop
the bug by itself, the plant is the one that gets past it.
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
from game.services.races.timeouts import race_due
from game.services.runs.moves import play, sql
from game.services.runs.moves.play import race_move_play
from game.services.runs.moves.sql import MoveDone, MoveWrite
from tests.faults.record import Feed, Outcome, Read, Tried, history_breaches, leaks
from tests.faults.truth import truth_of
from tests.fixtures.races import (
    backdate,
    begun,
    member,
    now,
    play_all,
    race_of,
    see,
    shown,
)
from tests.fixtures.runs import signed_in
from tests.scanner import Leak
from tests.services.boards.test_ratings import rated_race

pytestmark = pytest.mark.django_db
Plant = pytest.MonkeyPatch


class Player:
    """A client in the tests' own process, with a history and all that it read."""

    def __init__(self, race_id: str, account: Account) -> None:
        self.race_id, self.account = race_id, account
        self.tries: list[Tried] = []
        self.reads: list[Read] = []

    def play(self, key: str, outcome: Outcome = "ok") -> None:
        """Play the first legal move, and take it for what it is said to be."""
        run = see(self.race_id, self.account)["run"]
        code = run["legal"][0]["move"]
        answer = race_move_play(
            account_id=self.account.id,
            race_id=self.race_id,
            index=run["index"],
            code=code,
            key=key,
        )
        known = (self.race_id, self.account.id, run["index"], code, key)
        self.tries.append(Tried(*known, outcome, answer["run"]))

    def look(self) -> None:
        """Read the events as they are shown."""
        text = str(shown(self.race_id, self.account))
        self.reads.append(Read(self.race_id, self.account.id, time.time(), text))

    def found(self) -> list[str]:
        """What is wrong with the history and with what was read."""
        with connection.cursor() as cursor:
            truth = truth_of(cursor)
        return [*history_breaches(self.tries, truth), *leaks(self.reads, truth)]


@pytest.fixture
def two(db: None) -> list[Account]:
    return [member("Dora"), member("Emil")]


@pytest.fixture
def client(two: list[Account]) -> Player:
    """Dora, in a race with Emil that is running."""
    return Player(begun(two), two[0])


def laws() -> set[str]:
    return {breach.law for breach in breaches(at=now())}


def test_without_a_bug_there_is_nothing_to_find(client: Player) -> None:
    client.play("a")
    client.play("b")
    client.look()
    assert client.found() == []
    assert laws() == set()


def test_a_write_without_the_condition_on_the_index(
    client: Player, monkeypatch: Plant
) -> None:
    plain: Callable[[MoveWrite], Any] = sql.move_write
    nested = [lambda: client.play("between")]

    def anywhere(write: MoveWrite) -> Any:
        if nested:  # somebody else comes between the reading and the writing
            nested.pop()()
        row = Run.objects.get(id=write.run_id)
        return plain(write._replace(index=row.index, before=row.snapshot))

    monkeypatch.setattr(play, "move_write", anywhere)
    client.play("late")
    assert laws() & {"I1", "I6"}
    assert any(found.startswith("I3") for found in client.found())


def test_an_answer_before_the_commit(client: Player, monkeypatch: Plant) -> None:
    monkeypatch.setattr(play, "move_write", lambda _: MoveDone(now(), 9))
    client.play("a")
    assert any("acknowledged, and lost" in found for found in client.found())


def test_a_refusal_after_the_commit(client: Player) -> None:
    client.play("a", outcome="fail")
    assert any("refused, and stored" in found for found in client.found())


def test_a_key_that_is_not_kept(client: Player, monkeypatch: Plant) -> None:
    plain: Callable[[MoveWrite], Any] = sql.move_write
    monkeypatch.setattr(play, "move_write", lambda w: plain(w._replace(key=None)))
    client.play("a")
    assert any("acknowledged, and lost" in found for found in client.found())


def test_a_snapshot_that_is_not_written(client: Player, monkeypatch: Plant) -> None:
    first = Run.objects.get(account=client.account).snapshot
    plain: Callable[[MoveWrite], Any] = sql.move_write
    stale = {"snapshot": first}
    monkeypatch.setattr(play, "move_write", lambda w: plain(w._replace(**stale)))
    client.play("a")
    assert "I1" in laws()


def test_an_event_number_that_is_skipped(
    two: list[Account], client: Player, monkeypatch: Plant
) -> None:
    plain = locking._write_events

    def skipping(race: Race, *more: Any) -> None:
        race.seq += 1
        plain(race, *more)

    monkeypatch.setattr(locking, "_write_events", skipping)
    race_id = race_of(two)
    assert "I6" in laws()
    feed = Feed()
    for event in shown(race_id, two[0]):
        feed.take({"t": "race.event", "seq": event["seq"]})
    assert feed.holes


def test_a_move_without_its_event(client: Player) -> None:
    client.play("a")
    race = Race.objects.get(id=client.race_id)
    RaceEvent.objects.filter(race=race, kind="moved").update(kind="readied")
    assert "I6" in laws()


def test_ratings_that_are_applied_twice(two: list[Account], monkeypatch: Plant) -> None:
    plain = ratings._apply

    def twice(row: Any, skill: Any, at: Any) -> None:
        plain(row, skill, at)
        change = skill.rating - 1500.0
        plain(row, skill._replace(rating=skill.rating + change), at)

    monkeypatch.setattr(ratings, "_apply", twice)
    play_all(rated_race(*two), two)
    assert laws() == {"I7"}


def test_ratings_that_are_not_applied(two: list[Account], monkeypatch: Plant) -> None:
    monkeypatch.setattr(effects, "race_rate", lambda *_, **__: {})
    play_all(rated_race(*two), two)
    assert laws() == {"I7"}


def test_places_by_another_comparator(two: list[Account], monkeypatch: Plant) -> None:
    plain = effects.race_places

    def backwards(race: Race, entrants: list[Entrant]) -> dict[int, int | None]:
        placed = plain(race, entrants)
        return {seat: (place or 0) + 1 for seat, place in placed.items()}

    monkeypatch.setattr(effects, "race_places", backwards)
    play_all(begun(two), two)
    assert "I9" in laws()


def test_a_card_that_is_shown_early(
    two: list[Account], client: Player, monkeypatch: Plant
) -> None:
    monkeypatch.setattr(race_selectors, "cut", lambda *_: Disclosure.FULL)
    other = Player(client.race_id, two[1])
    for key in "abc":
        client.play(key)
    other.look()
    assert any(found.startswith("I11") for found in other.found())
    page: Client = signed_in(two[1])
    with pytest.raises(Leak):
        page.get(f"/api/v1/races/{client.race_id}/events/")


def test_the_next_card_of_ones_own_pile(client: Player) -> None:
    with connection.cursor() as cursor:
        deck = truth_of(cursor)[client.race_id].deck
    client.play("a")
    known = (client.race_id, client.account.id, time.time())
    client.reads.append(Read(*known, f'{{"next": "{deck[5]}"}}'))
    assert any(found.startswith("I11") for found in client.found())


def test_a_seed_before_the_close(client: Player) -> None:
    with connection.cursor() as cursor:
        seed = truth_of(cursor)[client.race_id].seed
    known = (client.race_id, client.account.id, time.time())
    client.reads.append(Read(*known, f'{{"seed": "{seed}"}}'))
    assert any("the seed" in found for found in client.found())


def test_an_event_that_needs_too_little(client: Player, monkeypatch: Plant) -> None:
    monkeypatch.setattr(play, "shown_count", lambda _: 1)
    client.play("a")
    assert "I11" in laws()


def test_a_race_that_nobody_closes(
    two: list[Account], client: Player, monkeypatch: Plant
) -> None:
    monkeypatch.setattr(timeouts, "due", lambda *_: None)
    backdate(client.race_id, timedelta(minutes=30))
    race_due(client.race_id, at=timezone.now())
    assert "I13" in laws()


def test_an_entrant_who_is_not_dealt_in(two: list[Account]) -> None:
    race_id = begun(two)
    Entrant.objects.filter(race_id=race_id, account=two[1]).update(run=None)
    assert "I5" in laws()
