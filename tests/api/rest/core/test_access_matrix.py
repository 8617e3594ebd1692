"""Every route, for three accounts and none, by every way to authenticate.

The routes come from the OpenAPI document, so a new route without a row in
`access_matrix` fails. Each request is made in a transaction that is rolled back.
"""

from datetime import timedelta
from functools import lru_cache
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from knox.models import get_digest_token

from game.models import SCOPES, Account, Token
from game.services.runs.runs import practice_start
from tests.api.rest.core.access_matrix import RULES, Statuses
from tests.fixtures.accounts import PASSWORD, api, person
from tests.fixtures.moderation import do, staff
from tests.fixtures.runs import NOON, signed_in

pytestmark = pytest.mark.django_db


# By session; a banned account may do nothing by token.
BANNED_MAY = {
    *("GET account/", "DELETE account/", "POST account/export/"),
    *("GET standing/", "POST standing/seen/", "GET appeals/", "POST appeals/"),
    "POST session/guest/",
}


@lru_cache(maxsize=1)
def routes() -> frozenset[str]:
    """Every operation of the OpenAPI document, as "GET runs/{run_id}/"."""
    found = SchemaGenerator().get_schema(request=None, public=True)
    return frozenset(
        f"{method.upper()} {path.removeprefix('/api/v1/')}"
        for path, operations in found["paths"].items()
        for method in operations
    )


def test_every_route_has_its_row() -> None:
    assert routes() == set(RULES)


@pytest.fixture
def people(ada: Account) -> dict[str, Account]:
    """The three accounts. All have the same password, for routes that ask for it."""
    ada.set_password(PASSWORD)
    ada.last_login = NOON
    ada.save()
    return {"owner": person("Olga"), "stranger": person("Stan"), "guest": ada}


@pytest.fixture
def places(people: dict[str, Account]) -> dict[str, str]:
    """Values for the parameters of the paths; everything belongs to the owner."""
    owner = people["owner"]
    return {
        "name": owner.name,
        "run_id": practice_start(account=owner, at=NOON, seed="a").id,
        "token_id": program(owner, "read")[0],
        "race_id": "0" * 16,
        "on": "2026-11-29",
        "board": "none",
        "example": "order",
    }


def program(account: Account, scope: str) -> tuple[str, dict[str, str]]:
    """A token and its header. Not by the service, which refuses guests."""
    digest, text = get_digest_token("sdl_")
    token = Token.objects.create(
        digest=digest,
        token_key=text[:15],
        user=account,
        name="matrix",
        scope=scope,
        expiry=timezone.now() + timedelta(days=1),
    )
    return token.id, {"Authorization": f"Bearer {text}"}


def ask(client: Client, route: str, places: dict[str, str], **headers: str) -> Any:
    """The answer to one request, whose changes are rolled back."""
    method, path = route.split(" ")
    body = RULES[route].body if method != "GET" else None
    with transaction.atomic():
        answer = api(client, method, path.format(**places), body, **headers)
        transaction.set_rollback(True)
    return answer


def agrees(answer: Any, wanted: Statuses) -> bool:
    """Whether the status is the expected one, or among the expected ones."""
    status = int(answer.status_code)
    return status == wanted if isinstance(wanted, int) else status in wanted


@pytest.mark.parametrize("route", sorted(RULES))
def test_cells(route: str, people: dict[str, Account], places: dict[str, str]) -> None:
    rule = RULES[route]
    if route not in routes():
        return  # `test_every_route_has_its_row` says so
    wrong = []

    def cell(who: str, way: str, answer: Any, wanted: Statuses) -> None:
        if not agrees(answer, wanted):
            wrong.append((who, way, answer.status_code, wanted, answer.content[:200]))

    cell("nobody", "none", ask(Client(), route, places), rule.nobody)
    bad = {"Authorization": "Bearer sdl_" + "0" * 64}
    cell("nobody", "bad token", ask(Client(), route, places, **bad), 401)
    for who, account in people.items():
        wanted: Statuses = getattr(rule, who)
        cell(who, "cookie", ask(signed_in(account), route, places), wanted)
        foreign = Client(enforce_csrf_checks=True)
        foreign.force_login(account)
        writes = not route.startswith("GET ")
        answer = ask(foreign, route, places)
        cell(who, "foreign page", answer, 403 if writes else wanted)
        for scope in SCOPES:
            _, header = program(account, scope)
            enough = scope == rule.scope
            answer = ask(Client(), route, places, **header)
            cell(who, f"token {scope}", answer, wanted if enough else 403)
            if not enough:
                assert answer.json()["code"] == "token.scope", (who, scope, route)
    assert not wrong


@pytest.mark.parametrize("route", sorted(RULES))
def test_closed_account_may_do_nothing(
    route: str, people: dict[str, Account], places: dict[str, str]
) -> None:
    owner = people["owner"]
    browser = signed_in(owner)
    _, header = program(owner, " ".join(SCOPES))
    Account.objects.filter(id=owner.id).update(is_active=False)
    for client, headers in ((browser, {}), (Client(), header)):
        answer = ask(client, route, places, **headers)
        if headers or not agrees(answer, RULES[route].nobody):
            # The public profile of a closed account is not found.
            assert answer.status_code in (401, 404), (route, answer.content)


@pytest.mark.parametrize("route", sorted(RULES))
def test_banned_account_may_see_its_standing_and_leave(
    route: str, people: dict[str, Account], places: dict[str, str]
) -> None:
    owner = people["owner"]
    moderator = staff("Mona")
    do(moderator, "ban", owner, length=timedelta(days=1))
    browser = signed_in(owner)
    _, header = program(owner, " ".join(SCOPES))
    for client, headers in ((browser, {}), (Client(), header)):
        answer = ask(client, route, places, **headers)
        if route in BANNED_MAY and not headers:
            assert agrees(answer, RULES[route].owner), (route, answer.content)
        else:
            assert answer.status_code == 403, (route, answer.content)
            wanted = ("account.banned", "token.scope")[: 2 if headers else 1]
            assert answer.json()["code"] in wanted
