"""`manage.py seed_demo`: a small lively world of accounts, runs and dailies, once."""

from typing import Any

from django.core.management import BaseCommand, CommandParser
from django.utils import timezone

from game.services.demo.cases import demo_case
from game.services.demo.dailies import DAYS, demo_dailies
from game.services.demo.world import PEOPLE, demo_seed


class Command(BaseCommand):
    """Fill an empty site with people who have played."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """The world's own seed, its size, and a password for one of its people."""
        parser.add_argument("--seed", default="1", help="another seed, another world")
        parser.add_argument("--runs", type=int, default=300)
        parser.add_argument("--days", type=int, default=DAYS, help="dailies gone by")
        parser.add_argument(
            "--password", help=f"lets you sign in as {PEOPLE[0]}; none by default"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Make it, unless it is there."""
        world = demo_seed(
            seed=options["seed"],
            at=timezone.now(),
            runs=options["runs"],
            password=options["password"],
        )
        if world is None:
            self.stdout.write("The demo world is there already; nothing was added.")
            return
        days = demo_dailies(
            seed=options["seed"], at=timezone.now(), days=options["days"]
        )
        demo_case(at=timezone.now())
        self.stdout.write(
            f"Made {world.accounts} accounts, {world.runs} runs and {days} dailies."
        )
