"""Finds listed words and links in a text, allowing for simple disguises.

Handles other cases, accents, digits for letters, and spaced or repeated letters.
Deliberate evasion beyond that is left to reports. Callers decide what a match means.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from game.contest.look_alikes import latin_look

# Digits and symbols that look like Latin letters.
_LOOKS_LIKE: Final = str.maketrans(dict(zip("013457@$!|€", "oieastasiie", strict=True)))
_INVISIBLE_CATEGORIES: Final = ("Cf", "Mn", "Me")
_WORD: Final = re.compile(r"[^\W_]+")
_WILDCARD: Final = "*"
_REPEATED_LETTER: Final = re.compile(r"([^\W_])\1{2,}")
# Single letters with one or two characters between them: "b a d", "b.a.d".
_SPACED_LETTERS: Final = re.compile(
    r"(?<![^\W_])(?:[^\W_][\W_]{1,2}){2,}[^\W_](?![^\W_])"
)
_LINK: Final = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://|\bwww\.|\bmailto:"
    # name.tld, with a dot in words or in brackets too
    r"|[a-z0-9-]{2,}\s?(?:\.|\(dot\)|\[dot\]|\[\.\])\s?"
    r"(?:com|net|org|info|biz|io|gg|me|tv|co|ru|cn|xyz|site|online|shop|link|live|app|"
    r"dev|to|ly|be|club|top|de|uk|fr|eu)(?![a-z0-9-])"
    # Without spaces around the dot: more domains, one-letter names, and any name that
    # a slash follows.
    r"|[^\W_]\.(?:[a-z]{2,24}/|(?:com|net|org|io|gg|me|tv|co|ru|cn|app|to|ly|ai|au|bet|"
    r"bid|biz|blog|br|ca|cam|casino|cc|ch|chat|click|cloud|cz|es|fun|games|host|icu|info|"
    r"jp|kr|lol|mobi|mov|network|news|ninja|nl|page|pl|porn|pro|pw|se|sh|space|store|"
    r"stream|su|tech|tk|ua|us|vip|website|wiki|win|world|ws|xxx|zip|\u0440\u0444)"
    r"(?![^\W_]|-))"
)
_IPV4: Final = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)")


# Unicode's Default_Ignorable letters and marks, which are invisible although their
# categories do not say so; and the blank Braille pattern.
_INVISIBLE_CHARACTERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)


def is_invisible(character: str) -> bool:
    """Whether a letter, mark or symbol is invisible. Not for spaces and controls, which
    have categories of their own.
    """
    return bool(_INVISIBLE_CHARACTERS.match(character))


def fold_text(text: str) -> str:
    """The text in lower-case Latin letters, without accents or hidden characters."""
    compatible = unicodedata.normalize("NFKC", text).casefold()
    parts = unicodedata.normalize("NFKD", compatible)
    visible = "".join(
        c for c in parts if unicodedata.category(c) not in _INVISIBLE_CATEGORIES
    )
    return latin_look(visible).translate(_LOOKS_LIKE)


def word_key(word: str) -> str:
    """The key that `find_words` looks for; "" if the word has no letters or digits.

    A star at its end matches any ending.
    """
    parts = _WORD.findall(fold_text(word))
    ending = _WILDCARD if word.rstrip().endswith(_WILDCARD) else ""
    return " ".join(parts) + ending if parts else ""


def find_words(text: str, keys: Iterable[str]) -> list[str]:
    """Those of the keys (see `word_key`) that the text contains as whole words."""
    lines = _readings(text)
    return [key for key in keys if any(_contains_key(line, key) for line in lines)]


def _readings(text: str) -> set[str]:
    """The possible readings of a text, each as words with one space around them."""
    plain = fold_text(text)
    joined = _SPACED_LETTERS.sub(lambda match: "".join(_WORD.findall(match[0])), plain)
    # A symbol may stand for a letter or be punctuation ("hell!"): try both.
    spaced = fold_text(re.sub(r"[!|$@€]+", " ", unicodedata.normalize("NFKC", text)))
    readings = {plain, joined, spaced}
    # A repeated letter ("arrrse") may stand for one or two.
    readings |= {_REPEATED_LETTER.sub(r"\1", reading) for reading in readings} | {
        _REPEATED_LETTER.sub(r"\1\1", reading) for reading in readings
    }
    return {f" {' '.join(_WORD.findall(reading))} " for reading in readings}


def _contains_key(line: str, key: str) -> bool:
    if key.endswith(_WILDCARD):
        return f" {key[:-1]}" in line
    return f" {key} " in line


def has_link(text: str) -> bool:
    """Whether the text contains a URL, a domain name or an IPv4 address."""
    compatible = unicodedata.normalize("NFKC", text).casefold()
    # Invisible characters must not hide a domain name.
    visible = (c for c in compatible if unicodedata.category(c) not in ("Cf", "Mn"))
    plain = "".join(visible).replace("\u3002", ".")
    return bool(_LINK.search(plain)) or any(
        all(int(part) < 256 for part in match[0].split("."))
        for match in _IPV4.finditer(plain)
    )


def limit_marks(text: str, most: int = 3) -> str:
    """The text with at most `most` combining marks per letter.

    Longer stacks of marks would overlap other lines.
    """
    characters: list[str] = []
    pile = 0
    for character in text:
        category = unicodedata.category(character)
        if category in ("Mn", "Me"):
            pile += 1
        elif category != "Cf":  # invisible characters do not start a letter
            pile = 0
        if pile <= most:
            characters.append(character)
    return "".join(characters)


def has_visible_character(text: str) -> bool:
    """Whether the text has a visible character: a letter, digit or symbol."""
    return any(
        unicodedata.category(c)[0] not in "ZCM" and not is_invisible(c) for c in text
    )
