"""`manage.py verify_chain`: check the chain of commitments, and compare kept copies.

    manage.py verify_chain                              this site's chain and signatures
    manage.py verify_chain --copy FILE                  and whether it continues FILE
    manage.py verify_chain --copy FILE --site ADDRESS   the chain that a site publishes

FILE has lines of `GET /api/v1/fairness/chain/`, answers of `GET /api/v1/fairness/` (one
a line), or both. The first difference is named, and the exit code is 1.
"""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from game.management.chain_copies import (
    ChainSource,
    CopyError,
    KeptCopy,
    copy_read,
    difference,
    own_chain,
    published_chain,
)


class Command(BaseCommand):
    """Check a chain of commitments."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--copy` and `--site`."""
        parser.add_argument("--copy", type=Path, help="a file that was kept")
        parser.add_argument(
            "--site", help="a site's address, such as https://a.example"
        )

    def handle(self, *_: Any, copy: Path | None, site: str | None, **__: Any) -> None:
        """Print the chain's length and head, or each fault and the first difference."""
        try:
            chain = published_chain(site) if site else own_chain()
            compared = copy_read(copy) if copy else KeptCopy([], [])
            self._check(chain, compared)
        except CopyError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"The chain is intact: {chain.head.number} entries, head {chain.head.hash}."
        )
        if copy is not None:
            self.stdout.write(
                f"It continues the copy: {len(compared.links)} entries and"
                f" {len(compared.statements)} signed heads are unchanged."
            )

    def _check(self, chain: ChainSource, copy: KeptCopy) -> None:
        for fault in chain.faults:
            self.stdout.write(f"entry {fault.number}: {fault.text}")
        first = difference(copy, chain)
        if first is not None:
            self.stdout.write(f"first difference: {first}")
        if chain.faults or first is not None:
            raise CommandError("The chain is not the one that was published.")
