"""What a race loses when parts of the site go away in its midst: nothing."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from game.management.children import Child
from game.management.valkey import valkey_server, wait_for_port
from game.models import Move, Run
from tests.api.ws.races.test_races import contiguous, play, play_out, started
from tests.fixtures.dungeons import first_move

pytestmark = pytest.mark.slow


class Valkey:
    """A Valkey of the test's own, which comes back at the same address."""

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


def test_two_processes_carry_one_race(new_web, people, valkey):
    here, there = (new_web(REDIS_URL=valkey.url) for _ in range(2))
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.joined(here, race_id, ada), people.joined(there, race_id, bob)
    people.start(race_id, ada, bob)
    run, his = started(one, two)
    begun = time.monotonic()
    run = play(one, run)
    two.event("moved", 3)
    assert time.monotonic() - begun < 3
    play_out(one, run)
    play_out(two, his)
    for caller in (one, two):
        caller.event("settled", 15)
        contiguous(caller)


def test_killing_valkey_closes_no_socket_and_loses_no_move(new_web, people, valkey):
    here, there = (new_web(REDIS_URL=valkey.url) for _ in range(2))
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.joined(here, race_id, ada), people.joined(there, race_id, bob)
    people.start(race_id, ada, bob)
    run, his = started(one, two)
    run = play(one, run)
    valkey.kill()
    run = play(one, run)
    his = play(two, his)
    # Without the doorbell the sweep brings it, within two seconds.
    begun = time.monotonic()
    one.until(lambda f: f["t"] == "race.event" and f["d"].get("player") == bob.name)
    assert time.monotonic() - begun < 3
    late = people.joined(here, race_id, people.guest())
    assert late.frames[-1]["d"]["race"]["phase"] == "running"
    valkey.start()
    time.sleep(3)
    run, his = play(one, run), play(two, his)
    one.quiet(1.5)
    two.quiet(1.5)
    contiguous(one)
    contiguous(two)
    for account, index in ((ada, 3), (bob, 2)):
        kept = Run.objects.get(race_id=race_id, account=account)
        assert (kept.index, Move.objects.filter(run=kept).count()) == (index, index)


def test_a_restart_says_bye_and_the_race_goes_on_from_there(new_web, people):
    web = new_web()
    # A connection without an application: see api.daphne_internals.
    half_a_request = socket.create_connection(("127.0.0.1", web.port))
    half_a_request.sendall(b"GET /healthz HTTP/1.1\r\n")
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one, two = people.joined(web, race_id, ada), people.joined(web, race_id, bob)
    people.start(race_id, ada, bob)
    run, his = started(one, two)
    run = play(one, run)
    one.quiet(0.5)
    since = max(frame["seq"] for frame in one.frames if "seq" in frame)
    web.stop()
    half_a_request.close()
    for caller in (one, two):
        assert caller.to_the_end() == 4503
        assert caller.frames[-1]["t"] == "bye"
        assert caller.frames[-1]["d"] == {"reason": "restart", "retry_after_ms": 1000}
    web.start()
    again, other = people.open(web, race_id, ada), people.joined(web, race_id, bob)
    his = play(other, his)
    answer = again.ask("hello", since=since)
    assert answer["t"] == "heartbeat"
    contiguous(again)
    events = [frame for frame in again.frames if frame["t"] == "race.event"]
    assert events[0]["seq"] == since + 1
    play_out(again, run)
    play_out(other, his)
    again.event("settled", 15)
    contiguous(again)


def test_a_move_whose_answer_was_lost_is_played_once(new_web, people):
    web = new_web()
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    one = people.joined(web, race_id, ada)
    people.start(race_id, ada, bob)
    (run,) = started(one)
    move = {"index": 0, "move": first_move(run)}
    one.send("move.play", "lost", **move)
    web.kill()
    web.start()
    again = people.joined(web, race_id, ada)
    answer = again.ask("move.play", "lost", **move)
    assert answer["t"] == "move.accepted"
    assert answer["d"]["run"]["index"] == 1
    assert Move.objects.filter(run__race_id=race_id, run__account=ada).count() == 1


def test_a_start_that_falls_into_a_restart_is_made_up(new_web, people):
    web = new_web()
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    people.ready(race_id, ada, bob)
    web.kill()
    time.sleep(5.5)
    web.start()
    one = people.open(web, race_id, ada)
    shown = one.ask("hello")["d"]["race"]
    assert shown["phase"] == "running"
    assert shown["run"]["index"] == 0
    play(one, shown["run"])
