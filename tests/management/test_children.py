"""Child processes end when stopped and when their parent ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from game.management.children import Child, stop_all

SLEEP = "import time; time.sleep(60)"
IGNORES_SIGTERM = (
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


def test_child_is_started_and_stopped():
    one = child(SLEEP)
    one.start()
    assert is_running(one)
    one.stop()
    assert not is_running(one)


def test_stopping_a_child_that_was_not_started_does_nothing():
    child(SLEEP).stop()


def test_child_that_ignores_the_signal_is_killed():
    one = child(IGNORES_SIGTERM)
    one.start()
    time.sleep(0.3)
    started = time.monotonic()
    one.stop(within_s=0.2)
    assert not one.is_running
    assert time.monotonic() - started < 5


def test_stop_all_stops_every_child():
    some = [child(SLEEP) for _ in range(3)]
    for one in some:
        one.start()
    stop_all(some)
    assert not any(one.is_running for one in some)


def test_stdin_is_passed_and_output_is_written_to_the_file(tmp_path):
    output = tmp_path / "output"
    one = child("print(input()[::-1])", stdin="abc\n", output=output)
    one.start()
    assert one.process is not None
    assert one.process.wait(5) == 0
    assert output.read_text() == "cba\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs prctl")
def test_child_ends_when_its_parent_is_killed():
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


def test_stop_all_kills_what_outlasts_the_time_limit():
    some = [child(SLEEP), child(IGNORES_SIGTERM)]
    for one in some:
        one.start()
    time.sleep(0.3)
    started = time.monotonic()
    stop_all(some, 0.5)
    assert time.monotonic() - started < 3
    assert not any(one.is_running for one in some)
