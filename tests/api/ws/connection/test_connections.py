"""Handshakes, limits, bad frames and reconnects, against a real web process."""

import json
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from game.models import Account, Session, Token
from game.services.accounts.tokens import token_create
from tests.api.ws.protocol.bad_frames import BAD_FRAMES, bad_frames
from tests.api.ws.races.test_races import assert_contiguous, play, wait_for_start
from tests.api.ws.web_process import (
    ANSWER_TIMEOUT_S,
    SocketClient,
    WebProcess,
    session_cookie,
)

pytestmark = pytest.mark.slow


def refused(web: WebProcess, path: str, headers: dict[str, str]) -> int | None:
    """The code that a socket with these headers is closed with; None: it is open."""
    with SocketClient(web, path, headers=headers) as client:
        frame = client.read()
        if frame is not None and frame["t"] == "welcome":
            return None
        assert frame is None or frame["t"] == "bye"
        return client.code if frame is None else client.wait_for_close()


def token_of(account: Account, *scopes: str) -> str:
    Account.objects.filter(id=account.id).update(is_guest=False)
    account.refresh_from_db()
    return token_create(
        account=account,
        name="bot",
        scopes=scopes,
        expires_in=timedelta(days=1),
        at=datetime.now(UTC),
    )[1]


def test_a_browser_needs_the_cookie_and_this_origin(web, people):
    ada = people.guest()
    race_id = people.race(ada)
    path, cookie = f"races/{race_id}/", session_cookie(ada)
    assert refused(web, path, {"Cookie": cookie, "Origin": web.origin}) is None
    assert refused(web, "lobby/", {"Cookie": cookie, "Origin": web.origin}) is None
    assert (
        refused(web, path, {"Cookie": cookie, "Origin": "http://evil.example"}) == 4403
    )
    assert refused(web, path, {"Cookie": cookie}) == 4403
    assert refused(web, path, {"Origin": web.origin}) == 4401
    stale = {"Cookie": "sessionid=" + "x" * 32, "Origin": web.origin}
    assert refused(web, path, stale) == 4401
    token = {"Authorization": f"Bearer {token_of(ada, 'read')}", "Origin": web.origin}
    assert refused(web, path, token) == 4401


def test_a_bot_needs_only_a_token_with_scope_read(web, people):
    ada = people.guest()
    race_id = people.race(ada)
    path = f"bot/races/{race_id}/"
    reads = f"Bearer {token_of(ada, 'read')}"
    assert refused(web, path, {"Authorization": reads}) is None
    assert refused(web, "bot/lobby/", {"Authorization": reads}) is None
    assert (
        refused(web, path, {"Authorization": reads, "Origin": "http://x.example"})
        is None
    )
    assert (
        refused(web, path, {"Cookie": session_cookie(ada), "Origin": web.origin})
        == 4401
    )
    assert refused(web, path, {"Authorization": "Bearer sdl_" + "0" * 64}) == 4401
    plays = f"Bearer {token_of(ada, 'play')}"
    assert refused(web, path, {"Authorization": plays}) == 4403
    in_address = f"{path}?token={reads.removeprefix('Bearer ')}"
    assert refused(web, in_address, {}) == 4401


def test_messages_need_the_scopes_of_the_token(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada)
    text = token_of(bob, "read", "race")
    headers = {"Authorization": f"Bearer {text}"}
    with SocketClient(web, f"bot/races/{race_id}/", headers=headers) as bot:
        assert bot.ask("race.join")["t"] == "race.snapshot"
        assert bot.ask("race.ready")["t"] == "race.snapshot"
        for kind, fields in (
            ("move.play", {"index": 0, "move": "8D"}),
            ("chat.say", {"text": "hi"}),
        ):
            answer = bot.ask(kind, **fields)
            assert answer["d"]["code"] == "token.scope_missing"


@pytest.mark.parametrize("path", ["races/nosuchrace000000/", "nowhere/", "races/../"])
def test_unknown_paths_and_races_close_with_4404(web, people, path):
    ada = people.guest()
    headers = {"Cookie": session_cookie(ada), "Origin": web.origin}
    assert refused(web, path, headers) == 4404


