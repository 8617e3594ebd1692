"""Signatures of the site: Ed25519, with a key that is not in the database.

Somebody who can change the database, but has not this key, cannot forge an entry of a
chain. The key is SIGNING_KEY or, without it, derived from SEED_KEY.
"""

import base64
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

# Published signatures depend on this text: never change it.
_DERIVED_FOR = b"scoundrel signing key"


def public_key() -> str:
    """The site's public key, 64 hexadecimal digits."""
    return _key_in_use().public_key().public_bytes_raw().hex()


def known_keys() -> frozenset[str]:
    """The public keys that may have signed entries: the one in use, and earlier."""
    return frozenset({public_key(), *settings.SIGNING_KEYS_BEFORE})


def sign(text: str) -> str:
    """The signature of a text, 128 hexadecimal digits.

    The text must say what it is for, so that no signature counts for something else.
    """
    return _key_in_use().sign(text.encode()).hex()


def is_signed(key: str, text: str, signature: str) -> bool:
    """Whether that public key has signed the text."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), text.encode())
    except (ValueError, InvalidSignature):
        return False
    return True


def _key_in_use() -> Ed25519PrivateKey:
    return _key(settings.SIGNING_KEY, settings.SEED_KEY)


@lru_cache(maxsize=4)
def _key(signing_key: str, seed_key: str) -> Ed25519PrivateKey:
    if signing_key:
        return Ed25519PrivateKey.from_private_bytes(
            base64.urlsafe_b64decode(signing_key)
        )
    derived = HKDF(SHA256(), 32, salt=None, info=_DERIVED_FOR)
    return Ed25519PrivateKey.from_private_bytes(
        derived.derive(base64.urlsafe_b64decode(seed_key))
    )
