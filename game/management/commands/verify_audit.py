"""`manage.py verify_audit`: read the moderators' log through, and say where it breaks.

Finds a changed, missing, added or reordered row, and a trigger that is gone. Changes
nothing; ends with 1 where the chain does not hold or is not guarded.
"""

from typing import Any

from django.core.management import BaseCommand, CommandError

from game.models import AuditHead
from game.services.moderation.audit import audit_breaks, audit_triggers_missing


class Command(BaseCommand):
    """Check the chain of the audit log."""

    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        """A line for each break, then the sum and the head."""
        count = 0
        for one in audit_breaks():
            count += 1
            self.stdout.write(f"entry {one.number}: {one.text}")
        for name in audit_triggers_missing():
            count += 1
            self.stdout.write(f"trigger {name}: is not there")
        if count:
            raise CommandError(f"The log is broken in {count} places.")
        head = AuditHead.objects.first()
        entries = head.count if head else 0
        mark = f", head {head.hash}" if head else ""
        self.stdout.write(f"The log holds: {entries} entries{mark}.")
