"""Keyed hashes, for values that are only ever compared: e-mail addresses, browsers.

The key is derived from SEED_KEY, so a copy of the database alone does not let anybody
test guesses against the stored hashes.
"""

import base64
import hmac

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from game.contest.mailboxes import mailbox_of


def keyed_hash(purpose: str, text: str) -> str:
    """The HMAC-SHA256 of a text as 64 hexadecimal digits; each purpose has its key."""
    key = base64.urlsafe_b64decode(settings.SEED_KEY)
    # Stored hashes depend on this text: never change it.
    derived = HKDF(SHA256(), 32, salt=None, info=b"scoundrel mark " + purpose.encode())
    return hmac.digest(derived.derive(key), text.encode(), "sha256").hex()


def email_hash(email: str) -> str:
    """The keyed hash of an e-mail address, ignoring case; "" for no address."""
    return keyed_hash("e-mail", email.strip().lower()) if email else ""


def mailbox_hash(email: str) -> str:
    """The keyed hash of the mailbox that an address leads to."""
    return keyed_hash("mailbox", mailbox_of(email))
