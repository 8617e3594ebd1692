"""`manage.py seed_demo`: create sample accounts, runs and dailies, once."""

from typing import Any

from django.core.management import BaseCommand, CommandParser
from django.utils import timezone

from game.services.demo.cases import demo_case
from game.services.demo.dailies import DAYS, demo_dailies
from game.services.demo.world import PEOPLE, demo_seed


class Command(BaseCommand):
    """Fill an empty site with sample data."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the seed, the amounts and a password for one of the accounts."""
        parser.add_argument(
            "--seed", default="1", help="a different seed makes different data"
        )
        parser.add_argument("--runs", type=int, default=300)
        parser.add_argument(
            "--days", type=int, default=DAYS, help="how many past dailies"
        )
        parser.add_argument(
            "--password", help=f"lets you sign in as {PEOPLE[0]}; none by default"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Create the data, unless it exists already."""
        world = demo_seed(
            seed=options["seed"],
            at=timezone.now(),
            runs=options["runs"],
            password=options["password"],
        )
        if world is None:
            self.stdout.write("The sample data exists already; nothing was added.")
            return
        days = demo_dailies(
            seed=options["seed"], at=timezone.now(), days=options["days"]
        )
        demo_case(at=timezone.now())
        self.stdout.write(
            f"Made {world.accounts} accounts, {world.runs} runs and {days} dailies."
        )
