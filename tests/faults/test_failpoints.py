"""Processes that kill themselves at failpoints leave complete and consistent data.

The web process of a test serves the tests' database. After it has died the test reads
what is stored, and sends the request again to another process, `running_web`.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

import pytest
from django.db import connection
from websockets.exceptions import WebSocketException

from game.models import (
    Account,
    BoardEntry,
    Daily,
    DailyDigest,
    Entrant,
    Move,
    Race,
    RaceEvent,
    RatingChange,
    Run,
)
from game.services.accounts.tokens import token_create
from game.services.dailies.settle import dailies_settle
from game.services.maintenance.invariants import breaches
from game.services.maintenance.tick import tick
from game.services.races.timeouts import race_advance
from tests.api.ws.conftest import People, new_web, people, running_web, web_folder
from tests.api.ws.web_process import SocketClient, WebProcess
from tests.faults.history import MoveAttempt, find_history_errors
from tests.faults.stored_races import read_stored_races
from tests.fixtures.dailies import DAY, MORNING, SETTLES
from tests.fixtures.dailies import attempt as daily_attempt
from tests.fixtures.dailies import member as ranked_member
from tests.fixtures.dungeons import first_move
from tests.fixtures.forks import run_forked
from tests.fixtures.races import member, now, play, play_out, read_race, start_race
from tests.services.boards.test_ratings import rated_race

__all__ = ["new_web", "people", "running_web", "web_folder"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
NewWeb = Callable[..., WebProcess]


def assert_invariants_hold() -> None:
    assert list(breaches(at=now())) == []


def wait_until_killed(web: WebProcess) -> None:
    """Wait until the failpoint has killed the process."""
    assert web.child.process is not None
    assert web.child.process.wait(30) == -9


def play_by_rest(
    web: WebProcess, account: Account, race_id: str, body: dict[str, Any]
) -> Any:
    """Play a move over REST; None if the process died before it answered."""
    token = token_create(
        account=account,
        name="t",
        scopes=("read", "play"),
        expires_in=timedelta(days=1),
        at=datetime.now(UTC),
    )[1]
    request = Request(
        f"{web.origin}/api/v1/races/{race_id}/moves/",
        data=json.dumps(body).encode(),
        headers={
            "Content-Type": "application/json",
            "Authorization": f"Bearer {token}",
        },
    )
    with suppress(OSError, HTTPException), urlopen(request, timeout=20) as answer:
        return json.loads(answer.read())
    return None


def play_by_socket(
    web: WebProcess,
    people: People,
    account: Account,
    race_id: str,
    body: dict[str, Any],
) -> Any:
    """Play a move over a socket; None if the process died before it answered."""
    with suppress(AssertionError, OSError, WebSocketException, TimeoutError):
        client: SocketClient = people.join(web, race_id, account)
        sent = {"index": body["index"], "move": body["move"]}
        answer = client.ask("move.play", body["key"], **sent)
        assert answer["t"] == "move.accepted", answer
        return answer["d"]
    return None


# How many moves are stored after the process died at a failpoint.
STORED = {"before_lock": 0, "after_commit": 1, "before_ack": 1}


@pytest.mark.parametrize(
    ("point", "way"),
    [*((point, "socket") for point in STORED), ("before_ack", "rest")],
)
def test_a_move_is_stored_once_if_the_web_process_dies(
    new_web: NewWeb, running_web: WebProcess, people: People, point: str, way: str
) -> None:
    ada, bob = member("Ada"), member("Bob")
    race_id = start_race([ada, bob])
    run = read_race(race_id, ada)["run"]
    move = first_move(run)
    body = {"index": 0, "move": move, "key": "one-key"}

    def ask() -> Any:
        if way == "rest":
            return play_by_rest(web, ada, race_id, body)
        return play_by_socket(web, people, ada, race_id, body)

    web = new_web(FAILPOINT=point)
    assert ask() is None
    wait_until_killed(web)
    assert Move.objects.filter(key="one-key").count() == STORED[point]
    assert_invariants_hold()
    web = running_web
    answer = ask()
    assert answer["replayed"] is bool(STORED[point])
    again = ask()
    assert again == {**answer, "replayed": True}
    assert RaceEvent.objects.filter(race_id=race_id, kind="moved").count() == 1
    attempt = MoveAttempt(race_id, ada.id, 0, move, "one-key", "ok", answer["run"])
    with connection.cursor() as cursor:
        assert not list(find_history_errors([attempt], read_stored_races(cursor)))
    assert_invariants_hold()


@pytest.mark.parametrize("point", ["after_lock", "before_commit"])
def test_a_race_command_is_atomic_if_the_web_process_dies(
    new_web: NewWeb, running_web: WebProcess, people: People, point: str
) -> None:
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    before = Race.objects.get(id=race_id).seq
    web = new_web(FAILPOINT=point)
    # Recording the first entrant's presence takes the race's lock too.
    with suppress(AssertionError, OSError, WebSocketException, TimeoutError):
        people.join(web, race_id, ada).ask("race.ready")
    wait_until_killed(web)
    assert not Entrant.objects.filter(is_ready=True).exists()
    assert Race.objects.get(id=race_id).seq - before <= 1
    assert_invariants_hold()
    web = running_web
    assert people.join(web, race_id, ada).ask("race.ready")["t"] == "race.snapshot"
    assert Entrant.objects.filter(is_ready=True).count() == 1
    assert_invariants_hold()


@pytest.mark.parametrize("point", ["settle_mid", "rating_mid"])
def test_the_last_move_is_stored_if_settling_dies(
    new_web: NewWeb, running_web: WebProcess, point: str
) -> None:
    ada, bob = member("Ada"), member("Bob")
    race_id = rated_race(ada, bob)
    play_out(race_id, ada)
    run = read_race(race_id, bob)["run"]
    while not any(one["lethal"] for one in run["legal"]):
        play(race_id, bob)
        run = read_race(race_id, bob)["run"]
    move = next(one["move"] for one in run["legal"] if one["lethal"])
    body = {"index": run["index"], "move": move, "key": "the-last"}
    web = new_web(FAILPOINT=point)
    # The race is settled in the background; the answer may come before the death.
    play_by_rest(web, bob, race_id, body)
    wait_until_killed(web)
    assert Move.objects.filter(key="the-last").count() == 1
    assert not RatingChange.objects.exists()
    assert Race.objects.get(id=race_id).settled_at is None
    assert_invariants_hold()
    web = running_web
    answer = play_by_rest(web, bob, race_id, body)
    assert answer["replayed"]
    race_advance(race_id, at=now())
    assert RatingChange.objects.filter(race_id=race_id).count() == 2
    assert Race.objects.get(id=race_id).settled_at is not None
    assert_invariants_hold()


@pytest.mark.parametrize("point", ["after_lock", "before_commit"])
def test_a_race_start_is_repeated_after_the_worker_died(
    transactional_db: None, people: People, point: str
) -> None:
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    people.ready(race_id, ada, bob)
    at = now() + timedelta(seconds=6)
    assert run_forked(lambda: tick(at=at), failpoint=point) == -9
    assert not Run.objects.exists()
    assert_invariants_hold()
    for _ in range(2):
        race_advance(race_id, at=at)
    assert Run.objects.filter(race_id=race_id).count() == 2
    assert RaceEvent.objects.filter(race_id=race_id, kind="started").count() == 1


def test_settling_a_daily_is_atomic_if_the_worker_dies(
    transactional_db: None, daily: Daily
) -> None:
    runs = [daily_attempt(ranked_member(), chance=n) for n in range(3)]
    assert daily.on == DAY
    assert run_forked(lambda: tick(at=SETTLES), failpoint="settle_mid") == -9
    daily.refresh_from_db()
    assert daily.settled_at is None
    assert not DailyDigest.objects.exists()
    assert not BoardEntry.objects.exists()
    assert not Run.objects.exclude(counted_at=None).exists()
    assert list(breaches(at=MORNING)) == []
    assert dailies_settle(at=SETTLES) == 1
    assert dailies_settle(at=SETTLES) == 0
    assert DailyDigest.objects.filter(daily=daily).count() == 1
    assert Run.objects.exclude(counted_at=None).count() == len(runs)
    assert list(breaches(at=SETTLES)) == []


def test_dailies_are_drawn_once_if_the_worker_dies(
    transactional_db: None, quick: None, one_ruleset: None
) -> None:
    assert run_forked(lambda: tick(at=MORNING), failpoint="daily_after_insert") == -9
    dailies = dict(Daily.objects.values_list("on", "id"))
    assert len(dailies) == 31
    assert not Daily.objects.exclude(dungeon=None).exists()
    assert run_forked(lambda: tick(at=MORNING)) == 0
    assert dict(Daily.objects.values_list("on", "id")) == dailies
    assert Daily.objects.exclude(dungeon=None).count() == 1
