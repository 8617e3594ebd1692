"""Races survive the loss of Valkey and of web processes."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from game.management.children import Child
from game.management.valkey import valkey_server, wait_for_port
from game.models import Move, Run
from tests.api.ws.races.test_races import (
    assert_contiguous,
    play,
    play_out,
    wait_for_start,
)
from tests.fixtures.dungeons import first_move

pytestmark = pytest.mark.slow


class Valkey:
    """A Valkey of one test; after `kill` and `start` it has the same address."""

    def __init__(self, folder: Path) -> None:
        self.child: Child
        self.child, self.url = valkey_server(folder)
        self.port = int(self.url.rsplit(":", 1)[1].split("/")[0])

    def start(self) -> None:
        self.child.start()
        wait_for_port(self.port, self.child)

    def kill(self) -> None:
        assert self.child.process is not None
        self.child.process.kill()
        self.child.process.wait()


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    with TemporaryDirectory(prefix="scoundrel-valkey-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        made = Valkey(folder)
        made.start()
        yield made
        made.child.stop()


def test_two_processes_serve_one_race(new_web, people, valkey):
    here, there = (new_web(REDIS_URL=valkey.url) for _ in range(2))
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(here, race_id, ada), people.join(there, race_id, bob)
    people.start(race_id, ada, bob)
    run, other_run = wait_for_start(one, two)
    begun = time.monotonic()
    run = play(one, run)
    two.wait_for_event("moved", 3)
    assert time.monotonic() - begun < 3
    play_out(one, run)
    play_out(two, other_run)
    for client in (one, two):
        client.wait_for_event("settled", 15)
        assert_contiguous(client)


def test_killing_valkey_closes_no_socket_and_loses_no_move(new_web, people, valkey):
    here, there = (new_web(REDIS_URL=valkey.url) for _ in range(2))
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(here, race_id, ada), people.join(there, race_id, bob)
    people.start(race_id, ada, bob)
    run, other_run = wait_for_start(one, two)
    run = play(one, run)
    valkey.kill()
    run = play(one, run)
    other_run = play(two, other_run)
    # Without notifications the sweep delivers it within two seconds.
    begun = time.monotonic()
    one.wait_until(
        lambda f: f["t"] == "race.event" and f["d"].get("player") == bob.name
    )
    assert time.monotonic() - begun < 3
    late = people.join(here, race_id, people.guest())
    assert late.frames[-1]["d"]["race"]["phase"] == "running"
    valkey.start()
    time.sleep(3)
    run, other_run = play(one, run), play(two, other_run)
    one.read_for(1.5)
    two.read_for(1.5)
    assert_contiguous(one)
    assert_contiguous(two)
    for account, index in ((ada, 3), (bob, 2)):
        kept = Run.objects.get(race_id=race_id, account=account)
        assert (kept.index, Move.objects.filter(run=kept).count()) == (index, index)


def test_after_a_restart_clients_resume_the_race(new_web, people):
    web = new_web()
    # A connection without an application: see api.daphne_internals.
    half_a_request = socket.create_connection(("127.0.0.1", web.port))
    half_a_request.sendall(b"GET /healthz HTTP/1.1\r\n")
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.join(web, race_id, ada), people.join(web, race_id, bob)
    people.start(race_id, ada, bob)
    run, other_run = wait_for_start(one, two)
    run = play(one, run)
    one.read_for(0.5)
    since = max(frame["seq"] for frame in one.frames if "seq" in frame)
    web.stop()
    half_a_request.close()
    for client in (one, two):
        assert client.wait_for_close() == 4503
        assert client.frames[-1]["t"] == "bye"
        assert client.frames[-1]["d"] == {"reason": "restart", "retry_after_ms": 1000}
    web.start()
    again, other = people.connect(web, race_id, ada), people.join(web, race_id, bob)
    other_run = play(other, other_run)
    answer = again.ask("hello", since=since)
    assert answer["t"] == "heartbeat"
    assert_contiguous(again)
    events = [frame for frame in again.frames if frame["t"] == "race.event"]
    assert events[0]["seq"] == since + 1
    play_out(again, run)
    play_out(other, other_run)
    again.wait_for_event("settled", 15)
    assert_contiguous(again)


def test_a_move_whose_answer_was_lost_is_played_once(new_web, people):
    web = new_web()
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one = people.join(web, race_id, ada)
    people.start(race_id, ada, bob)
    (run,) = wait_for_start(one)
    move = {"index": 0, "move": first_move(run)}
    one.send("move.play", "lost", **move)
    web.kill()
    web.start()
    again = people.join(web, race_id, ada)
    answer = again.ask("move.play", "lost", **move)
    assert answer["t"] == "move.accepted"
    assert answer["d"]["run"]["index"] == 1
    assert Move.objects.filter(run__race_id=race_id, run__account=ada).count() == 1


def test_a_race_that_should_start_during_a_restart_starts_after_it(new_web, people):
    web = new_web()
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    people.ready(race_id, ada, bob)
    web.kill()
    time.sleep(5.5)
    web.start()
    one = people.connect(web, race_id, ada)
    shown = one.ask("hello")["d"]["race"]
    assert shown["phase"] == "running"
    assert shown["run"]["index"] == 0
    play(one, shown["run"])
