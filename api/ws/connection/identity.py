"""The account behind a socket: found at the handshake, checked again while it is open.

Synchronous, for a database thread. Accepts what the REST API accepts: a session cookie
or a bearer token.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.db import connection
from django.utils.crypto import constant_time_compare

from game.models import Account, Session, Token
from game.models.accounts.session import SessionStore, row_key
from game.selectors.core.prepared_statements import one_row
from game.services.accounts.tokens import token_find
from game.services.core.database_time import as_sqlite_text
from game.services.core.restrictions import is_banned

# A prepared statement, because hundreds may open a socket in the same second.
_SESSION = """
select s.session_data, a.id, a.name, a.is_guest, a.is_bot, a.is_staff, a.password,
    a.standing_rev, a.banned_until is not null and a.banned_until > %s
from game_session s join game_account a on a.id = s.account_id
where s.session_key = %s and s.expire_date > %s and a.is_active
"""


class Identity(NamedTuple):
    """The account of a socket and the credential that proved it.

    `credential` is ("session", stored key) or ("token", digest). `stamp` changes when
    the credential becomes invalid though its row stays: a session's is the account's
    password hash, so a new password ends older sessions. `scopes` are a token's; None
    for a session, which may do everything. `standing_rev` counts the moderation acts
    about the account.
    """

    account_id: str
    name: str
    is_guest: bool
    is_bot: bool
    is_staff: bool
    credential: tuple[str, str]
    stamp: str
    scopes: frozenset[str] | None = None
    standing_rev: int = 0
    is_banned: bool = False

    @property
    def is_program(self) -> bool:
        """Whether the credential is a token."""
        return self.scopes is not None

    def has_scope(self, scope: str) -> bool:
        """Whether the credential allows what needs this scope."""
        return self.scopes is None or scope in self.scopes


class AccountStanding(NamedTuple):
    """The number of moderation acts about an account, and whether it is banned."""

    rev: int
    is_banned: bool


def identity_by_cookie(cookies: dict[str, str], *, at: datetime) -> Identity | None:
    """The account that the session cookie is signed in to, in one statement."""
    cookie = cookies.get(settings.SESSION_COOKIE_NAME)
    if not cookie:
        return None
    key = row_key(cookie)
    when = as_sqlite_text(at) if connection.vendor == "sqlite" else at
    row = one_row(_SESSION, (when, key, when))
    if row is None:
        return None
    account = Account(
        id=row[1],
        name=row[2],
        is_guest=bool(row[3]),
        is_bot=bool(row[4]),
        is_staff=bool(row[5]),
        password=row[6],
        standing_rev=row[7],
    )
    session = SessionStore().decode(row[0])
    if session.get(SESSION_KEY) != account.id or not constant_time_compare(
        session.get(HASH_SESSION_KEY, ""), account.get_session_auth_hash()
    ):
        return None
    return _identity(
        account, ("session", key), stamp=account.password, is_banned=bool(row[8])
    )


def identity_by_token(text: str, *, at: datetime) -> Identity | None:
    """The account of a valid token, with the token's scopes."""
    token = token_find(text, at=at)
    if token is None:
        return None
    return _identity(
        token.user,
        ("token", token.digest),
        scopes=frozenset(token.scopes),
        is_banned=is_banned(token.user, at=at),
    )


def _identity(
    account: Account,
    credential: tuple[str, str],
    *,
    stamp: str = "",
    scopes: frozenset[str] | None = None,
    is_banned: bool,
) -> Identity:
    return Identity(
        account_id=account.id,
        name=account.name,
        is_guest=account.is_guest,
        is_bot=account.is_bot,
        is_staff=account.is_staff,
        credential=credential,
        stamp=stamp,
        scopes=scopes,
        standing_rev=account.standing_rev,
        is_banned=is_banned,
    )


def account_standings(
    account_ids: Iterable[str], *, at: datetime
) -> dict[str, AccountStanding]:
    """The standing of each of these accounts, in one statement."""
    rows = Account.objects.filter(id__in=list(account_ids)).values_list(
        "id", "standing_rev", "banned_until"
    )
    return {
        account_id: AccountStanding(rev, until is not None and until > at)
        for account_id, rev, until in rows
    }


def valid_credentials(
    credentials: Iterable[tuple[str, str]], *, at: datetime
) -> dict[tuple[str, str], str]:
    """The valid ones of the credentials, each with its stamp, in two statements."""
    keys: dict[str, list[str]] = {"session": [], "token": []}
    for kind, key in credentials:
        keys[kind].append(key)
    valid: dict[tuple[str, str], str] = {}
    if keys["session"]:
        sessions = Session.objects.filter(
            session_key__in=keys["session"],
            expire_date__gt=at,
            account__is_active=True,
        ).values_list("session_key", "account__password")
        valid |= {("session", key): password or "" for key, password in sessions}
    if keys["token"]:
        digests = Token.objects.filter(
            digest__in=keys["token"], expiry__gt=at, user__is_active=True
        ).values_list("digest", flat=True)
        valid |= {("token", digest): "" for digest in digests}
    return valid
