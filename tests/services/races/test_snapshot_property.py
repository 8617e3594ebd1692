"""Snapshot at n + the events after n = the snapshot now, for every viewer."""

import contextlib
import random
from datetime import timedelta
from typing import Any

import pytest

from game.models import Account, Race, new_id
from game.rules import IllegalMove
from game.services.core.errors import ServiceRefusal
from game.services.races.commands import (
    race_forfeit,
    race_join,
    race_leave,
    race_ready,
    race_start,
    race_unforfeit,
    race_unready,
)
from game.services.races.create import race_rematch
from game.services.races.presence import presence_end, presence_refresh
from game.services.races.timeouts import race_advance
from tests.fixtures.races import backdate, member, now, play, race_of, see, shown
from tests.services.races.race_reducer import APART, reduced

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def comparable(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in snapshot.items() if key not in (*APART, "_me")}


class Table:
    """A race under wild but seeded play, and what each viewer was shown when."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        rated = self.rng.random() < 0.5
        self.people = [member(f"P{new_id()}") for _ in range(3)]
        self.viewers: list[Account | None] = [*self.people, None]
        self.race_id = race_of(
            self.people[:1],
            rated=rated,
            seats=3,
            format=self.rng.choice(("score", "speed")),
            time_limit_s=180,
        )
        self.kept: list[tuple[Account | None, dict[str, Any]]] = []
        self.streams = {id(viewer): self.look(viewer) for viewer in self.viewers}

    def look(self, viewer: Account | None) -> dict[str, Any]:
        snapshot: dict[str, Any] = see(self.race_id, viewer)
        snapshot["_me"] = viewer.name if viewer else None
        return snapshot

    def act(self) -> None:
        person = self.rng.choice(self.people)
        given = {"account_id": person.id, "race_id": self.race_id, "at": now()}
        acts = (
            lambda: race_join(**given),
            lambda: race_ready(**given),
            lambda: race_ready(**given),
            lambda: race_unready(**given),
            lambda: race_start(**given),
            lambda: race_leave(**given),
            lambda: race_forfeit(**given),
            lambda: race_unforfeit(**given),
            lambda: presence_refresh([(self.race_id, person.id)], at=now()),
            lambda: presence_end(race_id=self.race_id, account_id=person.id, at=now()),
            self.hurry,
            lambda: race_rematch(**given),
            *[lambda: self.move(person)] * 12,
        )
        with contextlib.suppress(ServiceRefusal, IllegalMove):
            self.rng.choice(acts)()

    def move(self, person: Account) -> None:
        run = see(self.race_id, person)["run"]
        if run and run["legal"]:
            play(self.race_id, person, self.rng.choice(run["legal"])["move"])

    def hurry(self) -> None:
        """Let the countdown, or at last the deadline, be over."""
        race = Race.objects.get(id=self.race_id)
        if race.starts_at is not None and race.started_at is None:
            race_advance(self.race_id, at=race.starts_at)

    def keep_up(self) -> None:
        """Each viewer takes in what is new; now and then somebody starts afresh."""
        for viewer in self.viewers:
            known = self.streams[id(viewer)]
            news = shown(self.race_id, viewer, known["seq"])
            if self.rng.random() < 0.2 and len(news) > 1:
                # Lost on the way: asked for again from where one stood.
                news = shown(self.race_id, viewer, known["seq"])
            self.streams[id(viewer)] = reduced(known, news)
            if self.rng.random() < 0.15:
                self.kept.append((viewer, self.look(viewer)))

    def check(self) -> None:
        for viewer in self.viewers:
            self.agree(viewer, self.streams[id(viewer)])
        for viewer, kept in self.kept:
            self.agree(viewer, kept)

    def agree(self, viewer: Account | None, known: dict[str, Any]) -> None:
        """What is known, brought up to date, is the snapshot of the same number."""
        while True:
            fresh = self.look(viewer)
            known = reduced(known, shown(self.race_id, viewer, known["seq"]))
            # Between the two looks the clock may have started the race.
            if known["seq"] == fresh["seq"]:
                assert comparable(known) == comparable(fresh)
                return


@pytest.mark.parametrize("seed", range(10))
def test_snapshot_plus_events_equals_the_new_snapshot(db: None, seed: int) -> None:
    """Snapshot at n + events after n = snapshot now, for each viewer."""
    table = Table(seed)
    for step in range(50):
        table.act()
        if table.rng.random() < 0.5:
            table.keep_up()
        if step == 15:
            table.hurry()
    table.keep_up()
    table.check()
    if Race.objects.get(id=table.race_id).started_at is not None:
        backdate(table.race_id, timedelta(seconds=400))
        # `hurry` had it begin a few seconds ahead of the clock.
        race_advance(table.race_id, at=now() + timedelta(seconds=10))
        table.keep_up()
        # The times were moved under the clients' feet; all else must agree.
        for known in table.streams.values():
            assert known["phase"] == "settled"
            assert known["seed"] is not None
