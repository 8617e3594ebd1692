"""`manage.py tick`: do everything that is due, as beat does every 15 seconds."""

from datetime import datetime
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from game.services.maintenance.tick import tick


class Command(BaseCommand):
    """Do everything that is due."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--at`."""
        parser.add_argument(
            "--at",
            help="act as if it were this time, such as 2026-11-30T00:35:00Z; for tests:"
            " after a time in the future the dailies of a site wait until then",
        )

    def handle(self, *_: Any, at: str | None = None, **__: Any) -> None:
        """Tick; print one line for each part that did something."""
        counts = tick(at=_instant(at) if at else timezone.now())
        lines = [f"{name}: {count}" for name, count in counts.items() if count]
        self.stdout.write("\n".join(lines) or "Nothing was due.")


def _instant(text: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text!r} is not a time.") from error
    if instant.tzinfo is None:
        raise CommandError("A time needs a zone: end it with Z for UTC.")
    return instant
