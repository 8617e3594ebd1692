"""Check names: is the text allowed, and is the name free?

`name_check` looks at the text alone, `name_check_free` at other accounts. Which names
are equal or look alike is decided in `game.models.accounts.name_keys`.
"""

import unicodedata
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Q

from game.contest.moderation.acts import ActKind, ActState
from game.contest.text_matching import is_invisible
from game.models import Account, Act, FilterWord, OldName, name_key, name_skeleton
from game.models.accounts.account import NAME_LENGTH, SIGN_UP_PENDING
from game.models.accounts.name_keys import name_skeletons
from game.services.accounts.banned_names import is_banned_name
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.filter_words import filter_words_in
from game.services.races.bots import BOTS, GHOST_BOT

MIN_LENGTH = 3
RESERVED_FOR = timedelta(days=30)
# The key of an advisory lock on PostgreSQL: any number that nothing else uses.
_NAMES_LOCK = 7_361_001
RENAME_INTERVAL = timedelta(days=7)
_SEPARATORS = " _-'"
_DIGITS = "0123456789"
# Scripts in daily use. Lisu, Cherokee and dead scripts have many Latin look-alikes.
_SCRIPTS = frozenset(
    (
        *("ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CJK", "CYRILLIC"),
        *("DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK", "GUJARATI", "GURMUKHI"),
        *("HANGUL", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA", "KATAKANA-HIRAGANA"),
        *("KHMER", "LAO", "LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA"),
        *("TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN"),
    )
)
# Scripts that are written together; no others may be mixed.
_SCRIPT_GROUPS = (
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"CJK", "HANGUL"},
    {"CJK", "BOPOMOFO"},
)
# Repetition and length marks of Japanese; no other modifier letter is allowed.
_MODIFIERS = dict.fromkeys("ー", "KATAKANA-HIRAGANA") | dict.fromkeys("々", "CJK")
# Names of the site and of its bots, also with a number after them.
_SITE_NAMES = frozenset(
    name_skeleton(name)
    for name in (
        *("house", "the house", "scoundrel", "scoundrellive", "server", "system"),
        *(bot.name for bot in (*BOTS, GHOST_BOT)),
    )
)
# Refused as a whole name.
RESERVED = _SITE_NAMES | frozenset(
    name_skeleton(name)
    for name in (
        *("anonymous", "api", "bot", "daily", "deleted", "departed", "everybody"),
        *("everyone", "guest", "here", "lobby", "me", "nobody", "null"),
        *("player", "race", "root", "settings", "somebody", "undefined"),
        *("unknown", "you"),
    )
)
# Refused as a word of any name, singular or plural, also with a number after it.
RESERVED_WORDS = frozenset(
    name_skeleton(word + ending)
    for word in (
        *("admin", "administrator", "departed", "desk", "helper", "mod", "moderator"),
        *("official", "staff", "support", "sysadmin", "webmaster"),
    )
    for ending in ("", "s")
)
_GHOST_PREFIX = name_skeleton("ghost of")
_GAME_NAME = name_skeleton("scoundrel")
_STAFF_WORDS = tuple(
    name_skeleton(word)
    for word in ("admin", "desk", "mod", "official", "staff", "support", "team")
)


def name_refusal(code: str, text: str) -> ServiceRefusal:
    """Return the refusal name.<code>."""
    return ServiceRefusal(Kind.MALFORMED, f"name.{code}", text)


def name_check(name: str) -> str:
    """Return the name in NFC, as it is stored, if its characters are allowed.

    Raises name.invisible, name.spaces, name.length, name.characters,
    name.compatibility, name.mixed_scripts, name.reserved.
    """
    normalized = unicodedata.normalize("NFC", name)
    # Characters without width, that change the direction of text or that control
    # something; other spaces count as spaces below.
    if any(
        is_invisible(c) or unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn")
        for c in normalized
    ):
        raise name_refusal(
            "invisible",
            "A name cannot have invisible or direction-changing characters.",
        )
    if normalized != normalized.strip() or "  " in normalized:
        raise name_refusal(
            "spaces", "A name cannot start or end with a space, or have two in a row."
        )
    if not MIN_LENGTH <= len(normalized) <= NAME_LENGTH:
        raise name_refusal(
            "length", f"A name has {MIN_LENGTH} to {NAME_LENGTH} characters."
        )
    _check_letters(normalized)
    if _is_reserved(normalized):
        raise name_refusal("reserved", "That name is reserved.")
    return normalized


