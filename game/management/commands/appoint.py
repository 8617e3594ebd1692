"""`manage.py appoint NAME`: make somebody who has signed up an administrator.

A site's first one comes about this way; he gives the other roles at the desk.
"""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from game.contest.moderation.roles import STAFF_ROLE_BY_KEY, StaffRole
from game.rules import Refusal
from game.services.moderation.roles import has_totp, role_set_by_name


class Command(BaseCommand):
    """Give a role from the console; it is logged like any other."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """The name, and another role than administrator."""
        parser.add_argument("name", help="as it stands on the site")
        parser.add_argument(
            "--role",
            default=StaffRole.ADMINISTRATOR.key,
            choices=[key or "none" for key in STAFF_ROLE_BY_KEY],
        )

    def handle(self, *_: Any, name: str, role: str, **__: Any) -> None:
        """Say what became of it, and what is still wanting."""
        key = "" if role == "none" else role
        try:
            account = role_set_by_name(name=name, role=key, at=timezone.now())
        except Refusal as refusal:
            raise CommandError(f"{refusal.text} ({refusal.code})") from refusal
        self.stdout.write(f"{account.name}: {key or 'no role'}.")
        if key and not has_totp(account.id):
            self.stdout.write("The desk opens once the second factor is set up.")
