"""The contents of sessions, encrypted: they include mailed codes that are still valid.

Otherwise somebody who reads the database could reset an account's password with the
code that their own session waits for.
"""

import base64
import json
import secrets
from functools import lru_cache
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

PREFIX: Final = "2:"
_NONCE_BYTES = 12


def encrypt_session(contents: dict[str, Any]) -> str:
    """Return the contents as a text that only this site's SECRET_KEY opens."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    plain = json.dumps(contents, separators=(",", ":")).encode()
    sealed = nonce + _cipher(settings.SECRET_KEY).encrypt(nonce, plain, None)
    return PREFIX + base64.b64encode(sealed).decode("ascii")


def decrypt_session(text: str) -> dict[str, Any]:
    """Return the contents; none if the text was changed or has another key."""
    try:
        sealed = base64.b64decode(text.removeprefix(PREFIX))
        nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        plain = _cipher(settings.SECRET_KEY).decrypt(nonce, rest, None)
        contents: dict[str, Any] = json.loads(plain)
    except (InvalidTag, ValueError):
        return {}
    return contents


@lru_cache(maxsize=2)
def _cipher(secret_key: str) -> AESGCM:
    derived = HKDF(SHA256(), 32, salt=None, info=b"scoundrel session")
    return AESGCM(derived.derive(secret_key.encode()))
