"""Names: which may be had, by whom, and why not.

`name_check` is pure: it looks at the text alone. `name_free` looks at who has it. What
makes two names the same or alike is `game.models.accounts.name_keys`.
"""

import unicodedata
from datetime import datetime, timedelta

from django.db.models import Q

from game.contest.moderation.acts import ActKind, ActState
from game.contest.text_matching import is_invisible
from game.models import Account, Act, FilterWord, OldName, name_key, name_skeleton
from game.models.accounts.account import NAME_LENGTH
from game.services.accounts.banned_names import is_banned_name
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.filter_words import filter_words_in
from game.services.races.bots import GHOST, HOUSE

SHORTEST = 3
HELD_FOR = timedelta(days=30)
BETWEEN_RENAMES = timedelta(days=7)
_SEPARATORS = " _-'"
_DIGITS = "0123456789"
# Alphabets in daily use. Lisu, Cherokee and the dead ones are full of Latin's doubles.
_ALPHABETS = frozenset(
    (
        *("ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CJK", "CYRILLIC"),
        *("DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK", "GUJARATI", "GURMUKHI"),
        *("HANGUL", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA", "KATAKANA-HIRAGANA"),
        *("KHMER", "LAO", "LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA"),
        *("TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN"),
    )
)
# Written alphabets that belong together; any other may not be mixed.
_TOGETHER = (
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"CJK", "HANGUL"},
    {"CJK", "BOPOMOFO"},
)
# Signs of repetition and length that Japanese names need; no other modifier is let in.
_SIGNS = dict.fromkeys("ー", "KATAKANA-HIRAGANA") | dict.fromkeys("々", "CJK")
# The site's own, also with a number after it.
_SITES = frozenset(
    name_skeleton(name)
    for name in (
        *("house", "the house", "scoundrel", "scoundrellive", "server", "system"),
        *(one.name for one in (*HOUSE, GHOST)),
    )
)
# Nobody's name as a whole ...
RESERVED = _SITES | frozenset(
    name_skeleton(name)
    for name in (
        *("anonymous", "api", "bot", "daily", "deleted", "departed", "everybody"),
        *("everyone", "guest", "here", "lobby", "me", "nobody", "null"),
        *("player", "race", "root", "settings", "somebody", "undefined"),
        *("unknown", "you"),
    )
)
# ... and no word of anybody's, one or many, nor with a number after it.
RESERVED_WORDS = frozenset(
    name_skeleton(word + ending)
    for word in (
        *("admin", "administrator", "departed", "desk", "helper", "mod", "moderator"),
        *("official", "staff", "support", "sysadmin", "webmaster"),
    )
    for ending in ("", "s")
)
_GHOSTS = name_skeleton("ghost of")
_THE_GAME = name_skeleton("scoundrel")
_ITS_PEOPLE = tuple(
    name_skeleton(word)
    for word in ("admin", "desk", "mod", "official", "staff", "support", "team")
)


def refusal_of_name(code: str, text: str) -> ServiceRefusal:
    """A name that may not be had, and why."""
    return ServiceRefusal(Kind.MALFORMED, f"name.{code}", text)


def name_check(name: str) -> str:
    """The name as it will be kept (NFC), if its letters are right.

    Raises name.invisible, name.spaces, name.length, name.characters,
    name.compatibility, name.mixed_scripts, name.reserved.
    """
    kept = unicodedata.normalize("NFC", name)
    # Other spaces count as spaces; what has no width, turns the line or controls
    # something is refused by its own reason.
    if any(
        is_invisible(c) or unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn")
        for c in kept
    ):
        raise refusal_of_name(
            "invisible", "A name has no invisible or text-turning characters."
        )
    if kept != kept.strip() or "  " in kept:
        raise refusal_of_name(
            "spaces", "No spaces before or after a name, nor two in a row."
        )
    if not SHORTEST <= len(kept) <= NAME_LENGTH:
        raise refusal_of_name(
            "length", f"A name has {SHORTEST} to {NAME_LENGTH} characters."
        )
    _check_letters(kept)
    if _is_reserved(kept):
        raise refusal_of_name("reserved", "That name is kept for the house.")
    return kept


