"""`manage.py boards_rebuild`: every board anew, from the runs that were counted.

Boards are views: this changes nothing that was right, and is safe at any time. Digests
are not touched.
"""

from typing import Any

from django.core.management import BaseCommand

from game.services.boards.leaderboards import boards_rebuild


class Command(BaseCommand):
    """Make all boards anew."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """Say each board and its number of entries."""
        for board, entries in boards_rebuild().items():
            self.stdout.write(f"{board}: {entries}")
