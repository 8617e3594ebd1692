"""Keys that tell whether two names are equal (`name_key`) or look alike
(`name_skeleton`). Pure: text in, text out.

`name_key` is unique in the database; `name_skeleton` is used to refuse a name that
could be mistaken for another player's.
"""

import unicodedata

from game.contest.look_alikes import latin_look

# Digits that look like letters, "i" like "l" (as capital "I" does), and separators.
_ALIKE = str.maketrans(
    {**dict(zip("01i5", "olls", strict=True)), **dict.fromkeys(" _-'·")}
)


def name_key(name: str) -> str:
    """Return the key that equal names share: NFKC, casefold, NFKC."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def name_skeleton(name: str) -> str:
    """Return what the name looks like: without accents and separators, look-alikes
    unified.

    Look-alikes before capitals: a Greek capital eta looks like H, a small one like n.
    """
    compatible = unicodedata.normalize("NFKC", name)
    decomposed = unicodedata.normalize("NFKD", compatible)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    # Twice: a small letter may look like a Latin one when its capital does not.
    look = latin_look(latin_look(plain).casefold())
    return look.translate(_ALIKE).replace("rn", "m").replace("vv", "w")


def name_skeletons(name: str) -> set[str]:
    """Return the skeletons of the name as it is, in small letters and in capitals.

    A name looks like another if one of them is the other's skeleton.
    """
    return {name_skeleton(form) for form in (name, name_key(name), name.upper())}
