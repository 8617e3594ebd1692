"""Floods of requests: each gets 429 at its limit, or costs little.

Each row has the limit that stops the flood and a function that prepares it and returns
the request to repeat. Up to the limit no request is refused; the next ones are, and
they write nothing.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from game.models import Account, ChatMessage, RaceEvent, Report, Run, Throttle, Token
from game.services.core import rate_limits
from game.services.core.throttles import Limit
from game.services.runs.runs import practice_start, run_abandon
from tests.fixtures.accounts import PASSWORD, api, auth, person
from tests.fixtures.races import create_race, member, now
from tests.fixtures.runs import signed_in

pytestmark = pytest.mark.slow

Ask = Callable[[int], Any]
Flood = Callable[[], Ask]


@pytest.fixture
def scaled(settings: Any) -> None:
    """Set the limits of production, counted in the database, which starts empty."""
    settings.THROTTLE_SCALE, settings.REDIS_URL = 1.0, ""


def a_client() -> Client:
    return signed_in(person("Flo"))


# --- Sign-up, sign-in and tokens ----------------------------------------------------


def guesses_of_one_name() -> Ask:
    client = Client()
    person("Eve")
    wrong = {"username": "Eve", "password": "x" * 9}
    return lambda _: auth(client, "POST", "auth/login", wrong)


def guesses_of_many_names() -> Ask:
    client = Client()
    return lambda n: auth(
        client, "POST", "auth/login", {"username": f"Eve{n}", "password": "x" * 9}
    )


def sign_ups() -> Ask:
    def ask(n: int) -> Any:
        email = f"new{n}@example.org"
        body = {"username": f"New {n}x", "email": email, "password": PASSWORD}
        return auth(Client(), "POST", "auth/signup", body)

    return ask


def resets() -> Ask:
    return lambda n: auth(
        Client(), "POST", "auth/password/request", {"email": f"e{n}@example.org"}
    )


def mails_to_one() -> Ask:
    person("Eve")
    return lambda _: auth(
        Client(), "POST", "auth/password/request", {"email": "eve@example.org"}
    )


def guesses_of_codes() -> Ask:
    person("Eve")
    client = Client()
    auth(client, "POST", "auth/password/request", {"email": "eve@example.org"})
    wrong = {"key": "AAAA-AAAA", "password": PASSWORD}
    return lambda _: auth(client, "POST", "auth/password/reset", wrong)


def proofs_of_password() -> Ask:
    account = person("Flo")
    client = signed_in(account)
    Account.objects.update(last_login=now() - timedelta(days=1))
    session = client.session
    session["account_authentication_methods"] = []
    session.save()
    return lambda _: api(client, "DELETE", "account/", {"password": "x" * 9})


def guests() -> Ask:
    return lambda _: api(Client(), "POST", "session/guest/", {})


def wrong_tokens() -> Ask:
    wrong = {"Authorization": "Bearer sdl_" + "0" * 64}
    return lambda _: api(Client(), "GET", "runs/", None, **wrong)


# --- Acts of an account ---------------------------------------------------------------


def tokens() -> Ask:
    client = a_client()
    wish = {"name": "x", "scopes": ["read"]}
    return lambda _: api(client, "POST", "tokens/", wish)


def exports() -> Ask:
    client = a_client()
    return lambda _: api(client, "POST", "account/export/", {"password": PASSWORD})


def changes() -> Ask:
    client = a_client()
    body = {"preferences": {"theme": "dark"}}
    return lambda _: api(client, "PATCH", "account/", body)


def blocks() -> Ask:
    client = a_client()
    member("Dora")
    ways = ("PUT", "DELETE")
    return lambda n: api(client, ways[n % 2], "account/blocks/Dora/")


def runs() -> Ask:
    client = a_client()
    return lambda _: api(client, "POST", "runs/", {})


def races() -> Ask:
    client = a_client()
    return lambda _: api(client, "POST", "races/", {})


def race_acts() -> Ask:
    race_id, flo = create_race([member("Dora")]), person("Flo")
    client = signed_in(flo)
    ways = ("join", "leave")
    return lambda n: api(client, "POST", f"races/{race_id}/{ways[n % 2]}/", {})


def chat() -> Ask:
    """Six messages in each race, to stay under the limit of one race."""
    places = [create_race([member(f"Host{n}")]) for n in range(2)]
    client = a_client()
    say = {"text": "hello"}
    return lambda n: api(client, "POST", f"races/{places[n // 6]}/chat/", say)


def queue() -> Ask:
    client = a_client()
    forms = ("score", "speed")
    return lambda n: api(client, "PUT", "matchmaking/", {"format": forms[n % 2]})


def reports() -> Ask:
    client = a_client()
    for n in range(11):
        member(f"Target {n}x")
    return lambda n: api(
        client,
        "POST",
        "reports/",
        {"player": f"Target {n}x", "kind": "chat", "place": "profile"},
    )


def a_finished_run() -> tuple[Client, str]:
    account = person("Flo")
    run = practice_start(account=account, at=now(), seed="a")
    run_abandon(account_id=account.id, run_id=run.id, at=now())
    return signed_in(account), run.id


def reviews() -> Ask:
    client, run_id = a_finished_run()
    return lambda _: api(client, "POST", f"runs/{run_id}/review/", {})


def solvings() -> Ask:
    client, run_id = a_finished_run()
    return lambda _: api(client, "POST", f"runs/{run_id}/solve/", {"index": 0})


FLOODS: dict[str, tuple[Flood, Limit]] = {
    "guesses of one name": (guesses_of_one_name, rate_limits.SIGN_IN_BY_NAME_HERE),
    "guesses of many names": (guesses_of_many_names, rate_limits.SIGN_IN_BY_ADDRESS),
    "sign-ups": (sign_ups, rate_limits.SIGN_UP_BY_ADDRESS),
    "resets": (resets, rate_limits.RESET_BY_ADDRESS),
    "mails to one": (mails_to_one, rate_limits.MAIL_BY_EMAIL),
    "guesses of codes": (guesses_of_codes, rate_limits.CODE_BY_ADDRESS),
    "proofs of password": (proofs_of_password, rate_limits.PASSWORD_BY_ACCOUNT),
    "guests": (guests, rate_limits.GUEST_BY_ADDRESS),
    "wrong tokens": (wrong_tokens, rate_limits.BAD_TOKEN_BY_ADDRESS),
    "tokens": (tokens, rate_limits.TOKEN_BY_ACCOUNT),
    "exports": (exports, rate_limits.EXPORT_BY_ACCOUNT),
    "changes": (changes, rate_limits.ACCOUNT_WRITE_BY_ACCOUNT),
    "blocks": (blocks, rate_limits.ACCOUNT_WRITE_BY_ACCOUNT),
    "runs": (runs, rate_limits.RUN_BY_ACCOUNT),
    "races": (races, rate_limits.RACE_BY_ACCOUNT),
    "race acts": (race_acts, rate_limits.RACE_ACT_BY_ACCOUNT),
    "chat": (chat, rate_limits.CHAT_BY_ACCOUNT),
    "queue": (queue, rate_limits.MATCH_BY_ACCOUNT),
    "reports": (reports, rate_limits.REPORT_BY_ACCOUNT),
    "reviews": (reviews, rate_limits.REVIEW_BY_REQUESTER),
    "solvings": (solvings, rate_limits.SOLVE_BY_REQUESTER),
}


# What some floods would create; requests over the limit must create none.
ROWS: dict[str, Callable[[], int]] = {
    "mails to one": lambda: len(mail.outbox),
    "tokens": Token.objects.count,
    "runs": Run.objects.count,
    "chat": ChatMessage.objects.count,
    "reports": Report.objects.count,
    "race acts": RaceEvent.objects.filter(kind__in=("joined", "left")).count,
}
COUNTED = 3  # requests at the start, just below the limit, and above it


@pytest.mark.django_db
@pytest.mark.usefixtures("scaled")
@pytest.mark.parametrize("name", FLOODS)
def test_flood_is_refused_at_its_limit(name: str) -> None:
    """The counter is advanced in between: hundreds of requests would take minutes."""
    flood, limit = FLOODS[name]
    ask = flood()
    counter = Throttle.objects.filter(key__startswith=f"throttle:{limit.name}:")
    # Preparing the flood may have counted too.
    start = sum(counter.values_list("count", flat=True))
    first = min(COUNTED, limit.most - start)
    for n in range(first):
        assert_served(ask(n))
    assert counter.get().count == start + first
    last = min(COUNTED, limit.most - start - first)
    counter.update(count=limit.most - last)
    for n in range(first, first + last):
        assert_served(ask(n))
    rows = ROWS.get(name, int)
    before = rows()
    for n in range(first + last, first + last + COUNTED):
        answer = ask(n)
        assert answer.status_code == 429
        body = answer.json()
        assert body["limit"] == str(limit)
        assert 0 < body["retry_after_s"] <= limit.window_s + 1
        assert answer["Retry-After"] == str(body["retry_after_s"])
    assert rows() == before


def assert_served(answer: Any) -> None:
    assert answer.status_code != 429, answer.content
    assert answer.status_code < 500


@pytest.mark.django_db
@pytest.mark.usefixtures("scaled")
def test_flood_from_one_address_does_not_affect_others() -> None:
    ask = guesses_of_many_names()
    ask(0)
    Throttle.objects.update(count=rate_limits.SIGN_IN_BY_ADDRESS.most)
    assert ask(1).status_code == 429
    person("Ida")
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    body = {"username": "Ida", "password": PASSWORD}
    assert auth(elsewhere, "POST", "auth/login", body).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["rulesets/", "races/", "leaderboards/", "dailies/", "schema/", "time/", "x/"],
)
def test_many_reads_write_nothing(path: str) -> None:
    client = Client()
    kinds = {api(client, "GET", path).status_code for _ in range(10)}
    assert kinds <= {200, 404}
    assert not Account.objects.filter(is_guest=True).exclude(name="x").exists()
