"""Which e-mail addresses lead to the same mailbox.

Providers deliver several spellings of an address to one mailbox. `mailbox_of` gives
all of them one text, so that a mailbox is counted once. Unknown providers: only case
and the part after a plus sign are ignored, which is what nearly all of them do.
"""

import re
import unicodedata
from typing import Final, NamedTuple


class _Provider(NamedTuple):
    """How a provider reads the part before the @."""

    # The domain that stands for all domains of the provider.
    domain: str
    # Characters that are ignored.
    ignored: str = ""
    # What separates the mailbox from a tag.
    tag: str = "+"


_GMAIL: Final = _Provider("gmail.com", ignored=".")
_PROTON: Final = _Provider("proton.me", ignored="._-")
_ICLOUD: Final = _Provider("icloud.com")
_YANDEX: Final = _Provider("yandex.com", ignored=".-")
_PROVIDERS: Final = {
    "gmail.com": _GMAIL,
    "googlemail.com": _GMAIL,
    "proton.me": _PROTON,
    "protonmail.com": _PROTON,
    "protonmail.ch": _PROTON,
    "pm.me": _PROTON,
    "icloud.com": _ICLOUD,
    "me.com": _ICLOUD,
    "mac.com": _ICLOUD,
    "ya.ru": _YANDEX,
}
# Providers that give each mailbox a domain of its own: mail to tag@adal.fastmail.com
# arrives at adal@fastmail.com.
_MAILBOX_DOMAINS: Final = ("fastmail.com", "fastmail.fm")


def mailbox_of(email: str) -> str:
    """Return the mailbox of an address, such as adal@gmail.com for A.DaL+x@Gmail.com.

    The result is for comparisons only; mail to it may not arrive.
    """
    text = unicodedata.normalize("NFKC", email).strip().casefold()
    local, _, domain = text.rpartition("@")
    local, domain = _unquote(local), _as_ascii(domain.rstrip("."))
    for parent in _MAILBOX_DOMAINS:
        if domain.endswith(f".{parent}"):
            local, domain = domain.removesuffix(f".{parent}"), parent
    provider = _provider_of(domain)
    name = local.partition(provider.tag)[0]
    for character in provider.ignored:
        name = name.replace(character, "")
    return f"{name or local}@{provider.domain}"


def _provider_of(domain: str) -> _Provider:
    # Yandex delivers to the same mailbox in every country; Yahoo does not.
    if domain.startswith("yandex."):
        return _YANDEX
    if domain.startswith("yahoo."):
        # A tag follows a hyphen; a plus sign is not allowed.
        return _Provider(domain, tag="-")
    return _PROVIDERS.get(domain, _Provider(domain))


def _unquote(local: str) -> str:
    # A quoted name may escape any character with a backslash (RFC 5321).
    if len(local) > 1 and local[0] == local[-1] == '"':
        local = re.sub(r"\\(.)", r"\1", local[1:-1])
    return local


def _as_ascii(domain: str) -> str:
    """Return an internationalized domain as mail servers write it (xn--...)."""
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain
