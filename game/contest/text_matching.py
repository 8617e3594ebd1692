"""Reads a text as a reader's eye does, to look for words and for links in it.

Pure. What is found is judged elsewhere. Meant against what people write in passing
(other cases, accents, digits for letters, letters drawn apart or repeated), not against
those who are set on being clever: for them there are reports.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

# Letters of other alphabets and signs that pass for Latin letters.
_LOOKS_LIKE: Final = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһкмтвн", "aeopcyxijshkmtbh", strict=True)),
        **dict(zip("αεορυχικντω", "aeopuxikvtw", strict=True)),
        **dict(zip("013457@$!|€", "oieastasiie", strict=True)),
        "\u0131": "i",
        "\u0269": "i",
        "\u0261": "g",
    }
)
_INVISIBLE_CATEGORIES: Final = ("Cf", "Mn", "Me")
_WORD: Final = re.compile(r"[^\W_]+")
_WILDCARD: Final = "*"
_REPEATED_LETTER: Final = re.compile(r"([^\W_])\1{2,}")
# Letters one by one, with little between them: "b a d", "b.a.d".
_SPACED_LETTERS: Final = re.compile(
    r"(?<![^\W_])(?:[^\W_][\W_]{1,2}){2,}[^\W_](?![^\W_])"
)
_LINK: Final = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://|\bwww\.|\bmailto:"
    # name.tld, with a dot in words or in brackets too
    r"|[a-z0-9-]{2,}\s?(?:\.|\(dot\)|\[dot\]|\[\.\])\s?"
    r"(?:com|net|org|info|biz|io|gg|me|tv|co|ru|cn|xyz|site|online|shop|link|live|app|"
    r"dev|to|ly|be|club|top|de|uk|fr|eu)(?![a-z0-9-])"
    # Without a space before the dot and after it, more of them, short names, and
    # whatever a slash follows.
    r"|[^\W_]\.(?:[a-z]{2,24}/|(?:com|net|org|io|gg|me|tv|co|ru|cn|app|to|ly|ai|au|bet|"
    r"bid|biz|blog|br|ca|cam|casino|cc|ch|chat|click|cloud|cz|es|fun|games|host|icu|info|"
    r"jp|kr|lol|mobi|mov|network|news|ninja|nl|page|pl|porn|pro|pw|se|sh|space|store|"
    r"stream|su|tech|tk|ua|us|vip|website|wiki|win|world|ws|xxx|zip|\u0440\u0444)"
    r"(?![^\W_]|-))"
)
_IPV4: Final = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)")


# What Unicode calls Default_Ignorable: letters and marks that draw nothing, though
# their categories do not say so; and the blank of Braille.
_INVISIBLE_CHARACTERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)


def is_invisible(character: str) -> bool:
    """Whether a letter, a mark or a sign draws nothing, whatever it is called.

    Spaces and controls are not asked about: their categories tell.
    """
    return bool(_INVISIBLE_CHARACTERS.match(character))


def fold_text(text: str) -> str:
    """The text in small plain letters."""
    compatible = unicodedata.normalize("NFKC", text).casefold()
    parts = unicodedata.normalize("NFKD", compatible)
    seen = "".join(
        c for c in parts if unicodedata.category(c) not in _INVISIBLE_CATEGORIES
    )
    return seen.translate(_LOOKS_LIKE)


def word_key(word: str) -> str:
    """How a word is looked for; "" where nothing of it is left.

    A star at its end stands for any ending.
    """
    parts = _WORD.findall(fold_text(word))
    ending = _WILDCARD if word.rstrip().endswith(_WILDCARD) else ""
    return " ".join(parts) + ending if parts else ""


def find_words(text: str, keys: Iterable[str]) -> list[str]:
    """Those of the keys (`word_key`) that the text holds as whole words, in order."""
    lines = _readings(text)
    return [key for key in keys if any(_contains_key(line, key) for line in lines)]


def _readings(text: str) -> set[str]:
    """The ways to read a text, each as words with one space around them."""
    plain = fold_text(text)
    joined = _SPACED_LETTERS.sub(lambda found: "".join(_WORD.findall(found[0])), plain)
    # A sign may be a letter or a mere mark ("hell!"), so both readings count.
    marked = fold_text(re.sub(r"[!|$@€]+", " ", unicodedata.normalize("NFKC", text)))
    found = {plain, joined, marked}
    # "arrrse" may be one r or two.
    found |= {_REPEATED_LETTER.sub(r"\1", one) for one in found} | {
        _REPEATED_LETTER.sub(r"\1\1", one) for one in found
    }
    return {f" {' '.join(_WORD.findall(one))} " for one in found}


def _contains_key(line: str, key: str) -> bool:
    if key.endswith(_WILDCARD):
        return f" {key[:-1]}" in line
    return f" {key} " in line


def has_link(text: str) -> bool:
    """Whether the text names an address elsewhere."""
    compatible = unicodedata.normalize("NFKC", text).casefold()
    # What cannot be seen does not part a name from its dot.
    seen = (c for c in compatible if unicodedata.category(c) not in ("Cf", "Mn"))
    plain = "".join(seen).replace("\u3002", ".")
    return bool(_LINK.search(plain)) or any(
        all(int(part) < 256 for part in found[0].split("."))
        for found in _IPV4.finditer(plain)
    )


def limit_marks(text: str, most: int = 3) -> str:
    """The text with at most so many marks on a letter: more reach into other lines."""
    kept: list[str] = []
    pile = 0
    for character in text:
        category = unicodedata.category(character)
        if category in ("Mn", "Me"):
            pile += 1
        elif category != "Cf":  # what cannot be seen does not begin a letter
            pile = 0
        if pile <= most:
            kept.append(character)
    return "".join(kept)


def has_visible_character(text: str) -> bool:
    """Whether anything of the text can be seen: a letter, a digit or a sign."""
    return any(
        unicodedata.category(c)[0] not in "ZCM" and not is_invisible(c) for c in text
    )
