"""`manage.py verify_audit`: check the hash chain of the audit log.

It finds changed, missing, added and reordered rows and missing triggers, changes
nothing, and exits with 1 if it found any.
"""

from typing import Any

from django.core.management import BaseCommand, CommandError

from game.models import AuditHead
from game.services.moderation.audit import audit_breaks, audit_triggers_missing


class Command(BaseCommand):
    """Check the audit log."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """Print a line for each fault, or the length and the last hash."""
        count = 0
        for fault in audit_breaks():
            count += 1
            self.stdout.write(f"entry {fault.number}: {fault.text}")
        for name in audit_triggers_missing():
            count += 1
            self.stdout.write(f"trigger {name}: missing")
        if count:
            raise CommandError(f"The log has {count} faults.")
        head = AuditHead.objects.first()
        entries = head.count if head else 0
        last_hash = f", head {head.hash}" if head else ""
        self.stdout.write(f"The log is intact: {entries} entries{last_hash}.")
