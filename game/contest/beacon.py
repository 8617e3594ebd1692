"""The public random value of a daily: a round of drand, which nobody knows in advance.

drand is a network of independent operators who publish a signed random value every
three seconds. The number and time of each round are known in advance, its value is not,
and anybody can verify it with the network's public key. A daily names its round when it
is drawn, so neither its operator nor anybody else can know its dungeon before that
round is published.
"""

import hashlib
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

# The named round is published this long before the day opens: long enough to choose
# the dungeons of all rulesets (24 candidates of 15 s each, at the most).
BEACON_LEAD: Final = timedelta(hours=2)
# The signature scheme `bls-unchained-g1-rfc9380` hashes to the curve under this tag.
SIGNATURE_TAG: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


class BeaconState(StrEnum):
    """What has become of the round that a daily named."""

    # Its dungeon is not chosen yet.
    WAITING = "waiting"
    # Its dungeon was chosen with the value.
    USED = "used"
    # Its dungeon was chosen without: the value was not known in time.
    MISSING = "missing"


class BeaconNetwork(NamedTuple):
    """A drand network of the scheme `bls-unchained-g1-rfc9380`.

    `chain` is the hash that identifies it, `public_key` a compressed point of G2, both
    in hexadecimal. Round 1 was published at `genesis` (Unix time, in seconds).
    """

    name: str
    chain: str
    public_key: str
    genesis: int
    period_s: int


QUICKNET: Final = BeaconNetwork(
    name="quicknet",
    chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    public_key=(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    genesis=1_692_803_367,
    period_s=3,
)


def round_time(network: BeaconNetwork, number: int) -> datetime:
    """When a round is published; rounds are numbered from 1."""
    seconds = network.genesis + (number - 1) * network.period_s
    return datetime.fromtimestamp(seconds, UTC)


def round_at(network: BeaconNetwork, at: datetime) -> int:
    """The first round that is published at `at` or later; at least 1."""
    genesis = datetime.fromtimestamp(network.genesis, UTC)
    periods = -((genesis - at) // timedelta(seconds=network.period_s))  # rounded up
    return max(1, periods + 1)


def daily_round(
    network: BeaconNetwork, *, opens_at: datetime, drawn_at: datetime
) -> int | None:
    """The round that a daily names when it is drawn.

    None if that round is published already: its value could have been known.
    """
    number = round_at(network, opens_at - BEACON_LEAD)
    return number if round_time(network, number) > drawn_at else None


def round_message(number: int) -> bytes:
    """The message that the network signs for a round."""
    return hashlib.sha256(number.to_bytes(8, "big")).digest()


def randomness_of(signature: str) -> str:
    """The random value of a round, from its signature; both in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(signature)).hexdigest()
