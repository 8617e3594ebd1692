"""Tokens: shown once, stored hashed, revoked with their account."""

from datetime import timedelta

import pytest

from game.models import Account, Token
from game.services.accounts import tokens
from game.services.accounts.tokens import (
    token_create,
    token_find,
    token_revoke,
    tokens_revoke,
)
from game.services.core.errors import ServiceRefusal
from tests.fixtures.accounts import person
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
DAY = timedelta(days=1)


def made(account: Account, *scopes: str) -> tuple[Token, str]:
    return token_create(
        account=account, name="bot", scopes=scopes or ["read"], expires_in=DAY, at=NOON
    )


def test_only_the_hash_is_stored(eve: Account) -> None:
    token, text = made(eve, "play", "read", "play")
    assert text.startswith("sdl_")
    assert len(text) == tokens.LENGTH
    row = Token.objects.values().get()
    kept = " ".join(str(value) for value in row.values())
    assert text not in kept
    assert text[15:] not in kept
    assert token.scopes == ["read", "play"]
    assert text not in f"{token} {token!r}"


def test_live_token_is_found_in_one_query(
    eve: Account, django_assert_num_queries: object
) -> None:
    _, text = made(eve)
    first = token_find(text, at=NOON)
    assert first is not None
    assert first.used_at == NOON
    soon = NOON + timedelta(seconds=59)
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = token_find(text, at=soon)
        assert found is not None
        assert found.user.id == eve.id
    assert token_find(text, at=NOON + timedelta(minutes=1)) is not None
    assert Token.objects.get().used_at == NOON + timedelta(minutes=1)
    assert token_find(text, at=NOON + DAY) is None


@pytest.mark.parametrize(
    "text", ["", "sdl_", "x" * 68, "sdl_" + "é" * 64, "sdl_" + "0" * 64]
)
def test_malformed_token_is_refused_without_a_query(eve: Account, text: str) -> None:
    made(eve)
    assert token_find(text, at=NOON) is None


def test_closed_account_has_no_live_token(eve: Account) -> None:
    _, text = made(eve)
    Account.objects.filter(id=eve.id).update(is_active=False)
    assert token_find(text, at=NOON) is None


def test_revoked_token_is_not_found(eve: Account) -> None:
    token, text = made(eve)
    with pytest.raises(ServiceRefusal) as refused:
        token_revoke(account=person("Bob"), token_id=token.id)
    assert refused.value.code == "token.not_found"
    token_revoke(account=eve, token_id=token.id)
    assert token_find(text, at=NOON) is None
    with pytest.raises(ServiceRefusal):
        token_revoke(account=eve, token_id=token.id)


def test_all_tokens_are_revoked(eve: Account) -> None:
    texts = [made(eve)[1] for _ in range(3)]
    assert tokens_revoke(eve.id) == 3
    assert not any(token_find(text, at=NOON) for text in texts)


def test_guest_cannot_create_tokens(ada: Account) -> None:
    with pytest.raises(ServiceRefusal) as refused:
        made(ada)
    assert refused.value.code == "account.guest"


def test_number_of_tokens_is_limited(
    eve: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "MAX_TOKENS", 2)
    made(eve)
    made(eve)
    with pytest.raises(ServiceRefusal) as refused:
        made(eve)
    assert refused.value.code == "token.too_many"
