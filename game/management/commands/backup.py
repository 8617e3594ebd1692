"""`manage.py backup FOLDER`: back up the whole database while the site runs.

The seed key is not included: store it elsewhere, or the seeds of open dungeons are
lost.
"""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from game.management.backups import BackupError, backup_create


class Command(BaseCommand):
    """Back up the database into a new folder."""

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the folder."""
        parser.add_argument("folder", type=Path, help="a new or an empty folder")

    def handle(self, *_: Any, folder: Path, **__: Any) -> None:
        """Write the backup; print its digest and where the seed key is."""
        try:
            facts = backup_create(folder, at=timezone.now())
        except BackupError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{folder / facts['file']}: {facts['sha256']}")
        self.stdout.write(
            f"The seed key {facts['seed_key']} is not included; store it elsewhere"
            " (SEED_KEY, or the file seed_key in var/)."
        )
