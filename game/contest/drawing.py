"""How a daily's dungeon is drawn, so that anybody can verify it after the reveal.

Each daily has one secret master seed, whose hash is published in advance. Candidate n
is the HMAC of the master with `scoundrel-daily-v1:n`; the daily uses the first one that
meets the rule below. So the operator chooses only the master, long in advance.

To verify it: `printf %s MASTER | sha256sum` gives the published seal, and
`printf %s scoundrel-daily-v1:N | openssl dgst -sha256 -hmac MASTER` the seed.
"""

import hmac
from enum import StrEnum
from typing import Final

from game.contest.calendar import Band

# After this many candidates without the planned difficulty, a weaker rule applies.
MAX_CANDIDATES: Final = 24


class SelectionReason(StrEnum):
    """Which rule chose the candidate."""

    # The first that is proven winnable and has the planned difficulty.
    PLANNED = "planned"
    # The first that is proven winnable: no candidate had the planned difficulty, or the
    # daily was about to open before the difficulty was measured.
    WINNABLE = "winnable"
    # Candidate 0: none was proven winnable.
    FIRST = "first"


def candidate_seed(master: str, number: int) -> str:
    """The seed of a candidate: 64 hexadecimal characters."""
    message = f"scoundrel-daily-v1:{number}".encode("ascii")
    return hmac.digest(master.encode("ascii"), message, "sha256").hex()


def meets_plan(*, winnable: bool, band: Band, wanted: Band) -> bool:
    """Whether a candidate is winnable and has the wanted difficulty."""
    return winnable and band is wanted
