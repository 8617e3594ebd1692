"""Rehearsed faults: places where a test kills the process, to see what is left.

Armed by the environment (FAILPOINT=name) and only where the settings allow it, which
are those of the tests.
"""

import os
import signal

from django.conf import settings


def failpoint(name: str) -> None:
    """End this process here and now, without a word, if that name is armed."""
    if settings.FAILPOINTS_ALLOWED and os.environ.get("FAILPOINT") == name:
        os.kill(os.getpid(), signal.SIGKILL)
