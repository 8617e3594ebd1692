"""Races over real sockets, from the first join to the result."""

import time
from datetime import UTC, datetime
from typing import Any

from game.models import Race
from game.services.accounts.blocks import block_add
from tests.api.ws.web_process import SocketClient
from tests.fixtures.dungeons import first_move


def play(client: SocketClient, run: dict[str, Any]) -> dict[str, Any]:
    """Play one move; returns the run after it."""
    answer = client.ask("move.play", index=run["index"], move=first_move(run))
    assert answer["t"] == "move.accepted", answer
    found: dict[str, Any] = answer["d"]["run"]
    return found


def play_out(client: SocketClient, run: dict[str, Any]) -> dict[str, Any]:
    while run["status"] == "playing":
        run = play(client, run)
    return run


def wait_for_start(*clients: SocketClient) -> list[dict[str, Any]]:
    """Wait for the start; returns each client's run."""
    return [client.wait_for("run.observation", 15)["d"]["run"] for client in clients]


def assert_contiguous(client: SocketClient) -> None:
    """Every event follows the event or snapshot before it."""
    at: int | None = None
    for frame in client.frames:
        if frame["t"] == "race.snapshot":
            at = frame["d"]["race"]["seq"]
        elif frame["t"] == "race.event":
            assert at is None or frame["seq"] == at + 1, (at, frame)
            at = frame["seq"]


def test_two_people_race_to_the_end_and_one_watches(web, people):
    ada, bob, eve = people.guest(), people.guest(), people.guest()
    race_id = people.race(ada)
    one = people.connect(web, race_id, ada)
    welcome = one.wait_for("welcome")["d"]
    assert welcome["you"] == {
        "id": ada.id,
        "name": ada.name,
        "is_guest": True,
        "is_bot": False,
    }
    assert one.ask("hello")["d"]["race"]["phase"] == "open"
    two = people.join(web, race_id, bob)
    watcher = people.join(web, race_id, eve)
    answer = two.ask("race.join")
    assert answer["t"] == "race.snapshot"
    assert [who["player"] for who in answer["d"]["race"]["entrants"]] == [
        ada.name,
        bob.name,
    ]
    assert one.wait_for_event("joined")["d"]["player"] == bob.name
    one.ask("race.ready")
    two.ask("race.ready")
    begun = one.wait_for_event("countdown_begun")
    starts_at = datetime.fromisoformat(begun["d"]["starts_at"]).timestamp()
    runs = wait_for_start(one, two)
    assert 0 <= time.time() - starts_at < 2
    assert runs[0]["room"] == runs[1]["room"]
    mine, other_run = play_out(one, runs[0]), play_out(two, runs[1])
    assert {mine["status"], other_run["status"]} <= {"died", "cleared"}
    closed = one.wait_for_event("closed")
    assert closed["d"]["seed"]
    settled = watcher.wait_for_event("settled")
    assert {result["place"] for result in settled["d"]["results"]} <= {1, 2}
    for client in (one, two, watcher):
        client.read_for(0.3)
        assert_contiguous(client)
        final = client.ask("resync")["d"]["race"]
        assert final["phase"] == "settled"
        assert final["seed"]
    assert watcher.frames[-1]["d"]["race"]["run"] is None


def test_during_a_race_moves_beyond_the_own_horizon_are_masked(web, people):
    ada, bob, eve = people.guest(), people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two, watcher = (people.join(web, race_id, who) for who in (ada, bob, eve))
    people.start(race_id, ada, bob)
    run, other_run = wait_for_start(one, two)
    room = 4
    for _ in range(room):
        run = play(one, run)
    # Both have seen the first room; of later moves others get depth and state only.
    for other in (two, watcher):
        moved = [other.wait_for_event("moved")["d"] for _ in range(room)]
        assert [("table" in event) for event in moved] == [True] * 2 + [False] * (
            room - 2
        )
        for event in moved[2:]:
            assert event["masked"] is True
            assert set(event) == {"kind", "player", "seat", "depth", "state", "masked"}
    one.read_for(0.3)
    own = [f["d"] for f in one.frames if f["d"].get("kind") == "moved"]
    assert [("table" in event) for event in own] == [True] * room
    # Bob has now seen the same cards, so Ada's moves are no longer masked.
    for _ in range(3):
        other_run = play(two, other_run)
    again = people.connect(web, race_id, bob)
    moved = [
        frame["d"]
        for frame in resume(again, 0)
        if frame["d"].get("player") == ada.name and frame["d"]["kind"] == "moved"
    ]
    assert [("table" in event) for event in moved] == [True] * 4


