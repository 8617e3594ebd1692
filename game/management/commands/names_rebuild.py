"""`manage.py names_rebuild`: compute again what the stored names look like.

Run it after an update of the package `disarm` that changes which letters look alike.
Safe at any time.
"""

from typing import Any

from django.apps import apps
from django.core.management import BaseCommand
from django.db import transaction

from game.services.accounts.name_rebuild import names_rebuild


class Command(BaseCommand):
    """Compute the skeletons of names again."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """Print how many changed."""
        with transaction.atomic():
            changed = names_rebuild(apps.get_model)
        self.stdout.write(f"Names that look different now: {changed}.")
