"""A site to measure the wire on: servers of its own, people, and races made ready.

PostgreSQL keeps its durable settings. What a run will play is worked out beforehand,
from the deck, so that a client only sends and counts.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from game.management.children import Child
from game.management.valkey import free_port, wait_for_port
from tests.parts import ROOT
from tests.servers import servers

WIDE = {
    "WS_BURST": "100000",
    "WS_PER_SECOND": "100000",
    "WS_SOCKETS_PER_ACCOUNT": "100000",
    "WS_SOCKETS_PER_ADDRESS": "100000",
}


class Runner(NamedTuple):
    """Somebody in a race: the cookie, the race, and the moves that he will play."""

    cookie: str
    race_id: str
    moves: list[str]


class Site:
    """The web process under measurement, and whatever fills its database."""

    def __init__(self, environ: dict[str, str], folder: Path) -> None:
        self.port = free_port()
        self.log = folder / "web.log"
        self.environ = environ
        options = ["-b", "127.0.0.1", "-p", str(self.port), "-v", "0"]
        command = [sys.executable, "-m", "daphne", *options]
        command.append("scoundrel_site.asgi:application")
        self.web = Child("The web process", command, environ, output=self.log)

    @property
    def pid(self) -> int:
        """The web process's."""
        assert self.web.process is not None
        return self.web.process.pid

    def headers(self, cookie: str) -> dict[str, str]:
        """A page's, of that session."""
        return {"Cookie": cookie, "Origin": f"http://127.0.0.1:{self.port}"}


@contextmanager
def bench_site() -> Iterator[Site]:
    """The servers, a migrated database, Django set up here too, and the web process."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        found = servers(with_database=True, with_redis=True, durable=True)
        environ = dict(os.environ) | stack.enter_context(found) | WIDE
        environ |= {
            "DJANGO_SETTINGS_MODULE": "tests.api.ws.site_settings",
            "PYTHONPATH": str(ROOT),
            "VAR_DIR": str(folder),
            "LOG_LEVEL": "WARNING",
        }
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=environ, check=True)
        os.environ |= environ
        _set_up()
        site = Site(environ, folder)
        site.web.start()
        stack.callback(site.web.stop)
        wait_for_port(site.port, site.web, 30)
        time.sleep(1)
        yield site


def _set_up() -> None:
    import django

    django.setup()


def cookies(count: int) -> list[tuple[str, str]]:
    """So many new people: (account id, session cookie)."""
    from django.conf import settings
    from django.test import Client

    from game.services.accounts import guest_create

    found = []
    for _ in range(count):
        account = guest_create(at=datetime.now(UTC))
        client = Client()
        client.force_login(account, "django.contrib.auth.backends.ModelBackend")
        name = settings.SESSION_COOKIE_NAME
        found.append((account.id, f"{name}={client.cookies[name].value}"))
    return found


def races(count: int, people: list[tuple[str, str]], *, seats: int = 2) -> list[Runner]:
    """So many running races, `seats` people in each, in turn; `count * seats` runners."""
    runners = []
    for number in range(count):
        first = number * seats
        crew = [people[(first + seat) % len(people)] for seat in range(seats)]
        race_id = _started([account_id for account_id, _ in crew], seats)
        moves = _moves(race_id)
        runners += [Runner(cookie, race_id, moves) for _, cookie in crew]
    return runners


def all_present(race_ids: list[str]) -> None:
    """Wait until every entrant of those races is known to be there."""
    from game.models import Entrant

    absent = Entrant.objects.filter(race_id__in=race_ids, is_present=False)
    deadline = time.monotonic() + 60
    while absent.exists() and time.monotonic() < deadline:
        time.sleep(0.2)


def _started(accounts: list[str], seats: int) -> str:
    from game.models import Race
    from game.services.races import RaceAsked, race_join, race_make, race_start
    from game.services.races_due import race_due

    at = datetime.now(UTC)
    asked = RaceAsked(seats=seats, time_limit_s=3600, ruleset="flee-1")
    race_id = str(race_make(account_id=accounts[0], asked=asked, at=at)["race_id"])
    for account_id in accounts[1:]:
        race_join(account_id=account_id, race_id=race_id, at=at)
    race_start(account_id=accounts[0], race_id=race_id, at=at)
    Race.objects.filter(id=race_id).update(starts_at=at, due_at=at)
    race_due(race_id, at=at + timedelta(milliseconds=1))
    return race_id


def _moves(race_id: str) -> list[str]:
    """A long run on the race's dungeon: the greediest for life of a few rules."""
    from game.models import Race
    from game.rules import RULESETS, apply, start
    from game.services.dungeons import deck_open

    race = Race.objects.select_related("dungeon").get(id=race_id)
    assert race.dungeon is not None
    state: Any = start(
        RULESETS[race.ruleset], deck_open(race.dungeon.id, race.dungeon.seed_sealed)
    )
    moves = []
    while state.status == "playing":
        move = _longest(state)
        moves.append(move)
        state, _ = apply(state, move)
    return moves


def _longest(state: Any) -> str:
    from game.rules import observe

    def worth(move: dict[str, Any]) -> tuple[bool, int]:
        return not move["lethal"], move["health_after"] + (move["action"] == "avoid")

    return str(max(observe(state)["legal"], key=worth)["move"])
