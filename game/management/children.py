"""Child processes that end with their parent. Knows nothing of what they run.

Each child leads a process group of its own: a Ctrl-C at the terminal reaches the
parent alone, which ends the children in order, and grandchildren go along.
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
ASK_AGAIN_S = 1.5
POLL_S = 0.05


@dataclass
class Child:
    """A program to keep running.

    `stdin` is written to it at each start; what it says goes to the parent's own
    output, or to the file `output`. `user` is whom it runs as, where that is another:
    subprocess's `user`, `group` and `extra_groups`.
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
        """Start it, or start it again."""
        with contextlib.ExitStack() as files:
            said = files.enter_context(self.output.open("a")) if self.output else None
            self.process = subprocess.Popen(
                self.command,
                env=dict(self.environ),
                stdin=subprocess.PIPE if self.stdin else subprocess.DEVNULL,
                stdout=said,
                stderr=said,
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
        """Whether it has been started and has not ended since."""
        return self.process is not None and self.process.poll() is None

    def ask_to_stop(self) -> None:
        """Ask it, and whatever it started, to end in its own time."""
        self._signal(self.stop_signal)

    def stop(self, within_s: float = STOP_S) -> None:
        """Have it ended when this returns: asked first, then by force."""
        if self.process is None:
            return
        deadline = time.monotonic() + within_s
        while self.is_running and (left := deadline - time.monotonic()) > 0:
            # Asked again now and then: a process that has only just forked may
            # still hold its parent's handler, and lose what it was asked.
            self.ask_to_stop()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(min(left, ASK_AGAIN_S))
        # Also where it went by itself: what it left behind in its group goes too.
        self._signal(signal.SIGKILL)
        self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)


def stop_all(children: Sequence[Child], within_s: float = STOP_S) -> None:
    """Stop every child: all but the first are asked at once, the first after them.

    The first is the server that the others speak to until their end. Whoever has not
    ended by then is ended by force.
    """
    others = list(reversed(children[1:]))
    for child in others:
        child.ask_to_stop()
    deadline = time.monotonic() + within_s
    for child in (*others, *children[:1]):
        child.stop(within_s=max(0.1, deadline - time.monotonic()))


def _die_with_parent() -> None:
    # In the child, before its program starts: Linux then ends it with the parent,
    # however the parent ends. Elsewhere an abruptly killed parent leaves orphans.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
