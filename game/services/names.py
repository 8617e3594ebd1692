"""Names: which may be had, by whom, and why not.

`name_check` is pure: it looks at the text alone. `name_free` looks at who has it. What
makes two names the same or alike is `game.models.spelling`.
"""

import unicodedata
from datetime import datetime, timedelta

from game.contest.moderation.acts import ActKind, State
from game.models import Account, Act, FilterWord, OldName, name_key, name_skeleton
from game.models.account import NAME_LENGTH
from game.services.errors import Kind, ServiceRefusal
from game.services.filter_words import filter_words_in

SHORTEST = 3
HELD_FOR = timedelta(days=30)
BETWEEN_RENAMES = timedelta(days=7)
_SEPARATORS = " _-'"
# Written alphabets that belong together; any other may not be mixed.
_TOGETHER = (
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"CJK", "HANGUL"},
    {"CJK", "BOPOMOFO"},
)
# Nobody's name as a whole ...
RESERVED = frozenset(
    name_skeleton(name)
    for name in (
        *("anonymous", "api", "bot", "daily", "deleted", "departed", "everybody"),
        *("everyone", "guest", "here", "house", "lobby", "me", "nobody", "null"),
        *("player", "race", "root", "scoundrel", "scoundrellive", "server", "settings"),
        *("somebody", "system", "the house", "undefined", "unknown", "you"),
    )
)
# ... and no word of anybody's.
RESERVED_WORDS = frozenset(
    name_skeleton(word)
    for word in (
        *("admin", "administrator", "departed", "mod", "moderator", "official"),
        *("staff", "support", "sysadmin", "webmaster"),
    )
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
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn") for c in kept):
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
    skeleton = name_skeleton(kept)
    words = {name_skeleton(word) for word in _words(kept)}
    if skeleton in RESERVED or skeleton in RESERVED_WORDS or words & RESERVED_WORDS:
        raise refusal_of_name("reserved", "That name is kept for the house.")
    return kept


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
            scripts.add(unicodedata.name(character).split()[0])
        elif marks:
            # Some alphabets need marks on their letters; none needs a pile of them.
            _let(bool(scripts) and marks <= 2)
        else:
            _let(character in _SEPARATORS or character in "0123456789")
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise refusal_of_name(
            "mixed_scripts", "A name keeps to the letters of one alphabet."
        )
    _let(any(character.isalnum() for character in name))


def _let(is_right: bool) -> None:
    if not is_right:
        raise refusal_of_name(
            "characters", "A name has letters, the digits 0 to 9, spaces, and _ - '."
        )


def name_free(name: str, *, at: datetime, account_id: str = "") -> None:
    """Whether that account (or a new one) may have the name.

    Raises name.taken (somebody's), name.too_close (looks like somebody's), name.held
    (somebody gave it up less than 30 days ago), name.refused (a moderator took it from
    somebody, and nobody may have it), name.word (it holds a word of staff's list).
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
    taken_away = Act.objects.filter(kind=ActKind.RENAME, state=State.IN_FORCE)
    if taken_away.filter(facts__key=key).exists():
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
