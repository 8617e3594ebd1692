"""Every route that shows a run of an open daily records where it was shown."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from game.models import Account, Daily, DeckView, Run
from game.services.accounts.browsers import cookie_hash
from game.services.dailies import deck_views
from game.services.dailies.attempts import daily_run_start
from game.services.dailies.settle import daily_settle
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import PASSWORD, sign_in, token_of
from tests.fixtures.dailies import DAY, MORNING, SETTLES, member
from tests.fixtures.runs import post

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

Call = Callable[[Client, Run], Any]


def move(client: Client, run: Run, **body: Any) -> Any:
    """Play the first card that is legal in the run, or what is given."""
    shown = client.get(f"/api/v1/runs/{run.id}/").json()
    DeckView.objects.all().delete()
    return post(client, f"runs/{run.id}/moves/", {**first_move(shown), **body})


def first_move(shown: dict[str, Any]) -> dict[str, Any]:
    return {"index": shown["index"], "move": shown["legal"][0]["move"]}


# Each operation whose answer can contain a run of an open daily, and a request.
SHOWS_A_RUN: dict[str, Call] = {
    "daily_attempt": lambda client, _: post(client, f"dailies/{DAY}/run/"),
    "runs": lambda client, _: client.get("/api/v1/runs/"),
    "run": lambda client, run: client.get(f"/api/v1/runs/{run.id}/"),
    "run_move": move,
    "run_abandon": lambda client, run: post(client, f"runs/{run.id}/abandon/"),
    "account_export": lambda client, _: post(
        client, "account/export/", {"password": PASSWORD}
    ),
}
# Their answer can contain a run, but none of an open daily.
NEVER_A_DAILY = {
    # A practice run, the deck of a settled daily. Routes of races show runs of races.
    *("run_start", "daily_practice", "run_undo"),
}
# Answers that the document does not describe in detail.
UNDESCRIBED = {"account_export"}


def operations_with_a_run() -> set[str]:
    """The operations whose answer refers to the schema of a run, at any depth."""
    document = SchemaGenerator().get_schema(request=None, public=True)
    schemas = document["components"]["schemas"]

    def has_run(part: Any, visited: frozenset[str] = frozenset()) -> bool:
        names = set(re.findall(r"#/components/schemas/(\w+)'", str(part))) - visited
        return "Run" in names or any(
            has_run(schemas[name], visited | names) for name in names
        )

    return {
        operation["operationId"]
        for name, path in document["paths"].items()
        if not name.startswith("/api/v1/races/")
        for operation in path.values()
        if isinstance(operation, dict) and has_run(operation["responses"])
    }


def test_list_of_routes_is_complete() -> None:
    listed = set(SHOWS_A_RUN) - UNDESCRIBED | NEVER_A_DAILY
    assert operations_with_a_run() == listed


@pytest.fixture
def eve() -> Account:
    """A player who has started today's attempt, with no browser on record."""
    return member("Eve")


@pytest.fixture
def run(daily: Daily, clock: Any, eve: Account) -> Run:
    """Eve's attempt."""
    run, _ = daily_run_start(account=eve, on=DAY, ruleset="tavern-1", at=MORNING)
    return run


@pytest.fixture
def window(run: Run, eve: Account) -> Client:
    """Eve, signed in in a browser at an address of its own; nothing is recorded yet."""
    client = Client(REMOTE_ADDR="10.7.7.7", headers={"User-Agent": "Firefox"})
    assert sign_in(client, username="Eve").status_code == 200
    DeckView.objects.all().delete()
    return client


def browsers_recorded(eve: Account) -> set[str]:
    rows = DeckView.objects.filter(account=eve)
    return set(rows.values_list("browser", flat=True))


def own_browser(client: Client) -> str:
    return cookie_hash(client.cookies[settings.BROWSER_COOKIE_NAME].value)


@pytest.mark.parametrize("operation", SHOWS_A_RUN)
def test_showing_an_open_attempt_is_recorded(
    operation: str, window: Client, run: Run, eve: Account
) -> None:
    answer = SHOWS_A_RUN[operation](window, run)
    assert answer.status_code == 200, answer.content
    assert run.id in answer.content.decode()
    assert browsers_recorded(eve) == {own_browser(window)}


@pytest.mark.parametrize("path", ["runs/{run}/moves/", "runs/{run}/abandon/"])
def test_refusal_that_shows_the_run_is_recorded(
    path: str, window: Client, run: Run, eve: Account
) -> None:
    body: Any = None
    if path.endswith("moves/"):
        shown = window.get(f"/api/v1/runs/{run.id}/").json()
        body = {**first_move(shown), "index": 7}
    else:
        post(window, f"runs/{run.id}/abandon/")
    DeckView.objects.all().delete()
    answer = post(window, path.format(run=run.id), body)
    assert answer.status_code == 409
    assert run.id in answer.content.decode()
    assert browsers_recorded(eve) == {own_browser(window)}


def test_signing_in_is_recorded(run: Run, eve: Account) -> None:
    client = Client(REMOTE_ADDR="10.8.8.8", headers={"User-Agent": "Firefox"})
    sign_in(client, username="Eve")
    assert browsers_recorded(eve) == {own_browser(client)}


def test_requests_by_token_are_recorded(run: Run, eve: Account) -> None:
    _, header = token_of(eve, "read")
    client = Client(REMOTE_ADDR="10.8.8.8")
    assert client.get("/api/v1/runs/", headers=header).status_code == 200
    assert browsers_recorded(eve) == {""}


def test_continuing_by_moves_alone_where_a_guest_has_seen_the_deck(
    window: Client, run: Run, eve: Account
) -> None:
    """The guest's browser plays the attempt without ever reading it."""
    shown = window.get(f"/api/v1/runs/{run.id}/").json()
    guest = Client(REMOTE_ADDR="10.9.9.9", headers={"User-Agent": "Chrome"})
    post(guest, "session/guest/")
    post(guest, f"dailies/{DAY}/run/")
    run.refresh_from_db()
    assert run.ranked
    name = settings.BROWSER_COOKIE_NAME
    window.cookies[name] = guest.cookies[name].value
    post(window, f"runs/{run.id}/moves/", first_move(shown))
    run.refresh_from_db()
    assert (run.ranked, run.unranked) == (False, "browser_seen")


def test_number_of_recorded_browsers_is_limited(
    window: Client, run: Run, eve: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck_views, "MAX_VIEWS", 3)
    for number in range(5):
        headers = {"User-Agent": f"Invented {number}"}
        assert window.get("/api/v1/runs/", headers=headers).status_code == 200
    assert DeckView.objects.filter(account=eve).count() == 3


def test_nothing_is_recorded_for_other_runs_or_settled_days(
    window: Client, run: Run, eve: Account, clock: Any
) -> None:
    practice = practice_start(account=eve, at=MORNING)
    window.get(f"/api/v1/runs/{practice.id}/")
    assert not DeckView.objects.exists()
    clock.move_to(SETTLES)
    assert daily_settle(str(run.daily_id), at=SETTLES)
    for call in (SHOWS_A_RUN["runs"], SHOWS_A_RUN["run"]):
        assert call(window, run).status_code == 200
    assert not DeckView.objects.exists()
