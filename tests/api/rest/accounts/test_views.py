"""Your own account over REST: read, change, export, close."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from api.rest.core.recent_sign_in import RECENT_WITHIN
from game.models import Account, Run, Session
from game.services.core import rate_limits
from game.services.core.throttles import Limit, TokenBuckets
from game.services.runs.runs import run_abandon
from tests.fixtures.accounts import PASSWORD, api, person, sign_in, token_of

pytestmark = pytest.mark.django_db


def test_staff_see_their_role(eve_client: Client, eve: Account) -> None:
    eve.staff_role, eve.is_staff = "moderator", True
    eve.save()
    assert api(eve_client, "GET", "account/").json()["staff_role"] == "moderator"


def test_account_is_read_and_changed(eve_client: Client, eve: Account) -> None:
    assert api(eve_client, "GET", "account/").json() == {
        "id": eve.id,
        "name": "Eve",
        "email": "eve@example.org",
        "is_guest": False,
        "is_bot": False,
        "is_verified": True,
        "staff_role": "",
        "preferences": {},
        "notices": 0,
        "created_at": "2026-11-29T12:00:00.000Z",
    }
    wishes = {
        "name": "Evelyn",
        "preferences": {
            "theme": "contrast",
            "suits": "four",
            "motion": "none",
            "patterns": True,
            "sound": False,
            "big_text": True,
            "ruleset": "bound-1",
            "keys": {"armed": "q", "confirm": " "},
        },
    }
    changed = api(eve_client, "PATCH", "account/", wishes)
    assert changed.status_code == 200
    assert changed.json()["preferences"] == wishes["preferences"]
    assert changed.json()["name"] == "Evelyn"
    assert api(eve_client, "GET", "account/").json() == changed.json()


BAD = [
    ({"name": "x"}, "name.length"),
    ({"name": " Eve Two"}, "name.spaces"),
    ({"name": "Еvе Two"}, "name.mixed_scripts"),  # noqa: RUF001
    ({"name": 7}, "body.invalid"),
    ({"name": None}, "body.invalid"),
    ({"name": "x" * 65}, "body.invalid"),
    ({"is_staff": True}, "body.invalid"),
    ({"is_guest": False}, "body.invalid"),
    ({"email": "x@example.org"}, "body.invalid"),
    ({"is_bot": "yes please"}, "body.invalid"),
    ({"preferences": []}, "body.invalid"),
    ({"preferences": {"theme": "pink"}}, "body.invalid"),
    ({"preferences": {"theme": ["dark"]}}, "body.invalid"),
    ({"preferences": {"html": "<b>"}}, "body.invalid"),
    ({"preferences": {"keys": {"armed": "x" * 17}}}, "body.invalid"),
    ({"preferences": {"keys": {"jump": "j"}}}, "body.invalid"),
    ({"preferences": {"ruleset": "nothing-9"}}, "body.invalid"),
]


@pytest.mark.parametrize(("body", "code"), BAD)
def test_bad_change_is_refused(
    eve_client: Client, eve: Account, body: dict[str, Any], code: str
) -> None:
    answer = api(eve_client, "PATCH", "account/", body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    eve.refresh_from_db()
    assert (eve.name, eve.preferences, eve.is_staff) == ("Eve", {}, False)


def test_second_rename_says_when_to_retry(eve_client: Client) -> None:
    api(eve_client, "PATCH", "account/", {"name": "Evelyn"})
    answer = api(eve_client, "PATCH", "account/", {"name": "Evita"})
    assert (answer.status_code, answer.json()["code"]) == (429, "name.too_soon")
    assert answer["Retry-After"] == str(answer.json()["retry_after_s"])


def test_guest_can_change_preferences_only(ada_client: Client) -> None:
    wish = {"preferences": {"theme": "dark"}}
    assert api(ada_client, "PATCH", "account/", wish).status_code == 200
    answer = api(ada_client, "PATCH", "account/", {"name": "Adele"})
    assert (answer.status_code, answer.json()["code"]) == (403, "account.guest")


def test_declaring_a_bot_is_permanent(eve_client: Client) -> None:
    assert api(eve_client, "PATCH", "account/", {"is_bot": True}).json()["is_bot"]
    answer = api(eve_client, "PATCH", "account/", {"is_bot": False})
    assert (answer.status_code, answer.json()["code"]) == (409, "account.bot_for_good")


PROOF = [("DELETE", "account/", 204), ("POST", "account/export/", 200)]


@pytest.mark.parametrize(("method", "path", "done"), PROOF)
def test_closing_and_export_need_a_proof(
    eve_client: Client, method: str, path: str, done: int
) -> None:
    for body, code in (
        ({}, "account.reauthenticate"),
        ({"password": None}, "account.reauthenticate"),
        ({"password": "wrong"}, "account.password_wrong"),
        ({"password": ""}, "body.invalid"),
        ({"passwort": PASSWORD}, "body.invalid"),
    ):
        answer = api(eve_client, method, path, body)
        assert answer.json()["code"] == code
        assert answer.status_code in (400, 403)
    answer = api(eve_client, method, path, {"password": PASSWORD})
    assert answer.status_code == done


@pytest.mark.parametrize(("method", "path", "done"), PROOF)
def test_recent_sign_in_is_a_proof(
    eve: Account, client: Client, method: str, path: str, done: int
) -> None:
    sign_in(client, username="Eve")
    session = client.session
    long_ago = (timezone.now() - RECENT_WITHIN - timedelta(seconds=1)).timestamp()
    kept = dict(session)
    session["signed_in_at"] = long_ago
    session["account_authentication_methods"] = [{"method": "password", "at": long_ago}]
    session.save()
    assert api(client, method, path, {}).status_code == 403
    session.update(kept)
    session.save()
    assert api(client, method, path, {}).status_code == done


def test_guessing_the_password_is_limited(
    eve_client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.THROTTLE_SCALE, settings.REDIS_URL = 1.0, ""
    monkeypatch.setattr(
        "api.rest.core.recent_sign_in.PASSWORD_BY_ACCOUNT", Limit("password", 2, 60)
    )
    tried = [
        api(eve_client, "DELETE", "account/", {"password": "x"}).status_code
        for _ in range(3)
    ]
    assert tried == [403, 403, 429]


def test_export_is_a_file(eve_client: Client, eve: Account) -> None:
    answer = api(eve_client, "POST", "account/export/", {"password": PASSWORD})
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["Cache-Control"] == "no-store"
    assert answer.json()["account"]["id"] == eve.id


def test_closed_account_is_signed_out_and_nameless(
    eve_client: Client, eve: Account, run: Run
) -> None:
    Run.objects.filter(id=run.id).update(account=eve)
    run_abandon(account_id=eve.id, run_id=run.id, at=timezone.now())
    _, header = token_of(eve, "read")
    assert (
        api(eve_client, "DELETE", "account/", {"password": PASSWORD}).status_code == 204
    )
    assert api(eve_client, "GET", "account/").status_code == 401
    assert api(Client(), "GET", "account/", **header).status_code == 401
    assert sign_in(Client(), username="Eve").status_code == 400
    assert not Session.objects.filter(account=eve).exists()
    assert api(Client(), "GET", "players/Eve/").status_code == 404
    gone = Account.objects.get(id=eve.id)
    assert api(Client(), "GET", f"players/{gone.name}/").status_code == 404
    replay = api(Client(), "GET", f"runs/{run.id}/replay/")
    assert replay.json()["player"] == gone.name
    person("Eve", email="again@example.org")


def test_guest_is_deleted_without_proof(ada_client: Client, ada: Account) -> None:
    assert api(ada_client, "DELETE", "account/", {}).status_code == 204
    assert not Account.objects.filter(id=ada.id).exists()


def test_new_guests_are_limited_by_address(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.THROTTLE_SCALE, settings.REDIS_URL = 1.0, ""
    monkeypatch.setattr(
        "api.rest.accounts.views.GUEST_BY_ADDRESS", Limit("guest", 2, 3600)
    )
    made = [api(Client(), "POST", "session/guest/", {}) for _ in range(3)]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    problem = made[2].json()
    assert (problem["code"], problem["limit"]) == ("throttled", "guest: 2 in 3600 s")
    assert made[2]["Retry-After"] == str(problem["retry_after_s"])
    assert Account.objects.count() == 2
    elsewhere = Client(REMOTE_ADDR="198.51.100.7")
    assert api(elsewhere, "POST", "session/guest/", {}).status_code == 201


def test_moves_are_limited_by_a_token_bucket(
    ada_client: Client, run: Run, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "moves", TokenBuckets("move.account"))
    settings.MOVES_A_SECOND, settings.MOVES_AT_ONCE = 0.5, 1.0
    move = {"index": 0, "move": "2D"}
    path = f"runs/{run.id}/moves/"
    assert api(ada_client, "POST", path, move).status_code == 200
    stopped = api(ada_client, "POST", path, {"index": 1, "move": "TH"})
    assert stopped.status_code == 429
    assert stopped.json()["limit"] == "move.account: 0.5 a second"
    assert stopped["Retry-After"] == "2"