def resume(client: SocketClient, since: int) -> list[dict[str, Any]]:
    """Resume after event `since`; returns the events."""
    client.ask("hello", since=since)
    return [frame for frame in client.frames if frame["t"] == "race.event"]


def test_two_tabs_of_one_account_show_the_same_run(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    left, right = people.join(web, race_id, ada), people.join(web, race_id, ada)
    people.start(race_id, ada, bob)
    run, other = wait_for_start(left, right)
    assert run["room"] == other["room"]
    played = play(left, run)
    told = right.wait_until(
        lambda frame: (
            frame["t"] == "run.observation" and frame["d"]["run"]["index"] == 1
        )
    )
    assert told["d"]["run"]["room"] == played["room"]
    stale = right.ask("move.play", index=0, move=first_move(run))
    assert (stale["t"], stale["d"]["code"]) == ("error", "run.stale_index")
    assert stale["d"]["run"]["index"] == 1
    play(right, stale["d"]["run"])
    left.wait_for_event("moved")
    assert_contiguous(left)
    assert_contiguous(right)


def test_a_frame_sent_twice_gets_the_first_answer(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one = people.join(web, race_id, ada)
    people.start(race_id, ada, bob)
    (run,) = wait_for_start(one)
    move = {"index": 0, "move": first_move(run)}
    first = one.ask("move.play", "key-1", **move)
    play(one, first["d"]["run"])
    again = one.ask("move.play", "key-1", **move)
    assert again["t"] == "move.accepted"
    assert again["d"]["replayed"] is True
    assert first["d"]["replayed"] is False
    for name in ("index", "room", "health", "legal"):
        assert again["d"]["run"][name] == first["d"]["run"][name]
    assert again["d"]["effects"] == first["d"]["effects"]
    tab = people.join(web, race_id, ada)
    assert tab.ask("move.play", "key-1", **move)["d"]["replayed"] is True
    reused = one.ask("move.play", "key-1", index=2, move=run["legal"][0]["move"])
    assert reused["d"]["code"] == "move.key_reused"


def test_a_race_message_sent_twice_is_done_once(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada)
    two = people.join(web, race_id, bob)
    assert two.ask("race.join", "j")["t"] == "race.snapshot"
    assert two.ask("race.join", "j")["t"] == "race.snapshot"
    assert two.ask("race.join", "k")["d"]["code"] == "race.already_joined"
    assert two.ask("race.start", "s")["d"]["code"] == "race.not_host"
    assert two.ask("race.start", "s")["d"]["code"] == "race.not_host"


def test_moves_before_the_start_and_after_the_end_are_refused(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one = people.join(web, race_id, ada)
    early = one.ask("move.play", index=0, move="8D")
    assert early["d"]["code"] == "race.wrong_phase"
    people.start(race_id, ada, bob)
    (run,) = wait_for_start(one)
    play_out(one, run)
    late = one.ask("move.play", index=0, move="8D")
    assert late["d"]["code"] == "run.over"
    assert late["d"]["run"]["status"] in ("died", "cleared")


def test_all_entrants_get_the_same_rematch(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(web, race_id, ada), people.join(web, race_id, bob)
    people.start(race_id, ada, bob)
    for client, run in zip((one, two), wait_for_start(one, two), strict=True):
        play_out(client, run)
    one.wait_for_event("settled")
    first, second = one.ask("race.rematch"), two.ask("race.rematch")
    assert first["t"] == "race.rematched"
    assert first["d"]["race"] == second["d"]["race"] != race_id
    assert one.wait_for_event("rematched")["d"]["race"] == first["d"]["race"]


def test_a_forfeit_can_be_taken_back(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(web, race_id, ada), people.join(web, race_id, bob)
    people.start(race_id, ada, bob)
    wait_for_start(one, two)
    one.ask("race.forfeit")
    assert two.wait_for_event("forfeiting")["d"]["player"] == ada.name
    one.ask("race.unforfeit")
    two.wait_for_event("forfeit_taken_back")
    two.ask("race.forfeit")
    ended = one.wait_for_event("ended", 8)
    assert (ended["d"]["player"], ended["d"]["state"]) == (bob.name, "forfeited")
    own = two.wait_until(
        lambda f: f["t"] == "run.observation" and f["d"]["run"]["status"] == "forfeited"
    )
    assert own["d"]["run"]["score"] is not None


def test_the_deadline_ends_the_race(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one = people.join(web, race_id, ada)
    people.start(race_id, ada, bob)
    (run,) = wait_for_start(one)
    play(one, run)
    soon = datetime.now().astimezone()
    Race.objects.filter(id=race_id).update(deadline_at=soon, due_at=soon)
    over = one.wait_until(
        lambda f: f["t"] == "run.observation" and f["d"]["run"]["status"] == "expired"
    )
    assert over["d"]["run"]["score"] is not None
    # The own run is pushed after the events of its end.
    if "closed" not in [frame["d"].get("kind") for frame in one.frames]:
        one.wait_for_event("closed")


def test_chat_of_a_blocked_player_is_not_delivered(web, people):
    ada, bob, eve = people.guest(), people.guest(), people.guest()
    race_id = people.race(ada, bob)
    block_add(account_id=ada.id, name=bob.name, at=datetime.now(UTC))
    one, two, watcher = (people.join(web, race_id, who) for who in (ada, bob, eve))
    # The author gets an answer to the frame, blocked or not.
    said = two.ask("chat.say", text="can you hear me")
    assert (said["t"], said["d"]["text"]) == ("chat.message", "can you hear me")
    assert watcher.wait_for("chat.message", 2)["d"]["player"] == bob.name
    assert watcher.ask("chat.say", text="I can")["d"]["player"] == eve.name
    heard = one.wait_for("chat.message", 2)
    assert heard["d"]["player"] == eve.name
    lines = [frame["d"] for frame in one.frames if frame["t"] == "chat.message"]
    assert [line["player"] for line in lines] == [eve.name]


def test_entrants_chat_in_fixed_phrases_during_a_race(web, people):
    ada, bob, eve = people.guest(), people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two, watcher = (people.join(web, race_id, who) for who in (ada, bob, eve))
    one.send("chat.say", text="hello there")
    assert two.wait_for("chat.message", 2)["d"]["text"] == "hello there"
    assert watcher.wait_for("chat.message", 2)["d"]["player"] == ada.name
    people.start(race_id, ada, bob)
    wait_for_start(one, two)
    refused = one.ask("chat.say", text="the king of spades is next")
    assert refused["d"]["code"] == "chat.phrases_only"
    one.send("chat.say", text=refused["d"]["phrases"][0])
    assert two.wait_for("chat.message", 2)["d"]["phrase"] == refused["d"]["phrases"][0]
    watcher.send("chat.say", text="Ada has a king")
    assert watcher.wait_until(
        lambda f: f["t"] == "chat.message" and f["d"]["text"] == "Ada has a king"
    )
    assert not [f for f in two.read_for(1.5) if f["t"] == "chat.message"]


def test_presence_is_sent(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one = people.join(web, race_id, ada)
    two = people.join(web, race_id, bob)
    assert one.wait_until(
        lambda f: (
            f["t"] == "race.event"
            and (f["d"]["kind"], f["d"].get("player")) == ("appeared", bob.name)
        )
    )
    shown = {
        who["player"]: who["present"]
        for who in one.ask("resync")["d"]["race"]["entrants"]
    }
    assert shown == {ada.name: True, bob.name: True}
    two.close()
    assert one.wait_for_event("vanished")["d"]["player"] == bob.name


def test_host_removes_an_entrant_and_the_close_needs_a_finished_run(web, people):
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(web, race_id, ada), people.join(web, race_id, bob)
    assert two.ask("race.remove", seat=1)["d"]["code"] == "race.not_host"
    answer = one.ask("race.remove", seat=2)
    assert [who["seat"] for who in answer["d"]["race"]["entrants"]] == [1]
    assert two.wait_for_event("left")["d"]["reason"] == "removed"
    assert two.ask("race.join")["d"]["code"] == "race.removed"
    assert one.ask("race.close")["d"]["code"] == "race.wrong_phase"
