"""A web process signs every few seconds, so that the site knows when it was down.

A thread, because Daphne has no start-up event and sockets may be rare. It starts with
the first request; before that nobody has missed this process.
"""

import threading
import time
from functools import lru_cache

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from game.contest.outages import SIGN_EVERY
from game.services.core.liveness import become_web_process
from game.services.runs.outages import sign_of_life_record

log = structlog.get_logger(__name__)


@lru_cache(maxsize=1)
def start_signing() -> None:
    """Start the thread, once a process, unless the settings forbid it."""
    if settings.WEB_SIGNS_OF_LIFE:
        become_web_process()
        threading.Thread(target=_sign_forever, name="signs", daemon=True).start()


def _sign_forever() -> None:
    while True:
        _sign()
        time.sleep(SIGN_EVERY.total_seconds())


def _sign() -> None:
    """Sign once. A database that is down is no error: then the site is down."""
    try:
        sign_of_life_record(at=timezone.now())
    except (OperationalError, InterfaceError) as error:
        log.warning("sign_of_life_failed", error=repr(error))
        connection.close()
    except Exception:  # the thread must go on
        log.exception("sign_of_life_failed")
        connection.close()
