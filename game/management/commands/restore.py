"""`manage.py restore FOLDER`: put a copy that `backup` made into this database.

Stop the site first. Afterwards the tables are brought up to date, what has become due
meanwhile is done, and all laws are checked.
"""

from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management import (
    BaseCommand,
    CommandError,
    CommandParser,
    call_command,
)
from django.utils import timezone

from game.contest.moderation.chain import GENESIS_HASH
from game.management.backups import CopyRefusal, copy_check, copy_restore
from game.models import AuditHead
from game.services.maintenance.tick import tick

# What is due may make more due: a race that closes is then settled.
_TICKS = 5


class Command(BaseCommand):
    """Restore a copy."""

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder; `--replace`; `--other-key`."""
        parser.add_argument("folder", type=Path, help="what `backup` made")
        parser.add_argument(
            "--replace", action="store_true", help="all that is in the database may go"
        )
        parser.add_argument(
            "--other-key",
            action="store_true",
            help="the copy's seed key is lost: its open dungeons cannot be played on",
        )

    def handle(
        self, *_: Any, folder: Path, replace: bool, other_key: bool, **__: Any
    ) -> None:
        """Check the copy and the key, put it in, and prove it."""
        try:
            facts = copy_check(folder, other_key=other_key)
            copy_restore(folder, replace=replace)
        except CopyRefusal as refusal:
            raise CommandError(str(refusal)) from refusal
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write(f"Restored the copy of {facts['made_at']}.")
        # At once: what is done next may add to the log.
        self._same_log(facts["audit"])
        if other_key:
            self.stdout.write("With another seed key nothing can be proved.")
            return
        self._catch_up(timezone.now())
        call_command("verify_invariants", stdout=self.stdout)

    def _same_log(self, audit: dict[str, Any]) -> None:
        """The log is whole, guarded, and the one that the copy was made of."""
        call_command("verify_audit", stdout=self.stdout)
        head = AuditHead.objects.first()
        found = (head.count, head.hash) if head else (0, GENESIS_HASH)
        if found != (audit["count"], audit["hash"]):
            raise CommandError(
                f"The log has {found[0]} entries and ends with {found[1]}; when the"
                f" copy was made, {audit['count']} and {audit['hash']}."
            )

    def _catch_up(self, at: datetime) -> None:
        """Do what the site missed since the copy was made."""
        for _ in range(_TICKS):
            if not any(tick(at=at).values()):
                return
