"""The acts of moderators: one row each with its inverse, required role and target.

Every act has an inverse that undoes it; a test checks that. `game.services.moderation`
has the effects on the database.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from game.contest.moderation.roles import StaffRole


class ActKind(StrEnum):
    """What a moderator does. The second group undoes the first, row by row."""

    DISMISS = "dismiss"
    CLOSE = "close"
    WARN = "warn"
    MUTE = "mute"
    DELETE_TEXT = "delete_text"
    RENAME = "rename"
    HOLD_RACE = "hold_race"
    VOID_RACE = "void_race"
    DISQUALIFY = "disqualify"
    VOID_RUN = "void_run"
    VOID_DAILY = "void_daily"
    BRIDGE_DAY = "bridge_day"
    SUSPEND_RATED = "suspend_rated"
    SUSPEND = "suspend"
    BAN = "ban"
    MARK_CHEAT = "mark_cheat"

    REOPEN = "reopen"
    WITHDRAW_WARNING = "withdraw_warning"
    UNMUTE = "unmute"
    RESTORE_TEXT = "restore_text"
    GIVE_NAME_BACK = "give_name_back"
    RELEASE_RACE = "release_race"
    RESTORE_RACE = "restore_race"
    REQUALIFY = "requalify"
    RESTORE_RUN = "restore_run"
    RESTORE_DAILY = "restore_daily"
    UNBRIDGE_DAY = "unbridge_day"
    READMIT_RATED = "readmit_rated"
    READMIT = "readmit"
    UNBAN = "unban"
    UNMARK_CHEAT = "unmark_cheat"


class ActTarget(StrEnum):
    """What an act is applied to, besides the account it is about."""

    CASE = "case"
    ACCOUNT = "account"
    MESSAGE = "message"
    RACE = "race"
    ENTRANT = "entrant"
    RUN = "run"
    DAILY = "daily"


class ActState(StrEnum):
    """The state of an act. A proposed one awaits a second moderator."""

    PROPOSED = "proposed"
    IN_FORCE = "in_force"
    DECLINED = "declined"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class ActRule:
    """One act: its inverse, the required role and the target.

    `is_timed`: it has a length (None: permanent). `is_sanction`: the account is
    notified and can appeal. `always_needs_second`: it needs a second moderator.
    `words`: the notice to the account.
    """

    kind: ActKind
    inverse: ActKind
    role: StaffRole
    target: ActTarget
    words: str
    is_timed: bool = False
    is_sanction: bool = False
    always_needs_second: bool = False


K = ActKind
_ROWS: Final = (
    ActRule(
        K.DISMISS, K.REOPEN, StaffRole.HELPER, ActTarget.CASE, "The case was dismissed."
    ),
    ActRule(
        K.CLOSE, K.REOPEN, StaffRole.HELPER, ActTarget.CASE, "The case was closed."
    ),
    ActRule(
        *(K.WARN, K.WITHDRAW_WARNING, StaffRole.HELPER, ActTarget.ACCOUNT),
        "A moderator has left you a note.",
        is_sanction=True,
    ),
    ActRule(
        *(K.MUTE, K.UNMUTE, StaffRole.HELPER, ActTarget.ACCOUNT),
        "You cannot write in chats for now.",
        is_timed=True,
        is_sanction=True,
    ),
    ActRule(
        *(K.DELETE_TEXT, K.RESTORE_TEXT, StaffRole.HELPER, ActTarget.MESSAGE),
        "One of your chat messages was removed.",
        is_sanction=True,
    ),
    ActRule(
        *(K.RENAME, K.GIVE_NAME_BACK, StaffRole.HELPER, ActTarget.ACCOUNT),
        "Your name was replaced. You can choose another one now.",
        is_sanction=True,
    ),
    ActRule(
        *(K.HOLD_RACE, K.RELEASE_RACE, StaffRole.MODERATOR, ActTarget.RACE),
        "The race is on hold while a moderator reviews it.",
    ),
    ActRule(
        *(K.VOID_RACE, K.RESTORE_RACE, StaffRole.MODERATOR, ActTarget.RACE),
        "One of your races no longer counts.",
    ),
    ActRule(
        *(K.DISQUALIFY, K.REQUALIFY, StaffRole.MODERATOR, ActTarget.ENTRANT),
        "You were disqualified from a race.",
        is_sanction=True,
    ),
    ActRule(
        *(K.VOID_RUN, K.RESTORE_RUN, StaffRole.MODERATOR, ActTarget.RUN),
        "One of your runs no longer counts.",
        is_sanction=True,
    ),
    ActRule(
        *(K.VOID_DAILY, K.RESTORE_DAILY, StaffRole.MODERATOR, ActTarget.DAILY),
        "A daily no longer counts.",
        always_needs_second=True,
    ),
    ActRule(
        *(K.BRIDGE_DAY, K.UNBRIDGE_DAY, StaffRole.MODERATOR, ActTarget.DAILY),
        "A day breaks no streak.",
    ),
    ActRule(
        *(K.SUSPEND_RATED, K.READMIT_RATED, StaffRole.MODERATOR, ActTarget.ACCOUNT),
        "You cannot take part in rated races and ranked dailies for now.",
        is_timed=True,
        is_sanction=True,
    ),
    ActRule(
        *(K.SUSPEND, K.READMIT, StaffRole.MODERATOR, ActTarget.ACCOUNT),
        "You cannot start runs, join races or chat for now.",
        is_timed=True,
        is_sanction=True,
    ),
    ActRule(
        *(K.BAN, K.UNBAN, StaffRole.MODERATOR, ActTarget.ACCOUNT),
        "This account is banned from playing.",
        is_timed=True,
        is_sanction=True,
    ),
    ActRule(
        *(K.MARK_CHEAT, K.UNMARK_CHEAT, StaffRole.MODERATOR, ActTarget.ACCOUNT),
        "This account's results do not count in rated play.",
        is_sanction=True,
        always_needs_second=True,
    ),
)
RULES: Final = {row.kind: row for row in _ROWS}
# Inverse acts are reached through the act they undo, never chosen directly.
INVERSES: Final = frozenset(row.inverse for row in _ROWS)
SANCTIONS: Final = frozenset(row.kind for row in _ROWS if row.is_sanction)
TIMED: Final = frozenset(row.kind for row in _ROWS if row.is_timed)

# How long an account can be restricted in a row without a second moderator. After a
# shorter pause than MIN_PAUSE the time goes on.
MAX_ALONE: Final = timedelta(days=30)
MIN_PAUSE: Final = timedelta(days=7)
# A proposal that nobody confirms ends after this time.
PROPOSAL_LASTS: Final = timedelta(days=14)
MAX_LENGTH: Final = timedelta(days=3650)
OFFERED_LENGTHS: Final = (
    timedelta(hours=1),
    timedelta(days=1),
    timedelta(days=3),
    timedelta(days=7),
    timedelta(days=30),
    timedelta(days=90),
    timedelta(days=365),
)
# The longest mute that a helper can impose.
MAX_HELPER_LENGTH: Final = timedelta(days=7)


def needs_second_moderator(
    kind: ActKind, length: timedelta | None, *, alone: timedelta = timedelta()
) -> bool:
    """Whether a second moderator must agree before the act takes effect.

    True for cheat marks, voiding a daily, and restrictions that are permanent or bring
    the account to more than 30 days; `alone` is what `time_alone` returns.
    """
    rule = RULES[kind]
    if not rule.is_timed:
        return rule.always_needs_second
    return length is None or alone + length > MAX_ALONE


def time_alone(
    restrictions: Iterable[tuple[datetime, datetime | None]], at: datetime
) -> timedelta:
    """How long an account has been restricted in a row until `at`.

    `restrictions`: the start and end (None: permanent) of those that no second
    moderator confirmed, of any kind.
    """
    since = at
    spells = [(start, end or at) for start, end in restrictions]
    for start, end in sorted(spells, key=lambda spell: spell[1], reverse=True):
        if end + MIN_PAUSE > since:
            since = min(since, start)
    return at - since


def role_needed(kind: ActKind, length: timedelta | None) -> StaffRole:
    """The lowest role that can do the act for that length."""
    rule = RULES[kind]
    is_long = rule.is_timed and (length is None or length > MAX_HELPER_LENGTH)
    return max(rule.role, StaffRole.MODERATOR) if is_long else rule.role
