"""Tries a transaction again where the database asks for it."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import IntegrityError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")
TRIES = 5
# Serialization failure and deadlock, and a lock not had in time.
TRY_AGAIN = {"40001", "40P01", "55P03"}


def tried_again(work: Callable[P, T]) -> Callable[P, T]:
    """The work, done up to five times while it fails for want of luck.

    Also where a unique constraint says that somebody else was first: read again, the
    work finds that and refuses in words. Inside a transaction it is tried once.
    """

    @wraps(work)
    def done(*args: P.args, **kwargs: P.kwargs) -> T:
        if connection.in_atomic_block:
            return work(*args, **kwargs)
        for _ in range(TRIES - 1):
            try:
                return work(*args, **kwargs)
            except (OperationalError, IntegrityError) as error:
                if not _worth_it(error):
                    raise
        return work(*args, **kwargs)

    return done


def _worth_it(error: Exception) -> bool:
    if isinstance(error, IntegrityError):
        return True
    return getattr(error.__cause__, "sqlstate", None) in TRY_AGAIN
