"""`manage.py beacon [ROUND SIGNATURE]`: enter the value of a drand round by hand.

Without arguments it lists the published rounds that a daily needs. The signature is
that of the network's public API (`/CHAIN/public/ROUND`); it is verified, so it does not
matter where it comes from.
"""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from game.rules import Refusal
from game.services.dailies.beacons import (
    beacon_network,
    beacon_round_store,
    beacon_rounds_due,
)


class Command(BaseCommand):
    """List the rounds that are due, or store one."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the round and its signature, which must both be given or neither."""
        parser.add_argument("number", nargs="?", type=int, metavar="ROUND")
        parser.add_argument("signature", nargs="?", help="in hexadecimal")

    def handle(
        self, *_: Any, number: int | None, signature: str | None, **__: Any
    ) -> None:
        """Print what is due, or store the value and print what was done."""
        now = timezone.now()
        if number is None:
            due = beacon_rounds_due(at=now)
            self.stdout.write("\n".join(map(str, due)) or "No round is due.")
            return
        if signature is None:
            raise CommandError("Give the round's signature, too.")
        try:
            is_new = beacon_round_store(number=number, signature=signature, at=now)
        except Refusal as refusal:
            raise CommandError(f"{refusal.text} ({refusal.code})") from refusal
        outcome = "Stored" if is_new else "Already stored"
        self.stdout.write(f"{outcome}: round {number} of {beacon_network().name}.")
