"""Moderation acts reach open sockets within five seconds."""

import time
from datetime import timedelta

from game.models import Session
from tests.api.ws.web_process import SocketClient, session_cookie
from tests.fixtures.accounts import person, token_of
from tests.fixtures.moderation import DAY, do, staff, undo

HOUR = timedelta(hours=1)


def test_a_ban_closes_every_socket_of_the_account_within_5_s(web, people):
    mona, eve, bob = staff("Mona"), person("Eve"), people.guest()
    race_id = people.race(bob)
    one, other = people.join(web, race_id, eve), people.join(web, race_id, bob)
    _, headers = token_of(eve, "read")
    with (
        SocketClient(web, f"bot/races/{race_id}/", headers=headers) as program,
        SocketClient(web, "lobby/", account=eve) as lobby,
    ):
        program.ask("hello")
        lobby.ask("hello")
        do(mona, "ban", eve, length=DAY)
        begun = time.monotonic()
        for client in (one, program, lobby):
            assert client.wait_for_close(5) == 4403
            bye = client.frames[-1]
            assert (bye["t"], bye["d"]["reason"]) == ("bye", "account.banned")
            assert bye["d"]["retry_after_ms"] is None
        assert time.monotonic() - begun < 5
    assert other.ask("ping", t0=1)["t"] == "pong"
    # The session has ended, and a new one is refused.
    assert not Session.objects.filter(account=eve).exists()
    for path, sent in (
        (f"races/{race_id}/", {"Cookie": session_cookie(eve), "Origin": web.origin}),
        (f"bot/races/{race_id}/", headers),
    ):
        with SocketClient(web, path, headers=sent) as again:
            assert again.wait_for_close(5) == 4403


def test_a_deleted_message_is_reported_to_its_readers(web, people):
    mona, ada, bob = staff("Mona"), people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(web, race_id, ada), people.join(web, race_id, bob)
    said = one.ask("chat.say", text="phew")["d"]
    assert two.wait_for("chat.message")["d"]["number"] == said["number"]
    do(mona, "delete_text", target=f"{race_id}:{said['number']}", reason="language")
    for client in (one, two):
        assert client.wait_for_event("unsaid", 5)["d"]["number"] == said["number"]
    assert one.wait_for("standing.changed", 5)["d"] == {"rev": 1}


def test_a_mute_is_sent_and_takes_effect_at_once(web, people):
    mona, ada, bob = staff("Mona"), people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(web, race_id, ada), people.join(web, race_id, bob)
    assert one.ask("chat.say", text="phew")["t"] == "chat.message"
    act = do(mona, "mute", ada, length=HOUR, reason="language", text="Be kind.")
    answer = one.ask("chat.say", text="phew")
    assert (answer["t"], answer["d"]["code"]) == ("error", "account.muted")
    assert (answer["d"]["words"], answer["d"]["act"]) == ("Be kind.", act.id)
    assert answer["d"]["until"] is not None
    assert one.wait_for("standing.changed", 5)["d"] == {"rev": 1}
    undo(mona, act)
    assert one.wait_for("standing.changed", 5)["d"] == {"rev": 2}
    assert one.ask("chat.say", text="sorry")["t"] == "chat.message"
    assert not [each for each in two.frames if each["t"] == "standing.changed"]