def test_sockets_close_within_5_s_of_sign_out_ban_and_revocation(web, people):
    ada, bob, bot = people.guest(), people.guest(), people.guest()
    race_id = people.race(ada)
    one, two = people.join(web, race_id, ada), people.join(web, race_id, bob)
    headers = {"Authorization": f"Bearer {token_of(bot, 'read')}"}
    with SocketClient(web, f"bot/races/{race_id}/", headers=headers) as three:
        three.ask("hello")
        Session.objects.filter(account=ada).delete()
        Account.objects.filter(id=bob.id).update(is_active=False)
        Token.objects.filter(user=bot).delete()
        begun = time.monotonic()
        for client in (one, two, three):
            assert client.wait_for_close(5) == 4401
            assert client.frames[-1]["t"] == "bye"
            assert client.frames[-1]["d"]["reason"] == "signed_out"
        assert time.monotonic() - begun < 5


def test_idle_socket_stays_open_for_seven_seconds(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada)
    one = people.join(web, race_id, ada)
    beats = [f for f in one.read_for(7.5) if f["t"] == "heartbeat"]
    assert 1 <= len(beats) <= 2
    two = people.join(web, race_id, bob)
    two.ask("race.join")
    one.wait_for_event("joined")
    assert_contiguous(one)


def test_pong_repeats_t0(web, people):
    ada = people.guest()
    one = people.connect(web, people.race(ada), ada)
    answer = one.ask("ping", t0=123.25)
    assert answer["t"] == "pong"
    assert answer["d"]["t0"] == 123.25
    assert abs(answer["d"]["t1"] / 1000 - time.time()) < 5


@pytest.mark.parametrize("kind", BAD_FRAMES)
def test_a_bad_frame_gets_an_error_and_the_socket_stays_open(web, people, kind):
    ada = people.guest()
    one = people.connect(web, people.race(ada), ada)
    one.wait_for("welcome")
    one.socket.send(BAD_FRAMES[kind])
    assert one.wait_for("error")["d"]["code"].startswith("frame.")
    assert one.ask("ping", t0=1)["t"] == "pong"


def test_the_third_bad_frame_within_a_minute_closes_the_socket(web, people):
    ada = people.guest()
    one = people.connect(web, people.race(ada), ada)
    one.wait_for("welcome")
    one.socket.send("{")
    one.socket.send(b"\x00\x01")
    assert one.wait_for("error")["d"]["code"] == "frame.not_json"
    assert one.wait_for("error")["d"]["code"] == "frame.binary"
    one.socket.send("[]")
    assert one.wait_for_close() == 4400
    assert [frame["t"] for frame in one.frames[-2:]] == ["error", "bye"]


def test_a_thousand_bad_frames_do_not_disturb_other_sockets(web, people):
    ada, eve = people.guest(), people.guest()
    race_id = people.race(ada)
    one = people.join(web, race_id, ada)
    left = list(bad_frames(1000))
    while left:
        with people.connect(web, race_id, eve) as bad:
            with suppress(ConnectionClosed):
                for text in left[:50]:
                    bad.socket.send(text)
            del left[:50]
            assert bad.wait_for_close() in (4400, 4429)
    assert one.ask("ping", t0=1)["t"] == "pong"
    assert one.ask("resync")["t"] == "race.snapshot"
    log = web.log.read_text()
    assert "Traceback" not in log, log[-3000:]


def test_messages_above_the_rate_are_refused_and_a_flood_closes(new_web, people):
    web = new_web(WS_BURST="20", WS_PER_SECOND="5")
    ada = people.guest()
    race_id = people.race(ada)
    one = people.connect(web, race_id, ada)
    one.wait_for("welcome")
    for number in range(21):
        one.send("ping", t0=number)
    for _ in range(20):
        assert one.wait_for("pong")
    refusal = one.wait_for("error")["d"]
    assert refusal["code"] == "socket.flood"
    assert 0 < refusal["retry_after_ms"] <= 201
    time.sleep(0.5)
    assert one.ask("ping", t0=1)["t"] == "pong"
    for number in range(40):
        one.send("ping", t0=number)
    assert one.wait_for_close() == 4429


def test_sockets_are_limited_by_account_and_by_address(new_web, people):
    # Without Valkey, which would also count the sockets of earlier tests from this
    # address for some seconds.
    web = new_web(WS_SOCKETS_PER_ADDRESS="20", REDIS_URL="")
    ada = people.guest()
    race_id = people.race(ada)
    mine = [people.connect(web, race_id, ada) for _ in range(8)]
    for client in mine:
        client.wait_for("welcome")
    ninth = people.connect(web, race_id, ada)
    assert ninth.wait_for_close() == 4429
    assert ninth.frames[-1]["d"]["reason"] == "sockets.account"
    others = [people.connect(web, race_id, people.guest()) for _ in range(12)]
    for client in others:
        client.wait_for("welcome")
    one_more = people.connect(web, race_id, people.guest())
    assert one_more.wait_for_close() == 4429
    assert one_more.frames[-1]["d"]["reason"] == "sockets.address"
    mine[0].close()
    deadline = time.monotonic() + ANSWER_TIMEOUT_S
    while people.connect(web, race_id, ada).read()["t"] != "welcome":
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_an_idle_client_is_closed(new_web, people):
    web = new_web(WS_IDLE_S="3")
    ada = people.guest()
    one = people.join(web, people.race(ada), ada)
    assert one.wait_for_close(8) == 4408
    assert one.frames[-1]["d"]["reason"] == "idle"


