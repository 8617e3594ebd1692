"""`manage.py boards_rebuild`: rebuild every board from its runs.

It corrects wrong entries only and is safe at any time. Digests do not change.
"""

from typing import Any

from django.core.management import BaseCommand

from game.services.boards.leaderboards import boards_rebuild


class Command(BaseCommand):
    """Rebuild all boards."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """Rebuild; print each board and its number of entries."""
        for board, entries in boards_rebuild().items():
            self.stdout.write(f"{board}: {entries}")
