"""How a daily's dungeon is drawn, so that anybody can check it after the reveal.

One secret master a daily, sealed beforehand. Candidate n is the HMAC of the master with
`scoundrel-daily-v1:n`; the daily takes the first candidate that meets the rule below.
So whoever runs the site chooses nothing but the master, and that long before.

Check it by hand: `printf %s MASTER | sha256sum` gives the published seal, and
`printf %s scoundrel-daily-v1:N | openssl dgst -sha256 -hmac MASTER` the seed.
"""

import hmac
from enum import StrEnum
from typing import Final

from game.contest.calendar import Band

# After so many candidates without the planned difficulty, another way is taken.
MAX_CANDIDATES: Final = 24


class SelectionReason(StrEnum):
    """Which part of the rule chose the candidate."""

    # The first that is proven winnable and of the planned difficulty.
    PLANNED = "planned"
    # The first that is proven winnable: none of MOST_CANDIDATES was as planned, or the
    # daily was about to open before its difficulty had been measured.
    WINNABLE = "winnable"
    # Candidate 0: not one of MOST_CANDIDATES was proven winnable.
    FIRST = "first"


def candidate_seed(master: str, number: int) -> str:
    """The seed of a candidate: 64 hexadecimal characters."""
    message = f"scoundrel-daily-v1:{number}".encode("ascii")
    return hmac.digest(master.encode("ascii"), message, "sha256").hex()


def meets_plan(*, winnable: bool, band: Band, wanted: Band) -> bool:
    """Whether a candidate may be the daily's dungeon as planned."""
    return winnable and band is wanted
