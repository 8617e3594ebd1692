"""Tokens for programs: made, found, revoked."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from knox.crypto import hash_token
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from game.models import SCOPES, Account, Token
from game.services.accounts.accounts import guest_refusal
from game.services.core.errors import Kind, ServiceRefusal, not_found

PREFIX = "sdl_"
MOST = 50
LONGEST_DAYS = 366
USED_EVERY = timedelta(minutes=1)
# "sdl_" and 64 hexadecimal digits; nothing else is worth a look at the database.
LENGTH = len(PREFIX) + 64


def token_create(
    *,
    account: Account,
    name: str,
    scopes: Iterable[str],
    expires_in: timedelta,
    at: datetime,
) -> tuple[Token, str]:
    """A token and its text, which is nowhere kept.

    Raises account.guest (no way to sign in again, so none to revoke), token.too_many.
    """
    if account.is_guest:
        raise guest_refusal("Sign up to make tokens.")
    digest, text = get_digest_token(PREFIX)
    with transaction.atomic():
        # The lock makes the count hold for two that ask at once.
        Account.objects.select_for_update().get(id=account.id)
        if Token.objects.filter(user=account, expiry__gt=at).count() >= MOST:
            raise ServiceRefusal(
                Kind.CONFLICT, "token.too_many", f"At most {MOST} tokens an account."
            )
        token = Token(
            digest=digest,
            token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH],
            user=account,
            name=name,
            scope=" ".join(scope for scope in SCOPES if scope in set(scopes)),
            expiry=at + expires_in,
        )
        token.save(force_insert=True)
    return token, text


def token_find(text: str, *, at: datetime) -> Token | None:
    """The live token of that text with its account, in one statement; or None.

    A token does nothing for an account that is closed or banned. The last use is noted
    at most once a minute.
    """
    if len(text) != LENGTH or not text.startswith(PREFIX) or not text.isascii():
        return None
    token = (
        Token.objects.select_related("user")
        .filter(digest=hash_token(text), expiry__gt=at, user__is_active=True)
        .first()
    )
    if token is not None and (
        token.used_at is None or token.used_at <= at - USED_EVERY
    ):
        Token.objects.filter(digest=token.digest).update(used_at=at)
        token.used_at = at
    return token


def token_revoke(*, account: Account, token_id: str) -> None:
    """End a token of one's own. Raises token.not_found."""
    if not Token.objects.filter(user=account, id=token_id).delete()[0]:
        raise not_found("token")


def tokens_revoke(account_id: str) -> int:
    """End all tokens of an account; how many."""
    return int(Token.objects.filter(user_id=account_id).delete()[0])
