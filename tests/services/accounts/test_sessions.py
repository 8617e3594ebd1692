"""Session keys are stored hashed, and a stored key opens nothing."""

from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as SignedStore
from django.core import serializers
from django.test import Client
from django.utils import timezone

from api.ws.connection.identity import identity_by_cookie, valid_credentials
from game.models import Account, Session, Token
from game.models.accounts.session import SessionStore, row_key
from game.services.accounts.sessions import sign_everybody_out
from game.services.maintenance.invariants import access
from tests.fixtures.accounts import (
    PASSWORD,
    api,
    auth,
    code_mailed,
    sign_in,
    sign_up,
    token_of,
)
from tests.fixtures.runs import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def dump() -> str:
    """Every row of every table that has one, as a backup has it."""
    tables = (model for model in apps.get_models() if model._meta.managed)
    return "".join(
        serializers.serialize("json", one._default_manager.all()) for one in tables
    )


@pytest.fixture
def eves(eve: Account, client: Client) -> Client:
    """Eve's browser, which signed in as people do."""
    assert sign_in(client, username="Eve").status_code == 200
    return client


def test_no_table_has_a_session_key(eves: Client) -> None:
    rows = (Session.objects.get(), UserSession.objects.get())
    assert [row.session_key for row in rows] == [row_key(key_of(eves))] * 2
    assert key_of(eves) not in dump()
    assert row_key(key_of(eves)) in dump()


def test_no_table_has_a_mailed_code(client: Client, eve: Account) -> None:
    """Nor can it be read from the contents of a session."""
    codes = []
    sign_up(client)
    codes.append(code_mailed())
    auth(Client(), "POST", "auth/password/request", {"email": "eve@example.org"})
    codes.append(code_mailed())
    rows = list(Session.objects.values_list("session_data", flat=True))
    assert len(rows) == 2
    stored = [SessionStore().decode(row) for row in rows]
    assert all(any(code in str(one) for one in stored) for code in codes)
    for code in codes:
        assert code not in dump()
    assert [SignedStore().decode(row) for row in rows] == [{}, {}]
    changed = rows[0][:-2] + ("A" if rows[0][-2] != "A" else "B") + rows[0][-1]
    for broken in (changed, "2:", "2:%", "2:AAAA"):
        assert SessionStore().decode(broken) == {}


def test_sessions_of_older_versions_stay_readable(eves: Client) -> None:
    row = Session.objects.get()
    row.session_data = SignedStore().encode(row.get_decoded())
    row.save()
    assert api(eves, "GET", "account/").json()["name"] == "Eve"


def test_a_stored_key_is_no_cookie(eves: Client) -> None:
    """Neither for REST, a move, a socket nor the desk."""
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = str(Session.objects.get().pk)
    assert api(thief, "GET", "account/").status_code == 401
    assert api(thief, "POST", "runs/x/moves/", {}).status_code in (400, 401)
    cookies = {settings.SESSION_COOKIE_NAME: str(Session.objects.get().pk)}
    assert identity_by_cookie(cookies, at=timezone.now()) is None


def test_session_works_everywhere_until_it_is_ended(eves: Client) -> None:
    assert api(eves, "GET", "account/").json()["name"] == "Eve"
    cookies = {settings.SESSION_COOKIE_NAME: key_of(eves)}
    found = identity_by_cookie(cookies, at=timezone.now())
    assert found is not None
    assert found.credential in valid_credentials([found.credential], at=timezone.now())
    other = Client()
    sign_in(other, username="Eve")
    listed = auth(eves, "GET", "auth/sessions").json()["data"]
    assert [one["is_current"] for one in listed].count(True) == 1
    ended = [one["id"] for one in listed if not one["is_current"]]
    assert auth(eves, "DELETE", "auth/sessions", {"sessions": ended}).status_code == 200
    assert api(other, "GET", "account/").status_code == 401
    assert api(eves, "GET", "account/").status_code == 200
    new = {"current_password": PASSWORD, "new_password": "another battery horse"}
    assert auth(eves, "POST", "account/password/change", new).status_code == 200
    assert len(auth(eves, "GET", "auth/sessions").json()["data"]) == 1


def test_sign_everybody_out(eves: Client, eve: Account, ada: Account) -> None:
    guest = signed_in(ada)
    _, header = token_of(eve, "read")
    assert sign_everybody_out() == 3
    for client in (eves, guest):
        assert api(client, "GET", "account/").status_code == 401
    assert api(Client(), "GET", "account/", **header).status_code == 401
    for table in (Session, UserSession, Token):
        assert not table.objects.exists()


def test_invariants_name_a_clear_key(eve: Account) -> None:
    clear: Any = Session._meta.get_field("session_key")
    signed_in(eve)
    assert not list(access.breaches(at=timezone.now()))
    Session.objects.update(session_key=clear.from_db_value("x" * 32))
    assert [one.invariant for one in access.breaches(at=timezone.now())] == ["I14"]
