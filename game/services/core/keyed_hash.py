"""Marks: keyed hashes of what is only ever compared, so that it need not be kept.

Under a key made from SEED_KEY, so a copy of the database alone tells nothing.
"""

import base64
import hmac

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def mark_of(purpose: str, text: str) -> str:
    """64 hexadecimal digits: the same for the same text and purpose, and only then."""
    key = base64.urlsafe_b64decode(settings.SEED_KEY)
    derived = HKDF(SHA256(), 32, salt=None, info=b"scoundrel mark " + purpose.encode())
    return hmac.digest(derived.derive(key), text.encode(), "sha256").hex()


def email_mark(email: str) -> str:
    """The mark of an e-mail, in whatever case; "" for none."""
    return mark_of("e-mail", email.strip().lower()) if email else ""
