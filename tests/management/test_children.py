"""Children end when they are told to, and when their parent ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from game.management.children import Child, stop_all

SLEEP = "import time; time.sleep(60)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
)
PARENT = """
import sys, time
from game.management.children import Child
child = Child("child", [sys.executable, "-c", "import time; time.sleep(60)"])
child.start()
print(child.process.pid, flush=True)
time.sleep(60)
"""


def child(code: str, **options) -> Child:
    return Child("child", [sys.executable, "-c", code], **options)


def is_running(one: Child) -> bool:
    return one.is_running


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_child_is_started_and_stopped():
    one = child(SLEEP)
    one.start()
    assert is_running(one)
    one.stop()
    assert not is_running(one)


def test_one_never_started_is_stopped_already():
    child(SLEEP).stop()


def test_a_stubborn_child_is_stopped_by_force():
    one = child(STUBBORN)
    one.start()
    time.sleep(0.3)
    started = time.monotonic()
    one.stop(within_s=0.2)
    assert not one.is_running
    assert time.monotonic() - started < 5


def test_all_are_stopped():
    some = [child(SLEEP) for _ in range(3)]
    for one in some:
        one.start()
    stop_all(some)
    assert not any(one.is_running for one in some)


def test_what_is_written_to_it_and_what_it_says(tmp_path):
    said = tmp_path / "said"
    one = child("print(input()[::-1])", stdin="abc\n", output=said)
    one.start()
    assert one.process is not None
    assert one.process.wait(5) == 0
    assert said.read_text() == "cba\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child")
def test_a_child_ends_with_a_parent_that_is_killed():
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert is_alive(pid)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(pid)


def test_who_takes_longer_than_that_is_ended_by_force():
    some = [child(SLEEP), child(STUBBORN)]
    for one in some:
        one.start()
    time.sleep(0.3)
    begun = time.monotonic()
    stop_all(some, 0.5)
    assert time.monotonic() - begun < 3
    assert not any(one.is_running for one in some)
