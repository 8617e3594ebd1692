"""The hub with a fake race: order of frames, shared frames, resuming, timers."""

import asyncio
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from api.ws.connection import database
from api.ws.connection.sockets import Socket
from api.ws.races import presence
from api.ws.races.hub import Hub
from api.ws.races.watched_race import KEPT_EVENTS, WatchedRace
from game.rules import Refusal
from tests.api.ws.races.fake_backend import (
    MAX_EVENTS,
    SEATS,
    FakeBackend,
    FakeWriter,
    make_socket,
)

Member = tuple[WatchedRace, Socket, FakeWriter]


@pytest.fixture(autouse=True)
def _no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run database work in the event loop instead of a thread."""

    async def run(work: Any) -> Any:
        await asyncio.sleep(0)
        return work()

    for name in ("read", "write", "write_minor"):
        monkeypatch.setattr(database, name, run)


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend()


@pytest.fixture
def hub(backend: FakeBackend) -> Hub:
    return Hub(backend)


async def enter(hub: Hub, account: str = "ada") -> Member:
    socket, writer = make_socket(account)
    return await hub.enter("r1", socket), socket, writer


async def join(hub: Hub, account: str = "ada") -> Member:
    race, socket, writer = await enter(hub, account)
    await hub.join(race, socket, "h")
    return race, socket, writer


async def settle() -> None:
    """Run all tasks that wait for at most a few milliseconds."""
    for _ in range(10):
        await asyncio.sleep(0)
    await asyncio.sleep(0.008)
    for _ in range(20):
        await asyncio.sleep(0)


async def test_an_unknown_race_is_refused(hub):
    socket, _ = make_socket()
    with pytest.raises(Refusal):
        await hub.enter("r2", socket)
    assert hub.races == {}


async def test_hello_is_answered_by_a_snapshot_and_then_events(hub, backend):
    backend.add_event()
    _, socket, writer = await join(hub)
    assert [(one["t"], one.get("id")) for one in writer.frames] == [
        ("race.snapshot", "h")
    ]
    assert writer.frames[0]["d"]["race"]["seq"] == 1
    hub.race_changed("r1", backend.add_event())
    await settle()
    assert writer.seqs() == [2]
    assert socket.sent_seq == 2


async def test_nothing_is_sent_before_hello(hub, backend):
    _, _, writer = await enter(hub)
    hub.race_changed("r1", backend.add_event())
    await settle()
    await hub.sweep()
    assert writer.written == []


async def test_an_event_is_read_once_and_encoded_once_for_equal_views(hub, backend):
    spectators = [(await join(hub, f"s{number}"))[2] for number in range(20)]
    ada, bob = (await join(hub, "ada"))[2], (await join(hub, "bob"))[2]
    backend.calls.clear()
    hub.race_changed("r1", backend.add_event(seat=1))
    await settle()
    assert backend.calls.count("update") == 1
    full = [one for one in bob.frames if one["t"] == "race.event"]
    masked = [one for one in ada.frames if one["t"] == "race.event"]
    assert "index" in full[0]["d"]
    assert "index" not in masked[0]["d"]
    assert masked[0]["d"]["depth"] == 1
    assert {id(one.written[-1]) for one in spectators} == {id(ada.written[-1])}


async def test_spectators_share_a_snapshot(hub, backend):
    sockets = [await enter(hub, f"s{number}") for number in range(9)]
    backend.calls.clear()
    await asyncio.gather(
        *(hub.join(w, s, f"h{n}") for n, (w, s, _) in enumerate(sockets))
    )
    assert backend.calls.count("snapshot") == 1
    for number, (_, _, writer) in enumerate(sockets):
        assert writer.frames[0]["id"] == f"h{number}"
        assert writer.frames[0]["d"]["race"]["for"] is None
    backend.add_event()
    await hub.sweep()
    await settle()
    race, socket, writer = await enter(hub, "late")
    await hub.join(race, socket)
    assert writer.frames[0]["d"]["race"]["seq"] == 1


async def test_an_entrant_gets_their_own_snapshot(hub, backend):
    await join(hub, "spectator")
    _, _, writer = await join(hub, "ada")
    assert writer.frames[0]["d"]["race"]["for"] == "ada"


async def test_the_sweep_delivers_events_without_notifications(hub, backend):
    _, _, writer = await join(hub)
    for _ in range(3):
        backend.add_event()
    await hub.sweep()
    await settle()
    assert writer.seqs() == [1, 2, 3]


async def test_300_events_at_once_arrive_in_order(hub, backend):
    _, _, writer = await join(hub)
    for _ in range(300):
        hub.race_changed("r1", backend.add_event())
    for _ in range(20):
        await settle()
    assert writer.seqs() == list(range(1, 301))


async def test_the_sweep_delivers_after_a_failed_read(hub, backend):
    _, _, writer = await join(hub)
    await settle()
    backend.failures = 1
    hub.race_changed("r1", backend.add_event())
    await settle()
    assert writer.seqs() == []
    await hub.sweep()
    await settle()
    assert writer.seqs() == [1]


async def test_resume_sends_the_missing_events_and_a_heartbeat(hub, backend):
    await join(hub, "bob")
    for _ in range(5):
        hub.race_changed("r1", backend.add_event())
    await settle()
    race, socket, writer = await enter(hub)
    await hub.resume(race, socket, 2, "h")
    assert writer.seqs() == [3, 4, 5]
    last = writer.frames[-1]
    assert (last["t"], last["id"], last["d"]) == ("heartbeat", "h", {"seq": 5})


async def test_resume_reads_events_that_are_not_kept(hub, backend):
    for _ in range(8):
        backend.add_event()
    race, socket, writer = await enter(hub)
    await hub.resume(race, socket, 3, "h")
    assert "missed_events" in backend.calls
    assert writer.seqs() == [4, 5, 6, 7, 8]


@pytest.mark.parametrize("since", [0, 999], ids=["too many", "unknown number"])
async def test_resume_sends_a_snapshot_if_it_cannot_send_the_events(
    hub, backend, since
):
    for _ in range(MAX_EVENTS + 1):
        backend.add_event()
    race, socket, writer = await enter(hub)
    await hub.resume(race, socket, since, "h")
    assert writer.kinds() == ["race.snapshot"]
    assert writer.frames[0]["id"] == "h"


async def test_events_during_a_snapshot_are_sent_after_it(hub, backend, monkeypatch):
    race, socket, writer = await join(hub)
    original = backend.snapshot

    def snapshot_with_new_event(race_id: str, account_id: str | None) -> dict[str, Any]:
        found: dict[str, Any] = original(race_id, account_id)
        hub.race_changed("r1", backend.add_event())  # before the snapshot is sent
        return found

    monkeypatch.setattr(backend, "snapshot", snapshot_with_new_event)
    await hub.join(race, socket, "again")
    await settle()
    tail = [(one["t"], one.get("seq")) for one in writer.frames[1:]]
    assert tail == [("race.snapshot", None), ("race.event", 1)]


async def test_at_the_start_each_entrant_is_sent_their_run(hub, backend):
    backend.due_at = datetime.now(UTC) + timedelta(seconds=0.1)
    _, _, ada = await join(hub, "ada")
    _, _, eve = await join(hub, "eve")
    await asyncio.sleep(0.05)
    await settle()
    assert "run.observation" not in ada.kinds()
    await asyncio.sleep(0.1)
    await settle()
    assert backend.calls.count("apply_due") == 1
    assert ada.kinds()[1:] == ["race.event", "run.observation"]
    assert ada.frames[-1]["d"] == {"run": {"of": "ada"}}
    assert eve.kinds()[1:] == ["race.event"]


async def test_an_overdue_race_is_settled_after_a_delay(hub, backend):
    backend.due_at = datetime.now(UTC) - timedelta(seconds=10)
    await join(hub)
    await settle()
    assert backend.calls.count("apply_due") == 0
    await asyncio.sleep(0.3)
    assert backend.calls.count("apply_due") == 1


async def test_a_move_in_one_tab_is_pushed_to_the_other_tab(hub, backend):
    _, first, one = await join(hub)
    _, _, two = await join(hub)
    seq = backend.add_event(seat=0)
    first.answered_seq = seq
    hub.race_changed("r1", seq)
    await settle()
    assert one.kinds()[1:] == ["race.event"]
    assert two.kinds()[1:] == ["race.event", "run.observation"]


async def test_a_client_that_does_not_read_is_closed(hub, backend):
    _, socket, writer = await join(hub)
    writer.unsent = 1001
    hub.race_changed("r1", backend.add_event())
    await settle()
    assert (writer.code, socket.is_closed) == (4008, True)
    assert writer.seqs() == []


async def test_each_second_a_fifth_of_the_sockets_gets_a_heartbeat(hub, backend):
    writers = [(await join(hub, f"s{number}"))[2] for number in range(10)]
    backend.add_event()
    await hub.sweep()
    await settle()
    for second in range(5):
        before = [len(writer.written) for writer in writers]
        await hub.send_heartbeats(second)
        sent = [len(w.written) - b for w, b in zip(writers, before, strict=True)]
        assert sum(sent) == 2
    assert all(writer.frames[-1]["d"] == {"seq": 1} for writer in writers)


async def test_a_race_is_removed_with_its_last_socket(hub, backend):
    backend.due_at = datetime.now(UTC) + timedelta(seconds=60)
    race, socket, _ = await join(hub)
    _, other, _ = await join(hub, "bob")
    hub.leave(race, socket)
    assert "r1" in hub.races
    assert race.due_timer.is_running
    hub.leave(race, other)
    assert hub.races == {}
    assert not race.due_timer.is_running


async def test_sockets_that_enter_at_once_share_one_race(hub, backend):
    sockets = [make_socket(f"s{number}")[0] for number in range(5)]
    races = await asyncio.gather(*(hub.enter("r1", one) for one in sockets))
    assert len({id(race) for race in races}) == 1
    assert backend.calls.count("update") == 1


async def test_a_socket_too_far_behind_gets_a_snapshot(hub, backend):
    _, _, writer = await join(hub)
    race, behind, late = await join(hub, "bob")
    behind.pending_reads += 1  # as if the database were slow for this socket
    for _ in range(KEPT_EVENTS + 10):
        hub.race_changed("r1", backend.add_event())
    for _ in range(40):
        await settle()
    assert writer.seqs() == list(range(1, KEPT_EVENTS + 11))
    behind.pending_reads -= 1
    assert not race.has_events_after(behind.sent_seq)
    await hub.sweep()
    await settle()
    assert late.kinds()[1:] == ["race.snapshot"]
    assert behind.sent_seq == KEPT_EVENTS + 10


@pytest.mark.parametrize("number", range(20))
async def test_every_client_gets_each_event_once_in_order(number):
    """Notifications are lost, repeated or early; sockets join and resume meanwhile."""
    rng = random.Random(number)
    backend = FakeBackend()
    hub = Hub(backend)
    people = [await join(hub, name) for name in ("ada", "bob", "eve")]
    for _ in range(60):
        _do_random_act(rng, backend, hub, people)
        for _ in range(rng.randrange(6)):
            await asyncio.sleep(0)
    backend.failures = 0
    for _ in range(4):
        await hub.sweep()
        await settle()
        await asyncio.sleep(0.01)
    for _, socket, writer in people:
        assert _has_no_gap(writer), writer.frames
        assert socket.sent_seq == len(backend.events)


def _do_random_act(
    rng: random.Random,
    backend: FakeBackend,
    hub: Hub,
    people: list[tuple[WatchedRace, Socket, FakeWriter]],
) -> None:
    race, socket, _ = rng.choice(people)
    act = rng.randrange(7)
    if act < 3:
        seq = backend.add_event(seat=rng.choice([0, 1, None]))
        for _ in range(rng.randrange(3)):
            early = rng.randrange(2)
            has_event = rng.randrange(2) and not early
            event = backend.events[-1] if has_event else None
            hub.race_changed("r1", seq + early, event)
    elif act == 6:
        backend.failures = rng.randrange(2)
    else:
        work = (
            hub.join(race, socket),
            hub.resume(race, socket, socket.sent_seq),
            hub.sweep(),
        )
        for number, one in enumerate(work):
            if number == act - 3:
                hub.spawn(one)
            else:
                one.close()


def _has_no_gap(writer: FakeWriter) -> bool:
    """Whether each event has the number after the last event or snapshot."""
    at: int | None = None
    for frame in writer.frames:
        if frame["t"] == "race.snapshot":
            seq = frame["d"]["race"]["seq"]
            if at is not None and seq < at:
                return False
            at = seq
        elif frame["t"] == "race.event":
            if at is None or frame["seq"] != at + 1:
                return False
            at += 1
    return True


async def test_presence_is_recorded_when_an_entrant_connects_and_leaves(
    hub, backend, monkeypatch
):
    monkeypatch.setattr(presence, "GONE_AFTER_S", 0.05)
    race, first, _ = await join(hub)
    await join(hub, "eve")
    await settle()
    assert backend.present == {"ada"}
    _, second, _ = await join(hub)
    hub.leave(race, first)
    await asyncio.sleep(0.08)
    assert (backend.present, backend.calls.count("note_present")) == ({"ada"}, 1)
    hub.leave(race, second)
    await enter(hub)
    await asyncio.sleep(0.08)
    await settle()
    assert backend.present == set()


async def test_a_page_reload_does_not_record_absence(hub, backend, monkeypatch):
    monkeypatch.setattr(presence, "GONE_AFTER_S", 0.05)
    race, socket, _ = await join(hub)
    await join(hub, "bob")
    hub.leave(race, socket)
    await join(hub)
    await asyncio.sleep(0.08)
    assert "note_gone" not in backend.calls


async def test_presence_is_recorded_when_a_spectator_joins_the_race(hub, backend):
    backend.seats = {}
    await join(hub)
    await settle()
    assert backend.present == set()
    backend.seats = SEATS
    hub.race_changed("r1", backend.add_event("joined"))
    await settle()
    assert backend.present == {"ada"}


async def test_chat_is_sent_once_to_those_who_may_read_it(hub, backend):
    backend.add_message("ada")
    _, _, ada = await join(hub, "ada")
    race, _, eve = await join(hub, "eve")
    backend.add_message("ada")
    backend.add_message("eve", "spectators")
    await asyncio.gather(hub.chat_push.send_new(race), hub.chat_push.send_new(race))
    await hub.sweep()
    await settle()
    received = {
        name: [
            one["d"]["number"] for one in writer.frames if one["t"] == "chat.message"
        ]
        for name, writer in (("ada", ada), ("eve", eve))
    }
    assert received == {"ada": [2], "eve": [2, 3]}


async def test_the_sweep_delivers_chat_without_notifications(hub, backend):
    _, _, writer = await join(hub)
    backend.add_message("bob")
    await hub.sweep()
    await settle()
    assert writer.kinds().count("chat.message") == 1


async def test_the_sweep_finds_a_start_set_by_another_process(hub, backend):
    await join(hub)
    backend.due_at = datetime.now(UTC) + timedelta(seconds=0.05)
    await hub.sweep()
    await asyncio.sleep(0.08)
    await settle()
    assert backend.calls.count("apply_due") == 1


async def test_moves_carried_by_notifications_are_not_read(hub, backend):
    _, _, writer = await join(hub)
    await settle()
    backend.calls.clear()
    for _ in range(3):
        seq = backend.add_event()
        hub.race_changed("r1", seq, backend.events[-1])
        await settle()
    assert writer.seqs() == [1, 2, 3]
    assert "update" not in backend.calls


async def test_events_notified_out_of_order_are_sent_in_order(hub, backend):
    _, _, writer = await join(hub)
    await settle()
    backend.calls.clear()
    first, second = backend.add_event(), backend.add_event()
    hub.race_changed("r1", second, backend.events[-1])
    await asyncio.sleep(0)
    hub.race_changed("r1", first, backend.events[-2])
    await asyncio.sleep(0.03)
    assert writer.seqs() == [1, 2]
    assert "update" not in backend.calls


async def test_an_event_without_notification_is_read(hub, backend):
    race, _, writer = await join(hub)
    await settle()
    backend.add_event()
    second = backend.add_event()
    hub.race_changed("r1", second, backend.events[-1])
    await asyncio.sleep(0.03)
    await settle()
    assert writer.seqs() == [1, 2]
    assert race.announced_events == {}


async def test_no_run_is_pushed_to_a_socket_that_is_playing_a_move(hub, backend):
    _, socket, writer = await join(hub)
    socket.is_moving = True
    hub.race_changed("r1", backend.add_event(seat=0))
    await settle()
    assert "run.observation" not in writer.kinds()
    assert socket.missed_own_run
