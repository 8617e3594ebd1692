"""`manage.py restore FOLDER`: restore a backup into this database.

Stop the site first. Then this migrates the tables, signs everybody out, does what has
become due since the backup, and checks all invariants.
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

from game.contest.chain import GENESIS_HASH
from game.contest.commitments import EntryKind
from game.contest.outages import ProcessRole
from game.management.backups import BackupError, backup_check, backup_restore
from game.models import AuditHead
from game.services.accounts.sessions import sign_everybody_out
from game.services.dailies.commitments import NewEntry, commitments_add
from game.services.maintenance.tick import tick
from game.services.runs.outages import sign_of_life_record

# One tick may make more due: a race that closes is settled by the next.
_MAX_TICKS = 5


class Command(BaseCommand):
    """Restore a backup."""

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the folder, `--replace` and `--other-key`."""
        parser.add_argument("folder", type=Path, help="a folder that `backup` wrote")
        parser.add_argument(
            "--replace", action="store_true", help="overwrite the database"
        )
        parser.add_argument(
            "--other-key",
            action="store_true",
            help="the backup's seed key is lost: its open dungeons cannot be continued",
        )

    def handle(
        self, *_: Any, folder: Path, replace: bool, other_key: bool, **__: Any
    ) -> None:
        """Check the backup and the key, restore it and check the result."""
        try:
            facts = backup_check(folder, other_key=other_key)
            backup_restore(folder, replace=replace)
        except BackupError as refusal:
            raise CommandError(str(refusal)) from refusal
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write(f"Restored the backup of {facts['made_at']}.")
        ended = sign_everybody_out()
        self.stdout.write(f"Signed everybody out: ended {ended} sessions and tokens.")
        # First, because the next steps may add to the log.
        self._check_audit_log(facts["audit"])
        if other_key:
            self.stdout.write(
                "Invariants cannot be checked without the backup's seed key."
            )
            return
        self._catch_up(facts["made_at"], timezone.now())
        call_command("verify_invariants", stdout=self.stdout)

    def _check_audit_log(self, audit: dict[str, Any]) -> None:
        """Check that the audit log is intact and that of the backup."""
        call_command("verify_audit", stdout=self.stdout)
        head = AuditHead.objects.first()
        current = (head.count, head.hash) if head else (0, GENESIS_HASH)
        if current != (audit["count"], audit["hash"]):
            raise CommandError(
                f"The log has {current[0]} entries and ends with {current[1]}; when the"
                f" backup was made, {audit['count']} and {audit['hash']}."
            )

    def _catch_up(self, made_at: str, at: datetime) -> None:
        """Do what has become due since the backup was made.

        The time between is an outage, as if a web process came back now. The chain of
        commitments says that the backup was restored: copies of what it had after the
        backup will differ.
        """
        sign_of_life_record(at=at, role=ProcessRole.WEB)
        commitments_add([NewEntry(EntryKind.RESTORED, {"backup_at": made_at})], at=at)
        for _ in range(_MAX_TICKS):
            if not any(tick(at=at).values()):
                return
