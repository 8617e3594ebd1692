"""Which letters look alike, whatever their alphabet. Pure: text in, text out.

Unicode's list of confusable characters (UTS 39) comes from the package `disarm`; it
maps letters to the Latin ones that they look like. Stroked letters that the list does
not have, and the letters that Chinese and Japanese write alike, are added here.
"""

import unicodedata
from functools import lru_cache
from typing import Final

import disarm

# The list's version. A new one changes what is stored of names: a test fails, and
# `manage.py names_rebuild` must run after the update.
CONFUSABLES_VERSION: Final = "17.0.0"
# Of UTS 39 too, but between alphabets other than the Latin one.
_OTHER_PAIRS: Final = dict(
    zip("エカタトニノハヘロりー", "工力夕卜二丿八へ口リ一", strict=True)
) | {"æ": "ae", "œ": "oe", "Æ": "AE", "Œ": "OE"}
_STROKES: Final = (" WITH STROKE", " WITH DIAGONAL STROKE", " WITH BAR", " BAR")


def latin_look(text: str) -> str:
    """Return the text with letters outside ASCII replaced by those they look like."""
    if text.isascii():
        return text
    return "".join(c if c.isascii() else _look(c) for c in text)


@lru_cache(maxsize=8192)
def _look(letter: str) -> str:
    if letter in _OTHER_PAIRS:
        return _OTHER_PAIRS[letter]
    return disarm.normalize_confusables(_without_stroke(letter))


def _without_stroke(letter: str) -> str:
    name = unicodedata.name(letter, "")
    for stroke in _STROKES:
        plain, has_stroke, _ = name.partition(stroke)
        if has_stroke:
            try:
                return unicodedata.lookup(plain)
            except KeyError:
                return letter
    return letter
