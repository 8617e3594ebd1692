"""The export contains everything of its owner and no secret."""

import json

import pytest

from game.models import Account
from game.services.accounts.accounts import account_change
from game.services.accounts.blocks import block_add
from game.services.accounts.exports import account_export
from game.services.races.chat import chat_send
from game.services.runs.moves.play import move_play
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import person, token_of
from tests.fixtures.races import create_race, now
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db


def test_export_is_complete_and_has_no_secret(eve: Account) -> None:
    bob = person("Bob")
    practice_start(account=bob, at=NOON)
    account_change(account_id=eve.id, at=NOON, name="Evelyn")
    eve.refresh_from_db()
    run = practice_start(account=eve, at=NOON, seed="a")
    move_play(account_id=eve.id, run_id=run.id, index=0, code="2D", key="a-key")
    hidden = practice_start(account=eve, at=NOON)
    _, header = token_of(eve, "read")

    found = account_export(account=eve, at=NOON)

    text = json.dumps(found)
    assert found["account"]["name"] == "Evelyn"
    assert found["emails"][0]["email"] == "eve@example.org"
    assert [row["name"] for row in found["old_names"]] == ["Eve"]
    by_id = {row["id"]: row for row in found["runs"]}
    assert set(by_id) == {run.id, hidden.id}
    assert [move["move"] for move in by_id[run.id]["moves"]] == ["2D"]
    assert by_id[hidden.id]["seed"] is None
    assert eve.password not in text
    assert header["Authorization"].split()[1] not in text
    assert "Bob" not in text
    assert bob.id not in text


def test_export_has_messages_and_blocks(eve: Account) -> None:
    bob = person("Bob")
    race_id = create_race([eve, bob])
    for who, text in ((eve, "hello"), (eve, "free words"), (bob, "Bob's own")):
        chat_send(account_id=who.id, race_id=race_id, text=text, at=now())
    block_add(account_id=eve.id, name="Bob", at=now())
    found = account_export(account=eve, at=now())
    assert [row["text"] for row in found["messages"]] == ["Hello!", "free words"]
    assert [row["player"] for row in found["blocked"]] == ["Bob"]
    assert found["left_rated_races"] == []
