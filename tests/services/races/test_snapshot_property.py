"""A snapshot with the later events applied equals the current snapshot."""

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
    race_remove,
    race_start,
    race_unforfeit,
    race_unready,
)
from game.services.races.create import race_rematch
from game.services.races.early_close import race_close_early
from game.services.races.presence import presence_end, presence_refresh
from game.services.races.timeouts import race_advance
from game.services.runs.moves.play import race_move_play
from tests.fixtures.races import (
    backdate,
    create_race,
    member,
    now,
    read_events,
    read_race,
)
from tests.services.races.race_reducer import NOT_IN_EVENTS, apply_events

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def comparable(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in snapshot.items()
        if key not in (*NOT_IN_EVENTS, "_me")
    }


class RandomRace:
    """A race played at random from a seed, and what each viewer was shown when."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        rated = self.rng.random() < 0.5
        self.people = [member(f"P{new_id()}") for _ in range(3)]
        self.viewers: list[Account | None] = [*self.people, None]
        self.race_id = create_race(
            self.people[:1],
            rated=rated,
            seats=2 if rated else 3,
            format=self.rng.choice(("score", "speed")),
            time_limit_s=180,
        )
        self.kept: list[tuple[Account | None, dict[str, Any]]] = []
        self.streams = {id(viewer): self.look(viewer) for viewer in self.viewers}

    def look(self, viewer: Account | None) -> dict[str, Any]:
        snapshot: dict[str, Any] = read_race(self.race_id, viewer)
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
            lambda: race_remove(**given, seat=self.rng.randint(1, 3)),
            lambda: race_close_early(**given),
            lambda: race_forfeit(**given),
            lambda: race_unforfeit(**given),
            lambda: presence_refresh([(self.race_id, person.id)], at=now()),
            lambda: presence_end(race_id=self.race_id, account_id=person.id, at=now()),
            self.end_countdown,
            lambda: race_rematch(**given),
            *[lambda: self.move(person)] * 12,
        )
        with contextlib.suppress(ServiceRefusal, IllegalMove):
            self.rng.choice(acts)()

    def move(self, person: Account) -> None:
        run = read_race(self.race_id, person)["run"]
        if run and run["legal"]:
            race_move_play(
                account_id=person.id,
                race_id=self.race_id,
                index=run["index"],
                code=self.rng.choice(run["legal"])["move"],
                by_program=self.rng.random() < 0.1,
            )

    def end_countdown(self) -> None:
        """End the countdown."""
        race = Race.objects.get(id=self.race_id)
        if race.starts_at is not None and race.started_at is None:
            race_advance(self.race_id, at=race.starts_at)

    def keep_up(self) -> None:
        """Apply new events to each viewer's race; sometimes keep a fresh snapshot."""
        for viewer in self.viewers:
            known = self.streams[id(viewer)]
            news = read_events(self.race_id, viewer, known["seq"])
            if self.rng.random() < 0.2 and len(news) > 1:
                # As if the answer was lost: ask again from the same number.
                news = read_events(self.race_id, viewer, known["seq"])
            self.streams[id(viewer)] = apply_events(known, news)
            if self.rng.random() < 0.15:
                self.kept.append((viewer, self.look(viewer)))

    def check(self) -> None:
        for viewer in self.viewers:
            self.agree(viewer, self.streams[id(viewer)])
        for viewer, kept in self.kept:
            self.agree(viewer, kept)

    def agree(self, viewer: Account | None, known: dict[str, Any]) -> None:
        """Compare the viewer's race with the snapshot of the same number."""
        while True:
            fresh = self.look(viewer)
            known = apply_events(known, read_events(self.race_id, viewer, known["seq"]))
            # The race may have started between the two reads.
            if known["seq"] == fresh["seq"]:
                assert comparable(known) == comparable(fresh)
                return


@pytest.mark.parametrize("seed", range(10))
def test_snapshot_plus_events_equals_the_new_snapshot(db: None, seed: int) -> None:
    """Snapshot at n + events after n = snapshot now, for each viewer."""
    race = RandomRace(seed)
    for step in range(50):
        race.act()
        if race.rng.random() < 0.5:
            race.keep_up()
        if step == 15:
            race.end_countdown()
    race.keep_up()
    race.check()
    if Race.objects.get(id=race.race_id).started_at is not None:
        backdate(race.race_id, timedelta(seconds=400))
        # `end_countdown` started it a few seconds ahead of the clock.
        race_advance(race.race_id, at=now() + timedelta(seconds=10))
        race.keep_up()
        # The stored times were changed without events; all else must agree.
        for known in race.streams.values():
            assert known["phase"] == "settled"
            assert known["seed"] is not None
