"""Connections under stress and ill will, against a real web process."""

import json
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from game.models import Account, Session, Token
from game.services.accounts.tokens import token_create
from tests.api.ws.protocol.junk_frames import KINDS, frames
from tests.api.ws.races.test_races import contiguous, play, started
from tests.api.ws.served import ANSWER_S, Caller, Web, cookie_of

pytestmark = pytest.mark.slow


def refused(web: Web, path: str, headers: dict[str, str]) -> int | None:
    """The code that a socket with these headers is closed with; None: it is welcome."""
    with Caller(web, path, headers=headers) as caller:
        frame = caller.read()
        if frame is not None and frame["t"] == "welcome":
            return None
        assert frame is None or frame["t"] == "bye"
        return caller.code if frame is None else caller.to_the_end()


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


def test_pages_need_the_cookie_and_exactly_this_origin(web, people):
    ada = people.guest()
    race_id = people.race(ada)
    path, cookie = f"races/{race_id}/", cookie_of(ada)
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


def test_bots_need_a_token_that_may_read_and_nothing_else(web, people):
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
    assert refused(web, path, {"Cookie": cookie_of(ada), "Origin": web.origin}) == 4401
    assert refused(web, path, {"Authorization": "Bearer sdl_" + "0" * 64}) == 4401
    plays = f"Bearer {token_of(ada, 'play')}"
    assert refused(web, path, {"Authorization": plays}) == 4403
    in_address = f"{path}?token={reads.removeprefix('Bearer ')}"
    assert refused(web, in_address, {}) == 4401


def test_a_token_does_what_its_scopes_say(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada)
    text = token_of(bob, "read", "race")
    headers = {"Authorization": f"Bearer {text}"}
    with Caller(web, f"bot/races/{race_id}/", headers=headers) as bot:
        assert bot.ask("race.join")["t"] == "race.snapshot"
        assert bot.ask("race.ready")["t"] == "race.snapshot"
        for kind, fields in (
            ("move.play", {"index": 0, "move": "8D"}),
            ("chat.say", {"text": "hi"}),
        ):
            answer = bot.ask(kind, **fields)
            assert answer["d"]["code"] == "token.scope_missing"


@pytest.mark.parametrize("path", ["races/nosuchrace000000/", "nowhere/", "races/../"])
def test_where_there_is_nothing_the_socket_is_closed(web, people, path):
    ada = people.guest()
    headers = {"Cookie": cookie_of(ada), "Origin": web.origin}
    assert refused(web, path, headers) == 4404


def test_sockets_of_the_signed_out_banned_and_revoked_close_within_5_s(web, people):
    ada, bob, bot = people.guest(), people.guest(), people.guest()
    race_id = people.race(ada)
    one, two = people.joined(web, race_id, ada), people.joined(web, race_id, bob)
    headers = {"Authorization": f"Bearer {token_of(bot, 'read')}"}
    with Caller(web, f"bot/races/{race_id}/", headers=headers) as three:
        three.ask("hello")
        Session.objects.filter(account=ada).delete()
        Account.objects.filter(id=bob.id).update(is_active=False)
        Token.objects.filter(user=bot).delete()
        begun = time.monotonic()
        for caller in (one, two, three):
            assert caller.to_the_end(5) == 4401
            assert caller.frames[-1]["t"] == "bye"
            assert caller.frames[-1]["d"]["reason"] == "signed_out"
        assert time.monotonic() - begun < 5


def test_an_idle_socket_lives_past_seven_seconds(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada)
    one = people.joined(web, race_id, ada)
    beats = [f for f in one.quiet(7.5) if f["t"] == "heartbeat"]
    assert 1 <= len(beats) <= 2
    two = people.joined(web, race_id, bob)
    two.ask("race.join")
    one.event("joined")
    contiguous(one)


