"""Create, look up and revoke API tokens."""

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
MAX_TOKENS = 50
MAX_DAYS = 366
RECORD_USE_EVERY = timedelta(minutes=1)
# "sdl_" and 64 hexadecimal digits; anything else is refused without a query.
LENGTH = len(PREFIX) + 64


def token_create(
    *,
    account: Account,
    name: str,
    scopes: Iterable[str],
    expires_in: timedelta,
    at: datetime,
) -> tuple[Token, str]:
    """Create a token; return it and its text, which is not stored.

    Raises account.guest (a guest could not come back to revoke it), token.too_many.
    """
    if account.is_guest:
        raise guest_refusal("Sign up to make tokens.")
    digest, text = get_digest_token(PREFIX)
    with transaction.atomic():
        # The lock keeps the count exact for concurrent requests.
        Account.objects.select_for_update().get(id=account.id)
        if Token.objects.filter(user=account, expiry__gt=at).count() >= MAX_TOKENS:
            raise ServiceRefusal(
                Kind.CONFLICT,
                "token.too_many",
                f"At most {MAX_TOKENS} tokens an account.",
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
    """Return the live token with that text and its account, in one query; or None.

    A closed account has no live tokens. `used_at` is written at most once a minute.
    """
    if len(text) != LENGTH or not text.startswith(PREFIX) or not text.isascii():
        return None
    token = (
        Token.objects.select_related("user")
        .filter(digest=hash_token(text), expiry__gt=at, user__is_active=True)
        .first()
    )
    if token is not None and (
        token.used_at is None or token.used_at <= at - RECORD_USE_EVERY
    ):
        Token.objects.filter(digest=token.digest).update(used_at=at)
        token.used_at = at
    return token


def token_revoke(*, account: Account, token_id: str) -> None:
    """Revoke one of the account's tokens. Raises token.not_found."""
    if not Token.objects.filter(user=account, id=token_id).delete()[0]:
        raise not_found("token")


def tokens_revoke(account_id: str) -> int:
    """Revoke all tokens of an account; return how many."""
    return int(Token.objects.filter(user_id=account_id).delete()[0])