def _is_reserved(name: str) -> bool:
    """Whether the name, or one that looks like it, is reserved."""
    skeletons, numberless = name_skeletons(name), _without_number(name)
    if not (RESERVED.isdisjoint(skeletons) and _SITE_NAMES.isdisjoint(numberless)):
        return True
    for skeleton in skeletons:
        remainder = skeleton.replace(_GAME_NAME, " ", 1)
        is_staff = remainder != skeleton and any(
            word in remainder for word in _STAFF_WORDS
        )
        if is_staff or skeleton.startswith(_GHOST_PREFIX):
            return True
    words = skeletons | numberless
    for word in _words(name):
        words |= name_skeletons(word) | _without_number(word)
    return not RESERVED_WORDS.isdisjoint(words)


def _without_number(name: str) -> set[str]:
    return name_skeletons(name.strip(_DIGITS))


def _words(name: str) -> list[str]:
    for separator in _SEPARATORS:
        name = name.replace(separator, " ")
    return name.split()


def _check_letters(name: str) -> None:
    if unicodedata.normalize("NFKC", name) != name:
        raise name_refusal(
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
            # Some scripts need marks on their letters, but none more than two.
            _require(bool(scripts) and marks <= 2)
        else:
            _require(character in _SEPARATORS or character in _DIGITS)
    if len(scripts) > 1 and not any(scripts <= group for group in _SCRIPT_GROUPS):
        raise name_refusal(
            "mixed_scripts", "A name must use the letters of one alphabet."
        )
    _require(
        any(character.isalnum() and character not in _MODIFIERS for character in name)
    )


def _script_of(letter: str, category: str) -> str:
    """Return the letter's script. Raises name.characters if it is not allowed."""
    if letter in _MODIFIERS:
        return _MODIFIERS[letter]
    full_name = unicodedata.name(letter)
    script = full_name.split()[0]
    _require(category != "Lm" and script in _SCRIPTS)
    # Small capitals, and phonetic letters that look like "l" or "!".
    _require("SMALL CAPITAL" not in full_name and (script, category) != ("LATIN", "Lo"))
    return script


def _require(is_allowed: bool) -> None:
    if not is_allowed:
        raise name_refusal(
            "characters",
            "A name can have letters, the digits 0 to 9, spaces, and _ - '.",
        )


def names_lock() -> None:
    """Let one transaction at a time take a name, until it ends.

    Unequal names can look alike, which no unique constraint sees: without the lock two
    transactions would both find no such name. Lock the account's row before. SQLite has
    one writer at a time anyway.
    """
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s)", (_NAMES_LOCK,))


def name_check_free(name: str, *, at: datetime, account_id: str = "") -> None:
    """Check that the account (or a new one, by default) may take the name.

    Raises name.taken, name.too_close (looks like another account's), name.held (given
    up by another account less than 30 days ago), name.refused (removed by a moderator,
    or of an account closed during a ban; also names that look like those), name.word
    (contains a word of the staff's list). Call `names_lock` before, in the transaction
    that takes the name.
    """
    if FilterWord.Effect.REFUSE in filter_words_in(name):
        raise name_refusal("word", "That name contains a word that is not allowed.")
    key, skeletons = name_key(name), name_skeletons(name)
    # An unverified sign-up holds no name: the first to verify gets it.
    others = Account.objects.exclude(id=account_id).exclude(SIGN_UP_PENDING)
    if others.filter(name_key=key).exists():
        raise name_taken()
    if others.filter(name_skeleton__in=skeletons, is_active=True).exists():
        raise name_refusal(
            "too_close", "That name looks too much like another player's."
        )
    removed = Act.objects.filter(kind=ActKind.RENAME, state=ActState.IN_FORCE)
    if removed.filter(
        Q(facts__key=key) | Q(facts__skeleton__in=list(skeletons))
    ).exists():
        raise name_refusal("refused", "That name is not available.")
    if is_banned_name(key, skeletons, at=at):
        raise name_refusal("refused", "That name is not available.")
    given_up = OldName.objects.filter(until__gt=at).exclude(account_id=account_id)
    if given_up.filter(Q(key=key) | Q(skeleton__in=skeletons)).exists():
        raise name_refusal(
            "held", "Another player gave up that name recently. Try again later."
        )


def pending_name_free(name: str) -> None:
    """Delete the unverified sign-up with that name, if there is one.

    The name is unique, and belongs to the first who verifies an e-mail. The other
    person can start over.
    """
    Account.objects.filter(SIGN_UP_PENDING, name_key=name_key(name)).delete()


def name_taken() -> ServiceRefusal:
    """Return the refusal of a name that another account has."""
    return name_refusal("taken", "That name is taken.")


def name_retire(account: Account, *, at: datetime) -> None:
    """Reserve the present name for the account, as an old name, for 30 days."""
    OldName.objects.update_or_create(
        key=account.name_key,
        defaults={
            "skeleton": account.name_skeleton,
            "name": account.name,
            "account": account,
            "until": at + RESERVED_FOR,
        },
    )