def test_a_client_that_does_not_read_is_closed(web, people):
    ada = people.guest()
    race_id = people.race(ada)
    headers = {"Cookie": session_cookie(ada), "Origin": web.origin}
    address = web.socket_url(f"races/{race_id}/")
    with connect(
        address,
        additional_headers=headers | {"Origin": web.origin},
        compression=None,
        ping_interval=None,
        max_queue=1,
        close_timeout=1,
    ) as silent:
        hello = json.dumps({"v": 1, "t": "resync", "id": "a", "d": {}})
        watcher = people.join(web, race_id, people.guest())
        begun, is_closed = time.monotonic(), False
        while not is_closed and time.monotonic() - begun < 60:
            try:
                for _ in range(20):
                    silent.send(hello)
            except ConnectionClosed:
                is_closed = True
            time.sleep(0.1)
        assert is_closed
        assert watcher.ask("ping", t0=1)["t"] == "pong"
        assert time.monotonic() - begun < 60


def test_the_lobby_is_sent_new_races(web, people):
    ada, bob = people.guest(), people.guest()
    headers = {"Cookie": session_cookie(ada), "Origin": web.origin}
    with SocketClient(web, "lobby/", headers=headers) as lobby:
        assert lobby.ask("hello")["d"]["races"] == []
        race_id = people.race(bob)
        found = lobby.wait_for("lobby.snapshot", 3)["d"]["races"]
        assert [race["id"] for race in found] == [race_id]
        answer = lobby.ask("race.join")
        assert answer["d"]["code"] == "frame.wrong_socket"


@pytest.mark.parametrize("phase", ["open", "countdown", "running", "settled"])
def test_a_reconnect_in_any_phase_resumes_the_race(web, people, phase):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(web, race_id, ada), people.join(web, race_id, bob)
    if phase == "countdown":
        people.ready(race_id, ada, bob)
        one.wait_for_event("countdown_begun")
    if phase in ("running", "settled"):
        people.start(race_id, ada, bob)
        run, _ = wait_for_start(one, two)
        play(one, run)
    if phase == "settled":
        one.ask("race.forfeit")
        two.ask("race.forfeit")
        one.wait_for_event("settled", 15)
    one.read_for(0.3)
    before = one.ask("resync")["d"]["race"]
    since = before["seq"]
    one.close()
    two.ask("chat.say", text="gg")
    time.sleep(0.2)
    again = people.connect(web, race_id, ada)
    answer = again.ask("hello", since=since)
    assert answer["t"] == "heartbeat"
    assert answer["d"]["seq"] >= since
    after = again.ask("resync")["d"]["race"]
    for name in ("phase", "seal", "starts_at", "deadline_at", "host"):
        assert after[name] == before[name]
    assert (after["run"] or {}).get("room") == (before["run"] or {}).get("room")
    assert_contiguous(again)


def test_resuming_after_an_unknown_event_sends_a_snapshot(web, people):
    ada = people.guest()
    one = people.connect(web, people.race(ada), ada)
    assert one.ask("hello", since=99999)["t"] == "race.snapshot"


def test_300_events_at_once_arrive_in_order(web, people):
    ada, bob, eve = people.guest(), people.guest(), people.guest()
    race_id = people.race(ada, bob)
    watcher = people.join(web, race_id, eve)
    one = people.join(web, race_id, ada)
    for number in range(150):
        one.send("race.ready" if number % 2 == 0 else "race.unready")
    one.send("race.unready", "last")
    one.wait_until(lambda frame: frame.get("id") == "last", 60)
    head = one.ask("resync")["d"]["race"]["seq"]
    assert head > 150
    watcher.wait_until(lambda frame: frame.get("seq") == head, 30)
    assert_contiguous(watcher)
    late = people.connect(web, race_id, bob)
    late.ask("hello", since=2)
    assert_contiguous(late)
    assert [f["seq"] for f in late.frames if "seq" in f][:2] == [3, 4]
