"""Draws dungeons and opens them to deal. The one place that sees a sealed seed.

Seeds lie encrypted (AES-256-GCM, bound to their dungeon's id) under SEED_KEY, which is
not Django's SECRET_KEY. Decks are opened once a process and kept in memory only.
"""

import base64
import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from game.models import Dungeon, new_id
from game.rules import Card, check_seed, deal, find_ruleset, seal_of

_NONCE = 12
_FORMAT = "1:"
# A deck of a few hundred bytes each: the dungeons that are being played right now.
_OPEN_DECKS = 4096


def dungeon_draw(
    *,
    ruleset: str,
    origin: str,
    at: datetime,
    seed: str | None = None,
    secret: bool = False,
) -> Dungeon:
    """A new dungeon row: of the seed given, or of a secret one from the system.

    A secret seed is 32 random bytes in hexadecimal; `secret` says that the seed given
    is one too, so that nobody knows it. Raises UnknownRuleset, InvalidSeed.
    """
    find_ruleset(ruleset)
    text = secrets.token_hex(32) if seed is None else check_seed(seed)
    dungeon_id = new_id()
    return Dungeon.objects.create(
        id=dungeon_id,
        ruleset=ruleset,
        origin=origin,
        seal=seal_of(text),
        seed_sealed=seed_close(text, dungeon_id),
        seed_given=seed is not None and not secret,
        drawn_at=at,
    )


def seed_open(dungeon_id: str, sealed: str) -> str:
    """The seed of a dungeon, for the reveal and for dealing; never for a log.

    The master of a daily lies closed the same way, under the daily's id.
    """
    raw = base64.b64decode(sealed.removeprefix(_FORMAT))
    key = base64.urlsafe_b64decode(settings.SEED_KEY)
    opened = AESGCM(key).decrypt(raw[:_NONCE], raw[_NONCE:], dungeon_id.encode())
    return opened.decode("ascii")


@lru_cache(maxsize=_OPEN_DECKS)
def deck_open(dungeon_id: str, sealed: str) -> Sequence[Card]:
    """The deck of a dungeon, top first. Stays inside the server."""
    return deal(seed_open(dungeon_id, sealed))


def seed_close(seed: str, dungeon_id: str) -> str:
    """A seed as it is kept; the id it is bound to may also be a daily's."""
    nonce = secrets.token_bytes(_NONCE)
    key = base64.urlsafe_b64decode(settings.SEED_KEY)
    closed = AESGCM(key).encrypt(nonce, seed.encode("ascii"), dungeon_id.encode())
    return _FORMAT + base64.b64encode(nonce + closed).decode("ascii")
