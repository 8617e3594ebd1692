"""Web processes for these tests, and accounts with races and sockets."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from game.models import Account, Race
from game.services.accounts.accounts import guest_create
from game.services.races.commands import race_join, race_ready
from game.services.races.create import RaceTerms, race_make
from tests.api.ws.horizon_scanner import HorizonScanner
from tests.api.ws.web_process import SocketClient, WebProcess

HIGH_LIMITS = {
    "WS_SOCKETS_PER_ADDRESS": "1000",
    "WS_BURST": "400",
    "WS_PER_SECOND": "200",
}


@pytest.fixture(scope="session")
def web_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the web processes' logs."""
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="session")
def running_web(django_db_setup: None, web_folder: Path) -> Iterator[WebProcess]:
    """One process for all tests, with high limits."""
    web = WebProcess(web_folder, **HIGH_LIMITS).start()
    yield web
    web.stop()


@pytest.fixture
def web(transactional_db: None, running_web: WebProcess) -> WebProcess:
    """The shared process, with empty tables before and after the test."""
    return running_web


@pytest.fixture
def new_web(
    transactional_db: None, web_folder: Path
) -> Iterator[Callable[..., WebProcess]]:
    """Start web processes for one test: `new_web(NAME="value of a setting")`."""
    with ExitStack() as stack:

        def make(**environ: str) -> WebProcess:
            web = WebProcess(web_folder, **{**HIGH_LIMITS, **environ}).start()
            stack.callback(web.stop)
            return web

        yield make


def now() -> datetime:
    """The current time."""
    return datetime.now(UTC)


class People:
    """Makes accounts, races, and sockets that are closed when the test ends."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._scanners: dict[tuple[str, str], HorizonScanner] = {}

    def guest(self) -> Account:
        """Make a guest account."""
        return guest_create(at=now())

    def race(self, *accounts: Account, **asked: Any) -> str:
        """Make an open race of these accounts, the first as host; return its id."""
        asked.setdefault("seats", max(2, len(accounts)))
        made = race_make(account_id=accounts[0].id, terms=RaceTerms(**asked), at=now())
        race_id = str(made["race_id"])
        for account in accounts[1:]:
            race_join(account_id=account.id, race_id=race_id, at=now())
        return race_id

    def ready(self, race_id: str, *accounts: Account) -> None:
        """Make them all ready, which begins the countdown."""
        for account in accounts:
            race_ready(account_id=account.id, race_id=race_id, at=now())

    def start(self, race_id: str, *accounts: Account) -> None:
        """Make them all ready and start the race almost at once."""
        self.ready(race_id, *accounts)
        soon = now() + timedelta(milliseconds=100)
        found = Race.objects.filter(id=race_id)
        found.update(starts_at=soon, due_at=soon)

    def connect(
        self, web: WebProcess, race_id: str, account: Account, **more: Any
    ) -> SocketClient:
        """Open a socket on the race; a HorizonScanner checks each of its frames."""
        key = (race_id, account.id)
        scan = self._scanners.setdefault(key, HorizonScanner(race_id, account))
        path = f"races/{race_id}/"
        client = SocketClient(web, path, account=account, scan=scan, **more)
        return self._stack.enter_context(client)

    def join(
        self, web: WebProcess, race_id: str, account: Account, **more: Any
    ) -> SocketClient:
        """Open a socket and send `hello`."""
        client = self.connect(web, race_id, account, **more)
        answer = client.ask("hello")
        assert answer["t"] == "race.snapshot", answer
        return client


@pytest.fixture
def people() -> Iterator[People]:
    """Accounts, races and sockets of one test."""
    with ExitStack() as stack:
        yield People(stack)
