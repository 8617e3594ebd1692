"""`manage.py verify_invariants`: check all stored data against the invariants.

It changes nothing and exits with 1 if an invariant is violated. It reads one snapshot,
so it can be run while the site is in use.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from django.utils import timezone

from game.services.maintenance.invariants import breaches


class Command(BaseCommand):
    """Check the invariants that docs/operations.md lists."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--solve`."""
        parser.add_argument(
            "--solve",
            type=int,
            default=0,
            metavar="DAYS",
            help="also solve the dungeons of the newest days; minutes for each",
        )

    def handle(self, *_: Any, solve: int, **__: Any) -> None:
        """Print a line for each violation."""
        count = 0
        with one_snapshot():
            for breach in breaches(at=timezone.now(), solve_days=solve):
                count += 1
                self.stdout.write(str(breach))
        if count:
            raise CommandError(f"{count} breaches of the invariants.")
        self.stdout.write("All invariants hold.")


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Run the block in one snapshot of the database."""
    if connection.in_atomic_block:  # in a test: nothing else writes
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("set transaction isolation level repeatable read, read only")
            yield
    else:
        # Django's transaction would be IMMEDIATE and block all writers.
        with connection.cursor() as cursor:
            cursor.execute("begin deferred")
            try:
                yield
            finally:
                cursor.execute("rollback")
