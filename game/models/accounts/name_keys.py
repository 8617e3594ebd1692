"""Keys that tell whether two names are equal (`name_key`) or look alike
(`name_skeleton`). Pure: text in, text out.

`name_key` is unique in the database; `name_skeleton` is used to refuse a name that
could be mistaken for another player's.
"""

import unicodedata

# Letters of other alphabets that look like Latin ones, and digits that look like
# letters. The text is casefolded first, so only small letters are listed.
_LOOKS_LIKE = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһкмтвнԁԛԝгӏ", "aeopcyxijshkmtbhdqwrl", strict=True)),
        **dict(zip("αεορυχικντηωβγ", "aeopuxikvtnwby", strict=True)),
        **dict(zip("ıɩƖɡʏᴏ", "illgyo", strict=True)),
        # Small capitals.
        **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴘʀꜱᴛᴜᴠᴡᴢ", "abcdefghijklmnprstuvwz", strict=True)),
        **dict(zip("01i5", "olls", strict=True)),
        **dict.fromkeys(" _-'"),
    }
)


def name_key(name: str) -> str:
    """Return the key that equal names share: NFKC, casefold, NFKC."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def name_skeleton(name: str) -> str:
    """Return the name without accents and separators, look-alikes unified."""
    decomposed = unicodedata.normalize("NFKD", name_key(name))
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    # Twice: the letter for a look-alike may have a look-alike itself, such as "i".
    plain = plain.translate(_LOOKS_LIKE).translate(_LOOKS_LIKE)
    return plain.replace("rn", "m").replace("vv", "w")
