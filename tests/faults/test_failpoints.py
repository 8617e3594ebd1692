"""Real processes killed at the worst moments; what is left is whole, and once.

A failpoint kills its own process without a word. The web process of each test serves
the tests' database, so what it left is looked at from here; then another one comes up
at the same address and the client asks again, as clients do.
"""

import json
import os
import subprocess
import sys
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
from game.services.races.timeouts import race_due
from tests.api.ws.conftest import People, new_web, people, web_folder
from tests.api.ws.web_process import SocketClient, WebProcess
from tests.faults.record import Tried, history_breaches
from tests.faults.truth import truth_of
from tests.fixtures.dailies import DAY, MORNING, SETTLES
from tests.fixtures.dailies import attempt as attempted
from tests.fixtures.dailies import member as ranked_member
from tests.fixtures.dungeons import first_move
from tests.fixtures.races import begun, member, now, play, play_out, see
from tests.parts import ROOT
from tests.services.boards.test_ratings import rated_race

__all__ = ["new_web", "people", "web_folder"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
NewWeb = Callable[..., WebProcess]


def unbroken() -> None:
    """Every law holds of what is stored."""
    assert list(breaches(at=now())) == []


def killed(web: WebProcess) -> None:
    """That process has ended by its own hand."""
    assert web.child.process is not None
    assert web.child.process.wait(30) == -9


def revived(web: WebProcess) -> None:
    """Another one at the same address, with nothing armed."""
    web.child.environ = {**web.child.environ, "FAILPOINT": ""}
    web.start()


def by_rest(
    web: WebProcess, account: Account, race_id: str, body: dict[str, Any]
) -> Any:
    """A move over REST; None where the process went before it answered."""
    token = token_create(
        account=account,
        name="t",
        scopes=("read", "play"),
        expires_in=timedelta(days=1),
        at=datetime.now(UTC),
    )[1]
    asked = Request(
        f"{web.origin}/api/v1/races/{race_id}/moves/",
        data=json.dumps(body).encode(),
        headers={
            "Content-Type": "application/json",
            "Authorization": f"Bearer {token}",
        },
    )
    with suppress(OSError, HTTPException), urlopen(asked, timeout=20) as answer:
        return json.loads(answer.read())
    return None


def by_socket(
    web: WebProcess, crowd: People, account: Account, race_id: str, body: dict[str, Any]
) -> Any:
    """The same over a socket."""
    with suppress(AssertionError, OSError, WebSocketException, TimeoutError):
        caller: SocketClient = crowd.joined(web, race_id, account)
        sent = {"index": body["index"], "move": body["move"]}
        answer = caller.ask("move.play", body["key"], **sent)
        assert answer["t"] == "move.accepted", answer
        return answer["d"]
    return None


STORED = {"before_lock": 0, "after_commit": 1, "before_ack": 1}


@pytest.mark.parametrize(
    ("point", "way"),
    [*((point, "socket") for point in STORED), ("before_ack", "rest")],
)
def test_a_move_is_played_once_wherever_the_web_process_dies(
    new_web: NewWeb, people: People, point: str, way: str
) -> None:
    ada, bob = member("Ada"), member("Bob")
    race_id = begun([ada, bob])
    run = see(race_id, ada)["run"]
    move = first_move(run)
    body = {"index": 0, "move": move, "key": "one-key"}

    def ask() -> Any:
        if way == "rest":
            return by_rest(web, ada, race_id, body)
        return by_socket(web, people, ada, race_id, body)

    web = new_web(FAILPOINT=point)
    assert ask() is None
    killed(web)
    assert Move.objects.filter(key="one-key").count() == STORED[point]
    unbroken()
    revived(web)
    answer = ask()
    assert answer["replayed"] is bool(STORED[point])
    again = ask()
    assert again == {**answer, "replayed": True}
    assert RaceEvent.objects.filter(race_id=race_id, kind="moved").count() == 1
    tried = Tried(race_id, ada.id, 0, move, "one-key", "ok", answer["run"])
    with connection.cursor() as cursor:
        assert not list(history_breaches([tried], truth_of(cursor)))
    unbroken()


@pytest.mark.parametrize("point", ["after_lock", "before_commit"])
def test_an_act_is_done_wholly_or_not_at_all(
    new_web: NewWeb, people: People, point: str
) -> None:
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    before = Race.objects.get(id=race_id).seq
    web = new_web(FAILPOINT=point)
    # The first to come already: who is here is noted under the race's lock, too.
    with suppress(AssertionError, OSError, WebSocketException, TimeoutError):
        people.join(web, race_id, ada).ask("race.ready")
    killed(web)
    assert not Entrant.objects.filter(is_ready=True).exists()
    assert Race.objects.get(id=race_id).seq - before <= 1
    unbroken()
    revived(web)
    assert people.join(web, race_id, ada).ask("race.ready")["t"] == "race.snapshot"
    assert Entrant.objects.filter(is_ready=True).count() == 1
    unbroken()


@pytest.mark.parametrize("point", ["settle_mid", "rating_mid"])
def test_the_last_move_stands_though_the_settling_after_it_dies(
    new_web: NewWeb, point: str
) -> None:
    ada, bob = member("Ada"), member("Bob")
    race_id = rated_race(ada, bob)
    play_out(race_id, ada)
    run = see(race_id, bob)["run"]
    while not any(one["lethal"] for one in run["legal"]):
        play(race_id, bob)
        run = see(race_id, bob)["run"]
    move = next(one["move"] for one in run["legal"] if one["lethal"])
    body = {"index": run["index"], "move": move, "key": "the-last"}
    web = new_web(FAILPOINT=point)
    # The settling goes on beside the answer, which may come before the end.
    by_rest(web, bob, race_id, body)
    killed(web)
    assert Move.objects.filter(key="the-last").count() == 1
    assert not RatingChange.objects.exists()
    assert Race.objects.get(id=race_id).settled_at is None
    unbroken()
    revived(web)
    answer = by_rest(web, bob, race_id, body)
    assert answer["replayed"]
    race_due(race_id, at=now())
    assert RatingChange.objects.filter(race_id=race_id).count() == 2
    assert Race.objects.get(id=race_id).settled_at is not None
    unbroken()


def tick(at: datetime, point: str = "") -> subprocess.CompletedProcess[str]:
    """`manage.py tick` on the tests' database, as its worker would."""
    known = connection.settings_dict
    address = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**known)
    return subprocess.run(
        [sys.executable, "manage.py", "tick", "--at", at.isoformat()],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.test",
            "DATABASE_URL": address,
            "DAILY_RULESETS": "",
            "FAILPOINT": point,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("point", ["after_lock", "before_commit"])
def test_a_worker_that_dies_in_a_start_leaves_it_to_the_next(
    transactional_db: None, people: People, point: str
) -> None:
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    people.ready(race_id, ada, bob)
    at = now() + timedelta(seconds=6)
    assert tick(at, point).returncode == -9
    assert not Run.objects.exists()
    unbroken()
    for _ in range(2):
        race_due(race_id, at=at)
    assert Run.objects.filter(race_id=race_id).count() == 2
    assert RaceEvent.objects.filter(race_id=race_id, kind="started").count() == 1


def test_a_worker_that_dies_in_a_settling_of_a_day_leaves_nothing_of_it(
    transactional_db: None, daily: Daily
) -> None:
    runs = [attempted(ranked_member(), chance=n) for n in range(3)]
    assert daily.on == DAY
    assert tick(SETTLES, "settle_mid").returncode == -9
    daily.refresh_from_db()
    assert daily.settled_at is None
    assert not DailyDigest.objects.exists()
    assert not Run.objects.exclude(counted_at=None).exists()
    assert list(breaches(at=MORNING)) == []
    assert dailies_settle(at=SETTLES) == 1
    assert dailies_settle(at=SETTLES) == 0
    assert DailyDigest.objects.filter(daily=daily).count() == 1
    assert Run.objects.exclude(counted_at=None).count() == len(runs)
    assert list(breaches(at=SETTLES)) == []


def test_a_worker_that_dies_after_drawing_days_draws_them_once(
    transactional_db: None,
) -> None:
    assert tick_of_days("daily_after_insert").returncode == -9
    drawn = dict(Daily.objects.values_list("on", "id"))
    assert len(drawn) == 31
    assert tick_of_days().returncode == 0
    assert dict(Daily.objects.values_list("on", "id")) == drawn


DAYS = """
import django; django.setup()
from datetime import UTC, datetime
from game.services.dailies.publish import dailies_publish
dailies_publish(at=datetime(2027, 3, 17, 9, tzinfo=UTC))
"""


def tick_of_days(point: str = "") -> subprocess.CompletedProcess[str]:
    """The part of the tick that draws days, in a process of its own."""
    known = connection.settings_dict
    address = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**known)
    more = {"DATABASE_URL": address, "DAILY_RULESETS": "tavern-1", "FAILPOINT": point}
    return subprocess.run(
        [sys.executable, "-c", DAYS],
        cwd=ROOT,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=False,
    )
