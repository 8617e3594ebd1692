"""`manage.py ratings_rebuild`: rebuild every rating from the ledger of changes.

It corrects wrong ratings only and is safe at any time.
"""

from typing import Any

from django.core.management import BaseCommand
from django.utils import timezone

from game.services.boards.ratings import ratings_rebuild


class Command(BaseCommand):
    """Rebuild all ratings."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """Rebuild; print how many ratings there are and how many were wrong."""
        total, corrected = ratings_rebuild(at=timezone.now())
        self.stdout.write(f"{total} ratings, {corrected} corrected.")
