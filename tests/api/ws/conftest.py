"""A web process for all tests here, and races to open sockets on."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from game.models import Account, Race
from game.services.accounts.accounts import guest_create
from game.services.races.commands import RaceAsked, race_join, race_make, race_ready
from tests.api.ws.served import Caller, Web
from tests.api.ws.watchful import Watchful

WIDE = {"WS_SOCKETS_PER_ADDRESS": "1000", "WS_BURST": "400", "WS_PER_SECOND": "200"}


@pytest.fixture(scope="session")
def web_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where web processes say what they have to say."""
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="session")
def running_web(django_db_setup: None, web_folder: Path) -> Iterator[Web]:
    """One process for all tests, with room for whatever they send."""
    web = Web(web_folder, **WIDE).start()
    yield web
    web.stop()


@pytest.fixture
def web(transactional_db: None, running_web: Web) -> Web:
    """That process, on tables that are empty before and after."""
    return running_web


@pytest.fixture
def new_web(transactional_db: None, web_folder: Path) -> Iterator[Callable[..., Web]]:
    """Web processes of a test's own."""
    with ExitStack() as stack:

        def make(**environ: str) -> Web:
            web = Web(web_folder, **{**WIDE, **environ}).start()
            stack.callback(web.stop)
            return web

        yield make


def now() -> datetime:
    """The time, as a door tells it."""
    return datetime.now(UTC)


class People:
    """Accounts, their races, and sockets that are closed when the test ends."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._scans: dict[tuple[str, str], Watchful] = {}

    def guest(self) -> Account:
        """Somebody new."""
        return guest_create(at=now())

    def race(self, *accounts: Account, **asked: Any) -> str:
        """An open race of theirs, the first being the host."""
        asked.setdefault("seats", max(2, len(accounts)))
        made = race_make(account_id=accounts[0].id, asked=RaceAsked(**asked), at=now())
        race_id = str(made["race_id"])
        for account in accounts[1:]:
            race_join(account_id=account.id, race_id=race_id, at=now())
        return race_id

    def ready(self, race_id: str, *accounts: Account) -> None:
        """All of them are ready: the countdown begins."""
        for account in accounts:
            race_ready(account_id=account.id, race_id=race_id, at=now())

    def start(self, race_id: str, *accounts: Account) -> None:
        """The same, but the start is moved to almost now, for tests that need no
        countdown.
        """
        self.ready(race_id, *accounts)
        soon = now() + timedelta(milliseconds=100)
        found = Race.objects.filter(id=race_id)
        found.update(starts_at=soon, due_at=soon)

    def open(self, web: Web, race_id: str, account: Account, **more: Any) -> Caller:
        """A socket on the race; every byte it gets is scanned."""
        known = (race_id, account.id)
        scan = self._scans.setdefault(known, Watchful(race_id, account))
        caller = Caller(web, f"races/{race_id}/", account=account, scan=scan, **more)
        return self._stack.enter_context(caller)

    def joined(self, web: Web, race_id: str, account: Account, **more: Any) -> Caller:
        """The same after hello and its answer."""
        caller = self.open(web, race_id, account, **more)
        answer = caller.ask("hello")
        assert answer["t"] == "race.snapshot", answer
        return caller


@pytest.fixture
def people() -> Iterator[People]:
    """See People."""
    with ExitStack() as stack:
        yield People(stack)
