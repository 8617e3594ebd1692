"""`manage.py verify_invariants`: read everything, and say which laws do not hold.

Changes nothing. Ends with 1 where it found a breach, so that a test or a cron job can
ask by it. All of it is read as it was at one moment, so it may be asked of a site that
is being played on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import connection, transaction
from django.utils import timezone

from game.services.maintenance.invariants import breaches


class Command(BaseCommand):
    """Check the laws of docs/operations.md against all that is stored."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """A line for each breach, then the sum."""
        count = 0
        with one_moment():
            for breach in breaches(at=timezone.now()):
                count += 1
                self.stdout.write(str(breach))
        if count:
            raise CommandError(f"{count} breaches of the invariants.")
        self.stdout.write("All invariants hold.")


@contextmanager
def one_moment() -> Iterator[None]:
    """Within it, every statement sees what the first one saw."""
    if connection.in_atomic_block:  # a test's: nobody else writes
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("set transaction isolation level repeatable read, read only")
            yield
    else:
        # Django's own would be IMMEDIATE, and keep all writers waiting.
        with connection.cursor() as cursor:
            cursor.execute("begin deferred")
            try:
                yield
            finally:
                cursor.execute("rollback")
