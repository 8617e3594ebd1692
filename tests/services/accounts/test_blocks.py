"""Blocks stop chat and pairing between two players."""

from datetime import timedelta

import pytest

from game.models import Account, Block
from game.selectors.accounts.blocks import blocks_against, blocks_show, unpairable
from game.services.accounts import blocks
from game.services.accounts.blocks import block_add, block_remove
from game.services.accounts.deletion import account_delete_or_close
from game.services.core.errors import Kind
from game.services.races.matchmaking import match_ticket_join, match_ticket_refresh
from tests.fixtures.races import create_race, expect_refusal, member, now
from tests.services.races.test_chat import send, texts_for

pytestmark = pytest.mark.django_db


def block(who: Account, other: Account) -> Block:
    return block_add(account_id=who.id, name=other.name, at=now())


def test_block_ignores_spelling_and_repetition(ada: Account, bob: Account) -> None:
    block(ada, bob)
    block_add(account_id=ada.id, name=bob.name.upper(), at=now())
    assert [one["player"] for one in blocks_show(ada.id)] == [bob.name]
    assert blocks_show(bob.id) == []
    block_remove(account_id=ada.id, name=bob.name, at=now())
    block_remove(account_id=ada.id, name=bob.name, at=now())
    assert blocks_show(ada.id) == []


def test_each_refusal_of_a_block(
    ada: Account, bob: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    with expect_refusal("block.self"):
        block(ada, ada)
    with expect_refusal("player.not_found", Kind.NOT_FOUND):
        block_add(account_id=ada.id, name="Nobody at all", at=now())
    with expect_refusal("player.not_found", Kind.NOT_FOUND):
        block_remove(account_id=ada.id, name="Nobody at all", at=now())
    monkeypatch.setattr(blocks, "MAX_BLOCKS", 1)
    block(ada, bob)
    block(ada, bob)
    with expect_refusal("block.too_many"):
        block(ada, member("Dora"))


def test_chat_of_a_blocked_player_is_not_delivered(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = create_race([ada, bob])
    send(race_id, bob, "before")
    block(ada, bob)
    send(race_id, bob, "after")
    send(race_id, cleo, "hello")
    send(race_id, ada, "thanks")
    assert texts_for(race_id, ada) == ["Hello!", "Thanks!"]
    for one in (bob, cleo, None):
        assert texts_for(race_id, one) == ["before", "after", "Hello!", "Thanks!"]
    assert blocks_against([bob.id, cleo.id]) == {(ada.id, bob.id)}


def test_blocked_players_are_not_paired(ada: Account, bob: Account) -> None:
    block(bob, ada)
    at = now()
    for one in (ada, bob):
        match_ticket_join(account_id=one.id, ruleset="tavern-1", form="score", at=at)
    later = at + timedelta(seconds=44)
    for one in (ada, bob):
        ticket = match_ticket_refresh(account_id=one.id, at=later)
        assert ticket is not None
        assert ticket.offer == ""
    apart = unpairable([ada.id, bob.id])
    assert apart == {ada.id: frozenset({bob.id}), bob.id: frozenset({ada.id})}
    cleo = member("Cleo")
    match_ticket_join(account_id=cleo.id, ruleset="tavern-1", form="score", at=later)
    ticket = match_ticket_refresh(account_id=cleo.id, at=later)
    assert ticket is not None
    assert ticket.offer


def test_blocks_are_deleted_with_the_account(ada: Account, bob: Account) -> None:
    block(ada, bob)
    account_delete_or_close(bob.id, at=now())
    assert blocks_show(ada.id) == []
