"""Creates dungeons, and decrypts their seeds; no other module does.

Seeds are stored encrypted by AES-256-GCM, bound to their dungeon's id, under SEED_KEY
(which is not Django's SECRET_KEY). Each process caches decks in memory only.
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
from game.selectors.runs.runs import RunRow, can_see_seed

_NONCE = 12
_FORMAT = "1:"
# More than the dungeons that are played at once; a deck takes a few hundred bytes.
_CACHED_DECKS = 4096


def dungeon_create(
    *,
    ruleset: str,
    origin: str,
    at: datetime,
    seed: str | None = None,
    secret: bool = False,
) -> Dungeon:
    """Create a dungeon of the given seed, or of a new secret one.

    A secret seed is 32 random bytes from the system, in hexadecimal. `secret` marks a
    given seed as secret too: no player knows it. Raises UnknownRuleset, InvalidSeed.
    """
    find_ruleset(ruleset)
    text = secrets.token_hex(32) if seed is None else check_seed(seed)
    dungeon_id = new_id()
    return Dungeon.objects.create(
        id=dungeon_id,
        ruleset=ruleset,
        origin=origin,
        seal=seal_of(text),
        seed_sealed=seed_encrypt(text, dungeon_id),
        seed_given=seed is not None and not secret,
        drawn_at=at,
    )


def is_seed_open(dungeon: Dungeon) -> bool:
    """Whether the player of a practice run on it may know the order of its cards."""
    return dungeon.seed_given or dungeon.revealed_at is not None


def is_secret_seed(seed: str) -> bool:
    """Whether it is the seed of a dungeon that no player may know yet.

    Raises InvalidSeed.
    """
    secret = Dungeon.objects.filter(
        seal=seal_of(check_seed(seed)), seed_given=False, revealed_at=None
    )
    return bool(secret.exists())


def seed_decrypt(dungeon_id: str, sealed: str) -> str:
    """Decrypt a seed, to deal or to reveal it. Never log it.

    `dungeon_id` is the id it was encrypted for; for the master seed of a daily it is
    the daily's id.
    """
    raw = base64.b64decode(sealed.removeprefix(_FORMAT))
    key = base64.urlsafe_b64decode(settings.SEED_KEY)
    opened = AESGCM(key).decrypt(raw[:_NONCE], raw[_NONCE:], dungeon_id.encode())
    return opened.decode("ascii")


def visible_seed(row: RunRow) -> str | None:
    """The seed of a run's dungeon if its player may see it, else None."""
    return seed_decrypt(row.dungeon_id, row.seed_sealed) if can_see_seed(row) else None


@lru_cache(maxsize=_CACHED_DECKS)
def dungeon_deck(dungeon_id: str, sealed: str) -> Sequence[Card]:
    """The deck of a dungeon, top first. Never send it to a client."""
    return deal(seed_decrypt(dungeon_id, sealed))


def seed_encrypt(seed: str, dungeon_id: str) -> str:
    """Encrypt a seed, bound to the id of its dungeon (or its daily)."""
    nonce = secrets.token_bytes(_NONCE)
    key = base64.urlsafe_b64decode(settings.SEED_KEY)
    sealed = AESGCM(key).encrypt(nonce, seed.encode("ascii"), dungeon_id.encode())
    return _FORMAT + base64.b64encode(nonce + sealed).decode("ascii")