def test_ping_is_answered_with_what_was_sent(web, people):
    ada = people.guest()
    one = people.open(web, people.race(ada), ada)
    answer = one.ask("ping", t0=123.25)
    assert answer["t"] == "pong"
    assert answer["d"]["t0"] == 123.25
    assert abs(answer["d"]["t1"] / 1000 - time.time()) < 5


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_junk_gets_an_error_and_the_socket_lives(web, people, kind):
    ada = people.guest()
    one = people.open(web, people.race(ada), ada)
    one.kind("welcome")
    one.socket.send(KINDS[kind])
    frame = one.read()
    assert frame is not None
    assert frame["t"] == "error"
    assert frame["d"]["code"].startswith("frame.")
    assert one.ask("ping", t0=1)["t"] == "pong"


def test_the_third_bad_frame_within_a_minute_closes(web, people):
    ada = people.guest()
    one = people.open(web, people.race(ada), ada)
    one.kind("welcome")
    one.socket.send("{")
    one.socket.send(b"\x00\x01")
    assert one.kind("error")["d"]["code"] == "frame.not_json"
    assert one.kind("error")["d"]["code"] == "frame.binary"
    one.socket.send("[]")
    assert one.to_the_end() == 4400
    assert [frame["t"] for frame in one.frames[-2:]] == ["error", "bye"]


def test_a_thousand_junk_frames_hurt_nobody_else(web, people):
    ada, eve = people.guest(), people.guest()
    race_id = people.race(ada)
    one = people.joined(web, race_id, ada)
    left = list(frames(1000))
    while left:
        with people.open(web, race_id, eve) as bad:
            with suppress(ConnectionClosed):
                for text in left[:50]:
                    bad.socket.send(text)
            del left[:50]
            assert bad.to_the_end() in (4400, 4429)
    assert one.ask("ping", t0=1)["t"] == "pong"
    assert one.ask("resync")["t"] == "race.snapshot"
    log = web.log.read_text()
    assert "Traceback" not in log, log[-3000:]


def test_frames_beyond_the_limit_are_refused_and_a_flood_closes(new_web, people):
    web = new_web(WS_BURST="20", WS_PER_SECOND="5")
    ada = people.guest()
    race_id = people.race(ada)
    one = people.open(web, race_id, ada)
    one.kind("welcome")
    for number in range(21):
        one.send("ping", t0=number)
    for _ in range(20):
        assert one.kind("pong")
    refusal = one.kind("error")["d"]
    assert refusal["code"] == "socket.flood"
    assert 0 < refusal["retry_after_ms"] <= 201
    time.sleep(0.5)
    assert one.ask("ping", t0=1)["t"] == "pong"
    for number in range(40):
        one.send("ping", t0=number)
    assert one.to_the_end() == 4429


def test_sockets_are_counted_by_account_and_by_address(new_web, people):
    # Without Valkey: there they are counted with those of the tests before, from this
    # very address, for as long as a process that has much to do takes to see them go.
    web = new_web(WS_SOCKETS_PER_ADDRESS="20", REDIS_URL="")
    ada = people.guest()
    race_id = people.race(ada)
    mine = [people.open(web, race_id, ada) for _ in range(8)]
    for caller in mine:
        caller.kind("welcome")
    ninth = people.open(web, race_id, ada)
    assert ninth.to_the_end() == 4429
    assert ninth.frames[-1]["d"]["reason"] == "sockets.account"
    others = [people.open(web, race_id, people.guest()) for _ in range(12)]
    for caller in others:
        caller.kind("welcome")
    one_more = people.open(web, race_id, people.guest())
    assert one_more.to_the_end() == 4429
    assert one_more.frames[-1]["d"]["reason"] == "sockets.address"
    mine[0].close()
    deadline = time.monotonic() + ANSWER_S
    while people.open(web, race_id, ada).read()["t"] != "welcome":
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_socket_that_says_nothing_is_closed(new_web, people):
    web = new_web(WS_IDLE_S="3")
    ada = people.guest()
    one = people.joined(web, people.race(ada), ada)
    assert one.to_the_end(8) == 4408
    assert one.frames[-1]["d"]["reason"] == "idle"


