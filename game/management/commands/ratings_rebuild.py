"""`manage.py ratings_rebuild`: every rating anew, from the ledger of changes alone.

Changes nothing that was right, and is safe at any time.
"""

from typing import Any

from django.core.management import BaseCommand
from django.utils import timezone

from game.services.boards.ratings import ratings_rebuild


class Command(BaseCommand):
    """Make all ratings anew."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """Say how many ratings there are, and how many were wrong."""
        total, mended = ratings_rebuild(at=timezone.now())
        self.stdout.write(f"{total} ratings, {mended} mended.")
