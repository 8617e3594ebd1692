"""Retries a transaction that lost a conflict with another one."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import IntegrityError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")
MAX_TRIES = 5
# Serialization failure, deadlock, lock timeout.
RETRIED_SQLSTATES = {"40001", "40P01", "55P03"}


def retry_transaction(work: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function that is one transaction: run it up to five times.

    It is run again after a serialization failure, a deadlock, a lock timeout or a
    violated constraint; in the last case another transaction inserted the same row
    first, and the second run finds that row and refuses with a proper error. Inside an
    outer transaction it is run once.
    """

    @wraps(work)
    def work_with_retries(*args: P.args, **kwargs: P.kwargs) -> T:
        if connection.in_atomic_block:
            return work(*args, **kwargs)
        for _ in range(MAX_TRIES - 1):
            try:
                return work(*args, **kwargs)
            except (OperationalError, IntegrityError) as error:
                if not _is_conflict(error):
                    raise
        return work(*args, **kwargs)

    return work_with_retries


def _is_conflict(error: Exception) -> bool:
    if isinstance(error, IntegrityError):
        return True
    return getattr(error.__cause__, "sqlstate", None) in RETRIED_SQLSTATES
