"""Who is behind a handshake: the session cookie, or a bearer token; and still so later.

Synchronous, for a database thread. Says the same as the REST door's reader of each.
"""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.db import connection
from django.utils.crypto import constant_time_compare

from api.ws.connection.sockets import Identity, Standing
from game.models import Account, Session, Token
from game.models.accounts.session import SessionStore
from game.selectors.core.prepared_statements import one_row
from game.services.accounts.tokens import token_find
from game.services.core.database_time import as_lite
from game.services.core.restrictions import is_banned

# A crowd that comes to watch is as hot as moves are.
_SESSION = """
select s.session_data, a.id, a.name, a.is_guest, a.is_bot, a.is_staff, a.password,
    a.standing_rev, a.banned_until is not null and a.banned_until > %s
from game_session s join game_account a on a.id = s.account_id
where s.session_key = %s and s.expire_date > %s and a.is_active
"""


def by_cookie(cookies: dict[str, str], *, at: datetime) -> Identity | None:
    """The account that the session cookie is signed in to, in one statement."""
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    if not key:
        return None
    when = as_lite(at) if connection.vendor == "sqlite" else at
    found = one_row(_SESSION, (when, key, when))
    if found is None:
        return None
    account = Account(
        id=found[1],
        name=found[2],
        is_guest=bool(found[3]),
        is_bot=bool(found[4]),
        is_staff=bool(found[5]),
        password=found[6],
        standing_rev=found[7],
    )
    said = SessionStore().decode(found[0])
    known = account.get_session_auth_hash()
    if said.get(SESSION_KEY) != account.id or not constant_time_compare(
        said.get(HASH_SESSION_KEY, ""), known
    ):
        return None
    return _identity(
        account, ("session", key), account.password, None, barred=bool(found[8])
    )


def by_bearer(text: str, *, at: datetime) -> Identity | None:
    """The account of a live token, with the token's scopes."""
    token = token_find(text, at=at)
    if token is None:
        return None
    scopes = frozenset(token.scopes)
    barred = is_banned(token.user, at=at)
    return _identity(token.user, ("token", token.digest), "", scopes, barred=barred)


def _identity(
    account: Account,
    credential: tuple[str, str],
    stamp: str,
    scopes: frozenset[str] | None,
    *,
    barred: bool,
) -> Identity:
    return Identity(
        account.id,
        account.name,
        account.is_guest,
        account.is_bot,
        account.is_staff,
        credential,
        stamp,
        scopes,
        account.standing_rev,
        barred,
    )


def standings(account_ids: Iterable[str], *, at: datetime) -> dict[str, Standing]:
    """How these accounts stand with the moderators, in one statement."""
    rows = Account.objects.filter(id__in=list(account_ids)).values_list(
        "id", "standing_rev", "banned_until"
    )
    return {
        account_id: Standing(rev, until is not None and until > at)
        for account_id, rev, until in rows
    }


def still_good(
    credentials: Iterable[tuple[str, str]], *, at: datetime
) -> dict[tuple[str, str], str]:
    """Which of them still open a socket, each with its stamp; two statements for all.

    A session's stamp is its account's password: a new one ends all older sessions.
    """
    keys: dict[str, list[str]] = {"session": [], "token": []}
    for kind, key in credentials:
        keys[kind].append(key)
    good: dict[tuple[str, str], str] = {}
    if keys["session"]:
        found = Session.objects.filter(
            session_key__in=keys["session"],
            expire_date__gt=at,
            account__is_active=True,
        ).values_list("session_key", "account__password")
        good |= {("session", key): password or "" for key, password in found}
    if keys["token"]:
        live = Token.objects.filter(
            digest__in=keys["token"], expiry__gt=at, user__is_active=True
        ).values_list("digest", flat=True)
        good |= {("token", digest): "" for digest in live}
    return good
