"""How a daily's dungeon is drawn, so that anybody can verify it after the reveal.

Each daily has one secret master seed, whose hash is published in advance. Candidate n
is the HMAC of the day's key with `scoundrel-daily-v1:n`; the daily uses the first one
that meets the rule below. The day's key is the master itself or, for a daily that uses
a public random value (`game.contest.beacon`), the HMAC of the master with that value.

To verify it: `printf %s MASTER | sha256sum` gives the published seal,
`printf %s scoundrel-beacon-v1:ROUND:RANDOMNESS | openssl dgst -sha256 -hmac MASTER` the
key, and `printf %s scoundrel-daily-v1:N | openssl dgst -sha256 -hmac KEY` the seed.
"""

import hmac
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from game.contest.beacon import randomness_of
from game.contest.calendar import Band
from game.contest.chain import canonical_json

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


def day_key(master: str, beacon_round: int | None, beacon_signature: str) -> str:
    """The key that a daily's candidates are derived from.

    It is the master itself if the daily uses no public random value (no signature).
    """
    if beacon_round is None or not beacon_signature:
        return master
    value = randomness_of(beacon_signature)
    return _hmac(master, f"scoundrel-beacon-v1:{beacon_round}:{value}")


def candidate_seed(key: str, number: int) -> str:
    """The seed of a candidate under the day's key: 64 hexadecimal characters."""
    return _hmac(key, f"scoundrel-daily-v1:{number}")


def label_seal(master: str, label: Mapping[str, Any]) -> str:
    """The commitment to a difficulty label, published before the master is revealed."""
    return _hmac(master, f"scoundrel-label-v1:{canonical_json(label)}")


def _hmac(key: str, message: str) -> str:
    return hmac.digest(key.encode("ascii"), message.encode("ascii"), "sha256").hex()


def meets_plan(*, winnable: bool, band: Band, wanted: Band) -> bool:
    """Whether a candidate is winnable and has the wanted difficulty."""
    return winnable and band is wanted


class Judgement(NamedTuple):
    """What the analysis says of a candidate; `band` is None if it was not measured."""

    is_winnable: bool
    band: Band | None = None


def choice_fault(
    *,
    reason: SelectionReason,
    number: int,
    wanted: Band,
    judge: Callable[[int], Judgement],
) -> str | None:
    """Why the rule does not choose that candidate for that reason; None if it does.

    `judge` must measure the difficulty for the reason `planned` only.
    """
    if reason is SelectionReason.FIRST:
        winnable = [n for n in range(MAX_CANDIDATES) if judge(n).is_winnable]
        return f"candidate {winnable[0]} is winnable" if winnable else None
    for n in range(number + 1):
        judgement = judge(n)
        fits = judgement.is_winnable and (
            reason is SelectionReason.WINNABLE or judgement.band is wanted
        )
        if fits != (n == number):
            how = "fits" if fits else "does not fit"
            return f"candidate {n} {how} the rule {reason}"
    return None
