"""What third parties get: the signed heads of both chains, and the chain itself."""

import json
from datetime import datetime

from django.conf import settings

from game.contest.chain import GENESIS_HASH
from game.contest.commitments import Head, export_entry, heads_statement
from game.models import AuditHead, Commitment
from game.selectors.core.times import as_text
from game.selectors.dailies import schemas as dailies_schemas
from game.selectors.dailies.commitments import chain_head
from game.services.core.signing import public_key, sign
from game.services.dailies.beacons import beacon_network
from game.services.dailies.commitments import link_of


def fairness_json(*, at: datetime) -> dailies_schemas.Fairness:
    """The heads of both chains at that instant, signed by the site."""
    dailies = chain_head()
    row = AuditHead.objects.filter(id=1).first()
    audit = Head(row.count, row.hash) if row else Head(0, GENESIS_HASH)
    statement = heads_statement(
        at=as_text(at),
        dailies=Head(dailies["number"], dailies["hash"]),
        audit=audit,
    )
    network = beacon_network()
    return {
        "at": as_text(at),
        "dailies": dailies,
        "audit": {"number": audit.number, "hash": audit.hash},
        "statement": statement,
        "public_key": public_key(),
        "signature": sign(statement),
        "beacon": {
            "network": network.name,
            "chain": network.chain,
            "public_key": network.public_key,
        }
        if settings.BEACON_URL
        else None,
    }


def chain_ndjson(*, after: int, limit: int) -> str:
    """The entries with a higher number, one JSON object a line, at most `limit`."""
    rows = Commitment.objects.filter(number__gt=after).order_by("number")[:limit]
    entries = (export_entry(link_of(row)) for row in rows)
    return "".join(f"{json.dumps(entry._asdict())}\n" for entry in entries)