def _is_reserved(name: str) -> bool:
    skeleton, numberless = name_skeleton(name), _without_number(name)
    if skeleton in RESERVED or numberless in _SITES or skeleton.startswith(_GHOSTS):
        return True
    if _THE_GAME in skeleton:
        rest = skeleton.replace(_THE_GAME, " ", 1)
        if any(word in rest for word in _ITS_PEOPLE):
            return True
    words = {name_skeleton(word) for word in _words(name)}
    words |= {_without_number(word) for word in _words(name)}
    return not RESERVED_WORDS.isdisjoint({skeleton, numberless} | words)


def _without_number(name: str) -> str:
    return name_skeleton(name.strip(_DIGITS))


def _words(name: str) -> list[str]:
    for separator in _SEPARATORS:
        name = name.replace(separator, " ")
    return name.split()


def _check_letters(name: str) -> None:
    if unicodedata.normalize("NFKC", name) != name:
        raise refusal_of_name(
            "compatibility", "Write the name in plain letters, not in styled ones."
        )
    scripts: set[str] = set()
    marks = 0
    for character in name:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Mc") else 0
        if category[0] == "L":
            scripts.add(_script_of(character, category))
        elif marks:
            # Some alphabets need marks on their letters; none needs a pile of them.
            _let(bool(scripts) and marks <= 2)
        else:
            _let(character in _SEPARATORS or character in _DIGITS)
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise refusal_of_name(
            "mixed_scripts", "A name keeps to the letters of one alphabet."
        )
    _let(any(character.isalnum() and character not in _SIGNS for character in name))


def _script_of(letter: str, category: str) -> str:
    """The letter's alphabet. Raises name.characters of letters that no name needs."""
    if letter in _SIGNS:
        return _SIGNS[letter]
    called = unicodedata.name(letter)
    script = called.split()[0]
    _let(category != "Lm" and script in _ALPHABETS)
    # Small capitals, and signs of sounds that look like "l" or "!".
    _let("SMALL CAPITAL" not in called and (script, category) != ("LATIN", "Lo"))
    return script


def _let(is_right: bool) -> None:
    if not is_right:
        raise refusal_of_name(
            "characters", "A name has letters, the digits 0 to 9, spaces, and _ - '."
        )


def name_free(name: str, *, at: datetime, account_id: str = "") -> None:
    """Whether that account (or a new one) may have the name.

    Raises name.taken (somebody's), name.too_close (looks like somebody's), name.held
    (somebody gave it up less than 30 days ago), name.refused (a moderator took it, or
    its likeness, from somebody, or somebody left with it while he was banned),
    name.word (it holds a word of staff's list).
    """
    if FilterWord.Effect.REFUSE in filter_words_in(name):
        raise refusal_of_name("word", "That name holds a word that is not said here.")
    key, skeleton = name_key(name), name_skeleton(name)
    others = Account.objects.exclude(id=account_id)
    if others.filter(name_key=key).exists():
        raise name_taken()
    if others.filter(name_skeleton=skeleton, is_active=True).exists():
        raise refusal_of_name(
            "too_close", "That name looks too much like another player's."
        )
    taken_away = Act.objects.filter(kind=ActKind.RENAME, state=ActState.IN_FORCE)
    if taken_away.filter(Q(facts__key=key) | Q(facts__skeleton=skeleton)).exists():
        raise refusal_of_name("refused", "That name is not to be had.")
    if is_banned_name(key, skeleton, at=at):
        raise refusal_of_name("refused", "That name is not to be had.")
    held = OldName.objects.filter(until__gt=at).exclude(account_id=account_id)
    if held.filter(key=key).exists() or held.filter(skeleton=skeleton).exists():
        raise refusal_of_name(
            "held", "Somebody had that name lately; it is free again in a while."
        )


def name_taken() -> ServiceRefusal:
    """The refusal of a name that is somebody's."""
    return refusal_of_name("taken", "That name is taken.")


def name_give_up(account: Account, *, at: datetime) -> None:
    """Keep the present name as an old one: it leads to the account for 30 days."""
    OldName.objects.update_or_create(
        key=account.name_key,
        defaults={
            "skeleton": account.name_skeleton,
            "name": account.name,
            "account": account,
            "until": at + HELD_FOR,
        },
    )
