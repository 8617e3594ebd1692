"""`manage.py appoint NAME`: make an account an administrator.

A site needs this for its first administrator, who gives the other roles in the
moderation desk.
"""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from game.contest.moderation.roles import STAFF_ROLE_BY_KEY, StaffRole
from game.rules import Refusal
from game.services.moderation.roles import has_totp, role_set_by_name


class Command(BaseCommand):
    """Give a staff role; the audit log records it like any other."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the name and `--role`."""
        parser.add_argument("name", help="the account's name on the site")
        parser.add_argument(
            "--role",
            default=StaffRole.ADMINISTRATOR.key,
            choices=[key or "none" for key in STAFF_ROLE_BY_KEY],
        )

    def handle(self, *_: Any, name: str, role: str, **__: Any) -> None:
        """Set the role; print it, and whether a second factor is missing."""
        key = "" if role == "none" else role
        try:
            account = role_set_by_name(name=name, role=key, at=timezone.now())
        except Refusal as refusal:
            raise CommandError(f"{refusal.text} ({refusal.code})") from refusal
        self.stdout.write(f"{account.name}: {key or 'no role'}.")
        if key and not has_totp(account.id):
            self.stdout.write(
                "They can open the desk after setting up a second factor."
            )