def test_a_client_that_does_not_read_is_cut(web, people):
    ada = people.guest()
    race_id = people.race(ada)
    headers = {"Cookie": cookie_of(ada), "Origin": web.origin}
    address = web.address(f"races/{race_id}/")
    with connect(
        address,
        additional_headers=headers | {"Origin": web.origin},
        compression=None,
        ping_interval=None,
        max_queue=1,
        close_timeout=1,
    ) as deaf:
        hello = json.dumps({"v": 1, "t": "resync", "id": "a", "d": {}})
        watcher = people.joined(web, race_id, people.guest())
        begun, cut = time.monotonic(), False
        while not cut and time.monotonic() - begun < 60:
            try:
                for _ in range(20):
                    deaf.send(hello)
            except ConnectionClosed:
                cut = True
            time.sleep(0.1)
        assert cut
        assert watcher.ask("ping", t0=1)["t"] == "pong"
        assert time.monotonic() - begun < 60


def test_the_lobby_tells_of_new_races(web, people):
    ada, bob = people.guest(), people.guest()
    headers = {"Cookie": cookie_of(ada), "Origin": web.origin}
    with Caller(web, "lobby/", headers=headers) as lobby:
        assert lobby.ask("hello")["d"]["races"] == []
        race_id = people.race(bob)
        found = lobby.kind("lobby.snapshot", 3)["d"]["races"]
        assert [race["id"] for race in found] == [race_id]
        answer = lobby.ask("race.join")
        assert answer["d"]["code"] == "frame.wrong_socket"


@pytest.mark.parametrize("phase", ["open", "countdown", "running", "settled"])
def test_a_reconnect_in_any_phase_comes_back_to_the_same_race(web, people, phase):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.joined(web, race_id, ada), people.joined(web, race_id, bob)
    if phase == "countdown":
        people.ready(race_id, ada, bob)
        one.event("countdown_begun")
    if phase in ("running", "settled"):
        people.start(race_id, ada, bob)
        run, _ = started(one, two)
        play(one, run)
    if phase == "settled":
        one.ask("race.forfeit")
        two.ask("race.forfeit")
        one.event("settled", 15)
    one.quiet(0.3)
    before = one.ask("resync")["d"]["race"]
    since = before["seq"]
    one.close()
    two.ask("chat.say", text="gg")
    time.sleep(0.2)
    again = people.open(web, race_id, ada)
    answer = again.ask("hello", since=since)
    assert answer["t"] == "heartbeat"
    assert answer["d"]["seq"] >= since
    after = again.ask("resync")["d"]["race"]
    for name in ("phase", "seal", "starts_at", "deadline_at", "host"):
        assert after[name] == before[name]
    assert (after["run"] or {}).get("room") == (before["run"] or {}).get("room")
    contiguous(again)


def test_resuming_from_the_future_brings_the_race_whole(web, people):
    ada = people.guest()
    one = people.open(web, people.race(ada), ada)
    assert one.ask("hello", since=99999)["t"] == "race.snapshot"


def test_300_events_at_once_arrive_whole_and_in_order(web, people):
    ada, bob, eve = people.guest(), people.guest(), people.guest()
    race_id = people.race(ada, bob)
    watcher = people.joined(web, race_id, eve)
    one = people.joined(web, race_id, ada)
    for number in range(150):
        one.send("race.ready" if number % 2 == 0 else "race.unready")
    one.send("race.unready", "last")
    one.until(lambda frame: frame.get("id") == "last", 60)
    head = one.ask("resync")["d"]["race"]["seq"]
    assert head > 150
    watcher.until(lambda frame: frame.get("seq") == head, 30)
    contiguous(watcher)
    late = people.open(web, race_id, bob)
    late.ask("hello", since=2)
    contiguous(late)
    assert [f["seq"] for f in late.frames if "seq" in f][:2] == [3, 4]
