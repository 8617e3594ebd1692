"""The JSON of the chain of commitments, and of the public value of a daily."""

from django.conf import settings

from game.contest.beacon import BeaconNetwork, BeaconState, randomness_of, round_time
from game.contest.chain import GENESIS_HASH
from game.models import Commitment, CommitmentHead, Daily
from game.selectors.core.times import as_text
from game.selectors.dailies import schemas as dailies_schemas


def chain_head() -> dailies_schemas.ChainHead:
    """The head of the chain of commitments."""
    head = CommitmentHead.objects.filter(id=1).first()
    return {
        "number": head.count if head else 0,
        "hash": head.hash if head else GENESIS_HASH,
    }


def chain_entries(daily: Daily) -> list[dailies_schemas.ChainEntryRef]:
    """The numbers, kinds and hashes of the entries about a daily, in order."""
    rows = Commitment.objects.filter(on=daily.on, ruleset=daily.ruleset)
    return [
        {"number": number, "kind": kind, "hash": hashed}
        for number, kind, hashed in rows.order_by("number").values_list(
            "number", "kind", "hash"
        )
    ]


def beacon_show(daily: Daily) -> dailies_schemas.DailyBeacon | None:
    """The public value that the daily named, if any."""
    if daily.beacon_round is None:
        return None
    network: BeaconNetwork = settings.BEACON_NETWORK
    signature = daily.beacon_signature
    if daily.dungeon_id is None:
        state = BeaconState.WAITING
    else:
        state = BeaconState.USED if signature else BeaconState.MISSING
    return {
        "network": network.name,
        "chain": network.chain,
        "round": daily.beacon_round,
        "published_at": as_text(round_time(network, daily.beacon_round)),
        "state": state,
        "signature": signature or None,
        "randomness": randomness_of(signature) if signature else None,
    }
