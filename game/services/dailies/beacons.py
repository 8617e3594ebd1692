"""Verifies and stores the public random values that dailies name; says which are due.

The value comes from an operator's command or from the worker, which asks the address in
BEACON_URL. Nothing waits for it: a daily whose value is missing when its dungeon must
be chosen is drawn without it, and its published record says so.
"""

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from py_arkworks_bls12381 import GT, G1Point, G2Point

from game.contest.beacon import (
    SIGNATURE_TAG,
    BeaconNetwork,
    daily_round,
    round_message,
    round_time,
)
from game.contest.drawing import day_key
from game.models import BeaconRound, Daily
from game.services.core.errors import Kind, ServiceRefusal
from game.services.runs.dungeons import seed_decrypt


class DayKey(NamedTuple):
    """The secret key of a day's candidates, and the public value that is in it ("")."""

    key: str
    beacon_signature: str


def beacon_network() -> BeaconNetwork:
    """The drand network whose rounds dailies name."""
    network: BeaconNetwork = settings.BEACON_NETWORK
    return network


def beacon_named_round(*, opens_at: datetime, drawn_at: datetime) -> int | None:
    """The round that a daily which is drawn now must name; None if beacons are off."""
    if not settings.BEACON_URL:
        return None
    return daily_round(beacon_network(), opens_at=opens_at, drawn_at=drawn_at)


def beacon_rounds_due(*, at: datetime) -> list[int]:
    """The published rounds whose value a daily still needs, in order."""
    network = beacon_network()
    known = BeaconRound.objects.filter(chain=network.chain).values("number")
    dailies = Daily.objects.filter(dungeon=None, closes_at__gt=at)
    dailies = dailies.exclude(beacon_round=None).exclude(beacon_round__in=known)
    numbers = dailies.order_by("beacon_round").values_list("beacon_round", flat=True)
    return [n for n in numbers.distinct() if n and round_time(network, n) <= at]


def beacon_round_store(*, number: int, signature: str, at: datetime) -> bool:
    """Store the value of a round; False if it was stored before.

    Raises beacon.not_valid if the network did not sign that round with it.
    """
    network = beacon_network()
    signature = signature.strip().lower()
    if not beacon_is_valid(network, number, signature):
        raise ServiceRefusal(
            Kind.MALFORMED,
            "beacon.not_valid",
            "That is not the network's signature of that round.",
        )
    _, is_new = BeaconRound.objects.get_or_create(
        chain=network.chain,
        number=number,
        defaults={"signature": signature, "stored_at": at},
    )
    return is_new


@lru_cache(maxsize=64)
def beacon_is_valid(network: BeaconNetwork, number: int, signature: str) -> bool:
    """Whether the network's key signed that round. Takes about 5 ms."""
    try:
        signed = G1Point.from_compressed_bytes(bytes.fromhex(signature))
        key = G2Point.from_compressed_bytes(bytes.fromhex(network.public_key))
        message = G1Point.hash_to_curve(round_message(number), SIGNATURE_TAG)
    except (ValueError, OverflowError):
        return False
    return GT.pairing_check([message, -signed], [key, G2Point()])


def day_key_find(daily: Daily) -> DayKey | None:
    """The key of a day's candidates; None while the round it names is not stored."""
    if daily.beacon_round is None:
        return day_key_without_beacon(daily)
    beacon = BeaconRound.objects.filter(
        chain=beacon_network().chain, number=daily.beacon_round
    ).first()
    if beacon is None:
        return None
    master = seed_decrypt(daily.id, daily.master_sealed)
    key = day_key(master, beacon.number, beacon.signature)
    return DayKey(key, beacon.signature)


def day_key_without_beacon(daily: Daily) -> DayKey:
    """The key of a day that names no round, or is drawn without its value."""
    return DayKey(seed_decrypt(daily.id, daily.master_sealed), "")
