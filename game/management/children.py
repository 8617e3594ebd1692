"""Child processes that end when their parent ends.

Each child leads a process group: Ctrl-C in the terminal reaches only the parent, which
stops the children in order, and grandchildren stop with their group.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ON_LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG = 1
STOP_S = 10.0
REPEAT_SIGNAL_S = 1.5
POLL_S = 0.05


@dataclass
class Child:
    """A program to keep running.

    `stdin` is written to it at each start. Its output goes to the parent's output, or
    to the file `output`. `user` holds subprocess's `user`, `group` and `extra_groups`
    if it runs as another user.
    """

    name: str
    command: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    stdin: str = ""
    output: Path | None = None
    user: Mapping[str, Any] = field(default_factory=dict)
    stop_signal: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[str] | None = None
    starts: int = 0

    def start(self) -> None:
        """Start the process, or start it again."""
        with contextlib.ExitStack() as files:
            output = files.enter_context(self.output.open("a")) if self.output else None
            self.process = subprocess.Popen(
                self.command,
                env=dict(self.environ),
                stdin=subprocess.PIPE if self.stdin else subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                text=True,
                start_new_session=True,
                **self.user,
                preexec_fn=_die_with_parent if ON_LINUX else None,  # noqa: PLW1509
            )
        self.starts += 1
        if self.process.stdin is not None:
            self.process.stdin.write(self.stdin)
            self.process.stdin.close()

    @property
    def is_running(self) -> bool:
        """Whether the process was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def ask_to_stop(self) -> None:
        """Send the stop signal to the process group, without waiting."""
        self._signal(self.stop_signal)

    def stop(self, within_s: float = STOP_S) -> None:
        """Stop the process: by the stop signal, then after `within_s` by SIGKILL."""
        if self.process is None:
            return
        deadline = time.monotonic() + within_s
        while self.is_running and (remaining_s := deadline - time.monotonic()) > 0:
            # Repeated, because a process that has just forked may still have its
            # parent's signal handler and ignore the signal.
            self.ask_to_stop()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(min(remaining_s, REPEAT_SIGNAL_S))
        # Even if it ended by itself: its group may have other processes.
        self._signal(signal.SIGKILL)
        self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)


def stop_all(children: Sequence[Child], within_s: float = STOP_S) -> None:
    """Stop every child within `within_s`: the first one last, the others at once.

    The first is the server that the others use until they end. A child that is still
    running after that time is killed.
    """
    others = list(reversed(children[1:]))
    for child in others:
        child.ask_to_stop()
    deadline = time.monotonic() + within_s
    for child in (*others, *children[:1]):
        child.stop(within_s=max(0.1, deadline - time.monotonic()))


def _die_with_parent() -> None:
    # Runs in the child before its program starts. Linux then stops it with the parent,
    # however the parent ends; on other systems a killed parent leaves orphans.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
