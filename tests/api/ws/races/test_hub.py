"""The hub against a made-up race: numbering, sharing, resuming, timing."""

import asyncio
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from api.ws.connection import executor
from api.ws.connection.sockets import Socket
from api.ws.races import presence
from api.ws.races.hub import Hub
from api.ws.races.watch import KEPT_EVENTS, Watch
from game.rules import Refusal
from tests.api.ws.races.fake import MOST, FakeSource, FakeWire, made_socket


@pytest.fixture(autouse=True)
def no_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings take a turn of the loop, and no thread and no database."""

    async def read(work: Any) -> Any:
        await asyncio.sleep(0)
        return work()

    monkeypatch.setattr(executor, "read", read)
    monkeypatch.setattr(executor, "write", read)
    monkeypatch.setattr(executor, "note", read)


@pytest.fixture
def source() -> FakeSource:
    return FakeSource()


@pytest.fixture
def hub(source: FakeSource) -> Hub:
    return Hub(source)


async def entered(hub: Hub, account: str = "ada") -> tuple[Watch, Socket, FakeWire]:
    socket, wire = made_socket(account)
    return await hub.enter("r1", socket), socket, wire


async def joined(hub: Hub, account: str = "ada") -> tuple[Watch, Socket, FakeWire]:
    watch, socket, wire = await entered(hub, account)
    await hub.join(watch, socket, "h")
    return watch, socket, wire


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)
    await asyncio.sleep(0.008)
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_race_that_is_not_there_is_refused(hub):
    socket, _ = made_socket()
    with pytest.raises(Refusal):
        await hub.enter("r2", socket)
    assert hub.watches == {}


async def test_hello_brings_a_snapshot_and_then_what_happens(hub, source):
    source.happen()
    _, socket, wire = await joined(hub)
    assert [(one["t"], one.get("id")) for one in wire.frames] == [
        ("race.snapshot", "h")
    ]
    assert wire.frames[0]["d"]["race"]["seq"] == 1
    hub.rung("r1", source.happen())
    await settle()
    assert wire.seqs() == [2]
    assert socket.sent == 2


async def test_before_hello_nothing_comes(hub, source):
    _, _, wire = await entered(hub)
    hub.rung("r1", source.happen())
    await settle()
    await hub.sweep()
    assert wire.packets == []


async def test_an_event_is_read_and_framed_once_for_all_who_see_it_alike(hub, source):
    wires = [(await joined(hub, f"s{number}"))[2] for number in range(20)]
    ada, bob = (await joined(hub, "ada"))[2], (await joined(hub, "bob"))[2]
    source.calls.clear()
    hub.rung("r1", source.happen())
    await settle()
    assert source.calls.count("news") == 1
    assert source.calls.count("cut") == 3
    assert len({id(wire.packets[-1]) for wire in wires}) == 1
    assert {wire.frames[-1]["d"]["for"] for wire in (ada, bob)} == {"ada", "bob"}


async def test_spectators_share_a_snapshot_that_is_read_for_nobody(hub, source):
    sockets = [await entered(hub, f"s{number}") for number in range(9)]
    source.calls.clear()
    await asyncio.gather(
        *(hub.join(w, s, f"h{n}") for n, (w, s, _) in enumerate(sockets))
    )
    assert source.calls.count("snapshot") == 1
    for number, (_, _, wire) in enumerate(sockets):
        assert wire.frames[0]["id"] == f"h{number}"
        assert wire.frames[0]["d"]["race"]["for"] is None
    source.happen()
    await hub.sweep()
    await settle()
    watch, socket, wire = await entered(hub, "late")
    await hub.join(watch, socket)
    assert wire.frames[0]["d"]["race"]["seq"] == 1


async def test_an_entrant_gets_a_snapshot_of_his_own(hub, source):
    await joined(hub, "spectator")
    _, _, wire = await joined(hub, "ada")
    assert wire.frames[0]["d"]["race"]["for"] == "ada"


async def test_the_sweep_alone_delivers(hub, source):
    _, _, wire = await joined(hub)
    for _ in range(3):
        source.happen()
    await hub.sweep()
    await settle()
    assert wire.seqs() == [1, 2, 3]


async def test_300_events_at_once_come_whole_and_in_order(hub, source):
    _, _, wire = await joined(hub)
    for _ in range(300):
        hub.rung("r1", source.happen())
    for _ in range(20):
        await settle()
    assert wire.seqs() == list(range(1, 301))


async def test_a_failed_reading_is_made_up_by_the_sweep(hub, source):
    _, _, wire = await joined(hub)
    await settle()
    source.fails = 1
    hub.rung("r1", source.happen())
    await settle()
    assert wire.seqs() == []
    await hub.sweep()
    await settle()
    assert wire.seqs() == [1]


async def test_resuming_brings_the_missing_events_and_the_head(hub, source):
    await joined(hub, "bob")
    for _ in range(5):
        hub.rung("r1", source.happen())
    await settle()
    watch, socket, wire = await entered(hub)
    await hub.resume(watch, socket, 2, "h")
    assert wire.seqs() == [3, 4, 5]
    last = wire.frames[-1]
    assert (last["t"], last["id"], last["d"]) == ("heartbeat", "h", {"seq": 5})


async def test_resuming_what_is_not_kept_asks_the_database(hub, source):
    for _ in range(8):
        source.happen()
    watch, socket, wire = await entered(hub)
    await hub.resume(watch, socket, 3, "h")
    assert "missed" in source.calls
    assert wire.seqs() == [4, 5, 6, 7, 8]


@pytest.mark.parametrize("since", [0, 999])
async def test_where_that_is_too_much_or_nonsense_the_race_comes_whole(
    hub, source, since
):
    for _ in range(MOST + 1):
        source.happen()
    watch, socket, wire = await entered(hub)
    await hub.resume(watch, socket, since, "h")
    assert wire.kinds() == ["race.snapshot", "heartbeat"][:1]
    assert wire.frames[0]["id"] == "h"


async def test_events_during_a_snapshot_come_after_it(hub, source, monkeypatch):
    watch, socket, wire = await joined(hub)
    plain = source.snapshot

    def slow(race_id: str, account_id: str | None) -> dict[str, Any]:
        found: dict[str, Any] = plain(race_id, account_id)
        hub.rung("r1", source.happen())  # while the answer is on its way
        return found

    monkeypatch.setattr(source, "snapshot", slow)
    await hub.join(watch, socket, "again")
    await settle()
    tail = [(one["t"], one.get("seq")) for one in wire.frames[1:]]
    assert tail == [("race.snapshot", None), ("race.event", 1)]


async def test_the_start_shows_each_entrant_his_own_run_at_the_instant(hub, source):
    source.due_at = datetime.now(UTC) + timedelta(seconds=0.1)
    _, _, ada = await joined(hub, "ada")
    _, _, eve = await joined(hub, "eve")
    await asyncio.sleep(0.05)
    await settle()
    assert "run.observation" not in ada.kinds()
    await asyncio.sleep(0.1)
    await settle()
    assert source.calls.count("due") == 1
    assert ada.kinds()[1:] == ["race.event", "run.observation"]
    assert ada.frames[-1]["d"] == {"run": {"of": "ada"}}
    assert eve.kinds()[1:] == ["race.event"]


async def test_what_is_overdue_is_left_to_whoever_made_it_so_for_a_moment(hub, source):
    source.due_at = datetime.now(UTC) - timedelta(seconds=10)
    await joined(hub)
    await settle()
    assert source.calls.count("due") == 0
    await asyncio.sleep(0.3)
    assert source.calls.count("due") == 1


async def test_another_tab_sees_the_move_that_one_tab_was_answered(hub, source):
    _, first, one = await joined(hub)
    _, _, two = await joined(hub)
    seq = source.happen("moved", "ada")
    first.answered = seq
    hub.rung("r1", seq)
    await settle()
    assert one.kinds()[1:] == ["race.event"]
    assert two.kinds()[1:] == ["race.event", "run.observation"]


async def test_a_client_that_reads_nothing_is_cut(hub, source):
    _, socket, wire = await joined(hub)
    wire.unsent = 1001
    hub.rung("r1", source.happen())
    await settle()
    assert (wire.code, socket.closed) == (4008, True)
    assert wire.seqs() == []


async def test_heartbeats_carry_the_head_and_come_in_turn(hub, source):
    wires = [(await joined(hub, f"s{number}"))[2] for number in range(10)]
    source.happen()
    await hub.sweep()
    await settle()
    for second in range(5):
        before = [len(wire.packets) for wire in wires]
        await hub.beat(second)
        told = [len(w.packets) - b for w, b in zip(wires, before, strict=True)]
        assert sum(told) == 2
    assert all(wire.frames[-1]["d"] == {"seq": 1} for wire in wires)


async def test_a_race_is_forgotten_with_its_last_socket(hub, source):
    source.due_at = datetime.now(UTC) + timedelta(seconds=60)
    watch, socket, _ = await joined(hub)
    _, other, _ = await joined(hub, "bob")
    hub.leave(watch, socket)
    assert "r1" in hub.watches
    timer = watch.timer
    assert timer is not None
    hub.leave(watch, other)
    assert hub.watches == {}
    assert timer.cancelled()


async def test_entering_at_once_makes_one_watch(hub, source):
    sockets = [made_socket(f"s{number}")[0] for number in range(5)]
    watches = await asyncio.gather(*(hub.enter("r1", one) for one in sockets))
    assert len({id(watch) for watch in watches}) == 1
    assert source.calls.count("news") == 1


async def test_more_than_is_kept_is_fetched_for_whoever_is_behind(hub, source):
    _, _, wire = await joined(hub)
    watch, behind, late = await joined(hub, "bob")
    behind.holds += 1  # as if a reading for it took very long
    for _ in range(KEPT_EVENTS + 10):
        hub.rung("r1", source.happen())
    for _ in range(40):
        await settle()
    assert wire.seqs() == list(range(1, KEPT_EVENTS + 11))
    behind.holds -= 1
    assert not watch.knows_after(behind.sent)
    await hub.sweep()
    await settle()
    assert late.kinds()[1:] == ["race.snapshot"]
    assert behind.sent == KEPT_EVENTS + 10


@pytest.mark.parametrize("number", range(20))
async def test_whatever_comes_between_each_client_has_every_number_once(number):
    """Rings that are lost, doubled, early; joins, resumes, resyncs in between."""
    chance = random.Random(number)
    source = FakeSource()
    hub = Hub(source)
    people = [await joined(hub, name) for name in ("ada", "bob", "eve")]
    for _ in range(60):
        _anything(chance, source, hub, people)
        for _ in range(chance.randrange(6)):
            await asyncio.sleep(0)
    source.fails = 0
    for _ in range(4):
        await hub.sweep()
        await settle()
        await asyncio.sleep(0.01)
    for _, socket, wire in people:
        assert _follows(wire), wire.frames
        assert socket.sent == len(source.events)


def _anything(
    chance: random.Random,
    source: FakeSource,
    hub: Hub,
    people: list[tuple[Watch, Socket, FakeWire]],
) -> None:
    watch, socket, _ = chance.choice(people)
    act = chance.randrange(7)
    if act < 3:
        seq = source.happen("moved", chance.choice(["ada", "bob", None]))
        for _ in range(chance.randrange(3)):
            early = chance.randrange(2)
            row = seq if chance.randrange(2) and not early else None
            hub.rung("r1", seq + early, row)
    elif act == 6:
        source.fails = chance.randrange(2)
    else:
        work = (
            hub.join(watch, socket),
            hub.resume(watch, socket, socket.sent),
            hub.sweep(),
        )
        for number, one in enumerate(work):
            if number == act - 3:
                hub.spawn(one)
            else:
                one.close()


def _follows(wire: FakeWire) -> bool:
    """Each event follows the last event or snapshot; none is doubled, none lacks."""
    at: int | None = None
    for frame in wire.frames:
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


async def test_an_entrant_is_noted_when_he_comes_and_when_he_stays_away(
    hub, source, monkeypatch
):
    monkeypatch.setattr(presence, "GONE_AFTER_S", 0.05)
    watch, first, _ = await joined(hub)
    await joined(hub, "eve")
    await settle()
    assert source.seen_now == {"ada"}
    _, second, _ = await joined(hub)
    hub.leave(watch, first)
    await asyncio.sleep(0.08)
    assert (source.seen_now, source.calls.count("seen")) == ({"ada"}, 1)
    hub.leave(watch, second)
    await entered(hub)
    await asyncio.sleep(0.08)
    await settle()
    assert source.seen_now == set()


async def test_a_reload_is_no_going_away(hub, source, monkeypatch):
    monkeypatch.setattr(presence, "GONE_AFTER_S", 0.05)
    watch, socket, _ = await joined(hub)
    await joined(hub, "bob")
    hub.leave(watch, socket)
    await joined(hub)
    await asyncio.sleep(0.08)
    assert "gone" not in source.calls


async def test_who_joins_later_is_noted_then(hub, source):
    source.accounts = frozenset()
    await joined(hub)
    await settle()
    assert source.seen_now == set()
    source.accounts = frozenset({"ada"})
    hub.rung("r1", source.happen("joined"))
    await settle()
    assert source.seen_now == {"ada"}


async def test_what_is_said_reaches_those_who_may_hear_it_once(hub, source):
    source.say("ada")
    _, _, ada = await joined(hub, "ada")
    watch, _, eve = await joined(hub, "eve")
    source.say("ada")
    source.say("eve", "spectators")
    await asyncio.gather(hub.chatter.told(watch), hub.chatter.told(watch))
    await hub.sweep()
    await settle()
    heard = {
        name: [one["d"]["number"] for one in wire.frames if one["t"] == "chat.message"]
        for name, wire in (("ada", ada), ("eve", eve))
    }
    assert heard == {"ada": [2], "eve": [2, 3]}


async def test_the_sweep_alone_brings_what_is_said(hub, source):
    _, _, wire = await joined(hub)
    source.say("bob")
    await hub.sweep()
    await settle()
    assert wire.kinds().count("chat.message") == 1


async def test_the_sweep_finds_a_start_that_was_fixed_elsewhere(hub, source):
    await joined(hub)
    source.due_at = datetime.now(UTC) + timedelta(seconds=0.05)
    await hub.sweep()
    await asyncio.sleep(0.08)
    await settle()
    assert source.calls.count("due") == 1


async def test_what_the_doorbell_brings_is_not_read_again(hub, source):
    _, _, wire = await joined(hub)
    await settle()
    source.calls.clear()
    for _ in range(3):
        seq = source.happen()
        hub.rung("r1", seq, seq)
        await settle()
    assert wire.seqs() == [1, 2, 3]
    assert "news" not in source.calls


async def test_an_event_that_overtakes_another_waits_for_it(hub, source):
    _, _, wire = await joined(hub)
    await settle()
    source.calls.clear()
    first, second = source.happen(), source.happen()
    hub.rung("r1", second, second)
    await asyncio.sleep(0)
    hub.rung("r1", first, first)
    await asyncio.sleep(0.03)
    assert wire.seqs() == [1, 2]
    assert "news" not in source.calls


async def test_one_that_never_comes_is_read(hub, source):
    watch, _, wire = await joined(hub)
    await settle()
    source.happen()
    second = source.happen()
    hub.rung("r1", second, second)
    await asyncio.sleep(0.03)
    await settle()
    assert wire.seqs() == [1, 2]
    assert watch.at_hand == {}


async def test_whoever_awaits_an_answer_is_not_shown_his_run_besides(hub, source):
    _, socket, wire = await joined(hub)
    socket.asking = True
    hub.rung("r1", source.happen("moved", "ada"))
    await settle()
    assert "run.observation" not in wire.kinds()
    assert socket.overlooked
