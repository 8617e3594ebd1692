"""Failpoints: named places where a test kills the process, to check what is stored.

A failpoint is armed by the environment (FAILPOINT=name), and only where
FAILPOINTS_ALLOWED is set, which is in the settings of the tests.
"""

import os
import signal

from django.conf import settings


def failpoint(name: str) -> None:
    """Kill this process if the failpoint `name` is armed."""
    if settings.FAILPOINTS_ALLOWED and os.environ.get("FAILPOINT") == name:
        os.kill(os.getpid(), signal.SIGKILL)
