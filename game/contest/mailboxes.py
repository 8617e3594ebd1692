"""Which e-mail addresses lead to the same mailbox.

Providers deliver several spellings of an address to one mailbox. `mailbox_of` gives
all of them one text, so that a mailbox is counted once. Unknown providers: only case
and the part after a plus sign are ignored, which is what nearly all of them do.
"""

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
    "yandex.com": _YANDEX,
    "yandex.ru": _YANDEX,
    "ya.ru": _YANDEX,
    # A tag follows a hyphen; a plus sign is not allowed.
    "yahoo.com": _Provider("yahoo.com", tag="-"),
}


def mailbox_of(email: str) -> str:
    """Return the mailbox of an address, such as adal@gmail.com for A.DaL+x@Gmail.com.

    The result is for comparisons only; mail to it may not arrive.
    """
    text = unicodedata.normalize("NFKC", email).strip().casefold()
    local, _, domain = text.rpartition("@")
    domain = domain.rstrip(".")
    provider = _PROVIDERS.get(domain, _Provider(domain))
    name = local.partition(provider.tag)[0]
    for character in provider.ignored:
        name = name.replace(character, "")
    return f"{name or local}@{provider.domain}"
