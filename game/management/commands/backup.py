"""`manage.py backup FOLDER`: a copy of the whole database, while the site runs.

The seed key is not in it; keep it apart, or the seeds of open dungeons are lost.
"""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from game.management.backups import CopyRefusal, copy_make


class Command(BaseCommand):
    """Copy the database into a new folder."""

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder."""
        parser.add_argument("folder", type=Path, help="a new or an empty folder")

    def handle(self, *_: Any, folder: Path, **__: Any) -> None:
        """Make it, and say what is not in it."""
        try:
            facts = copy_make(folder, at=timezone.now())
        except CopyRefusal as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{folder / facts['file']}: {facts['sha256']}")
        self.stdout.write(
            f"The seed key {facts['seed_key']} is not in it; keep it elsewhere"
            " (SEED_KEY, or the file seed_key in var/)."
        )
