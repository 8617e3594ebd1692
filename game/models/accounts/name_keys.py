"""What makes two names the same, and what makes them look the same.

Pure: text in, text out. `name_key` is the law that the database keeps; `name_skeleton`
is the eye's, used to refuse a name that could be read as somebody else's.
"""

import unicodedata

# Letters of other alphabets that nobody tells from Latin ones, and the digits that pass
# for letters. Folded text in, so only small letters are listed.
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
    """What makes two names the same, on every database: NFKC, then casefold."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def name_skeleton(name: str) -> str:
    """What the eye keeps of a name: no accents, no separators, look-alikes as one."""
    decomposed = unicodedata.normalize("NFKD", name_key(name))
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    # Twice: some look-alikes stand for a letter that has one itself, such as "i".
    plain = plain.translate(_LOOKS_LIKE).translate(_LOOKS_LIKE)
    return plain.replace("rn", "m").replace("vv", "w")
