"""`manage.py verify_invariants`: read everything, and say which laws do not hold.

Changes nothing. Ends with 1 where it found a breach, so that a test or a cron job can
ask by it.
"""

from typing import Any

from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from game.services.invariants import breaches


class Command(BaseCommand):
    """Check the laws of docs/operations.md against all that is stored."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """A line for each breach, then the sum."""
        count = 0
        for breach in breaches(at=timezone.now()):
            count += 1
            self.stdout.write(str(breach))
        if count:
            raise CommandError(f"{count} breaches of the invariants.")
        self.stdout.write("All invariants hold.")
