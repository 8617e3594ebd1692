"""Kinds of cases, reports and flags, and the reasons of acts, with neutral wording.

The texts describe the finding and the rule, never the person.
"""

from datetime import timedelta
from enum import StrEnum
from typing import Final


class CaseKind(StrEnum):
    """What a report or flag is about. There is one open case per subject and kind."""

    CHEATING = "cheating"
    SECOND_ACCOUNT = "second_account"
    COLLUSION = "collusion"
    STALLING = "stalling"
    CHAT = "chat"
    NAME = "name"
    OTHER = "other"


class ReportSource(StrEnum):
    """The page a report was sent from."""

    PROFILE = "profile"
    RACE = "race"
    CHAT = "chat"
    RUN = "run"
    NAME = "name"


class FlagKind(StrEnum):
    """What automatic checks found. A flag has no consequences of its own."""

    SHARED_DUNGEON = "shared_dungeon"
    BANNED_RETURN = "banned_return"
    ORDER_KNOWN = "order_known"
    LINKED_RACE = "linked_race"
    TOO_FAST = "too_fast"
    TOO_REGULAR = "too_regular"
    ONE_SIDED = "one_sided"
    CIRCLE = "circle"
    MASS_FORFEITS = "mass_forfeits"
    CHAT_FILTER = "chat_filter"


CASE_KIND_BY_FLAG: Final = {
    FlagKind.SHARED_DUNGEON: CaseKind.SECOND_ACCOUNT,
    FlagKind.BANNED_RETURN: CaseKind.SECOND_ACCOUNT,
    FlagKind.ORDER_KNOWN: CaseKind.CHEATING,
    FlagKind.LINKED_RACE: CaseKind.SECOND_ACCOUNT,
    FlagKind.TOO_FAST: CaseKind.CHEATING,
    FlagKind.TOO_REGULAR: CaseKind.CHEATING,
    FlagKind.ONE_SIDED: CaseKind.COLLUSION,
    FlagKind.CIRCLE: CaseKind.COLLUSION,
    FlagKind.MASS_FORFEITS: CaseKind.STALLING,
    FlagKind.CHAT_FILTER: CaseKind.CHAT,
}
# What a flag adds to the weight of its case; a first report adds 1.
WEIGHT_BY_FLAG: Final = {
    FlagKind.SHARED_DUNGEON: 2.0,
    FlagKind.BANNED_RETURN: 3.0,
    FlagKind.ORDER_KNOWN: 3.0,
    FlagKind.LINKED_RACE: 1.0,
    FlagKind.TOO_FAST: 1.0,
    FlagKind.TOO_REGULAR: 1.0,
    FlagKind.ONE_SIDED: 1.0,
    FlagKind.CIRCLE: 1.0,
    FlagKind.MASS_FORFEITS: 1.0,
    FlagKind.CHAT_FILTER: 0.5,
}
GUEST_WEIGHT_FACTOR: Final = 0.5
# Guests are made without an e-mail, so their number means little: new ones weigh almost
# nothing, and all guests together no more than one first report of an account.
NEW_GUEST_WEIGHT_FACTOR: Final = 0.1
NEW_GUEST_FOR: Final = timedelta(days=7)
MAX_WEIGHT_OF_GUESTS: Final = 1.0

# The reasons shown to the account, besides the text of the act.
REASONS: Final = {
    "fair_play": "Your results cannot be explained by fair play.",
    "second_account": "Each person may play a dungeon with one account only.",
    "collusion": "Each entrant of a race must play for themselves.",
    "stalling": "Races must be played to the end without holding others up.",
    "language": "Insults and harassment are not allowed in chats.",
    "spam": "Advertising and repetition are not allowed in chats.",
    "name": "Names must not insult anybody or imitate other people.",
    "fault": "A fault of the server made the result unfair.",
    "no_ground": "We found nothing that needs a moderator.",
    "other": "See the moderator's message.",
}


class ReporterKind(StrEnum):
    """Who reports. A guest is new for 7 days."""

    ACCOUNT = "account"
    GUEST = "guest"
    NEW_GUEST = "new_guest"


_FACTOR: Final = {
    ReporterKind.ACCOUNT: 1.0,
    ReporterKind.GUEST: GUEST_WEIGHT_FACTOR,
    ReporterKind.NEW_GUEST: NEW_GUEST_WEIGHT_FACTOR,
}


def reporter_weight(upheld: int, dismissed: int, reporter: ReporterKind) -> float:
    """The weight of a report by an account with that record: 0 to 2, 1 without one.

    Twice the mean of Beta(1 + upheld, 1 + dismissed); half of that for a guest, a tenth
    for a new one.
    """
    return 2.0 * (1 + upheld) / (2 + upheld + dismissed) * _FACTOR[reporter]


def weight_in_case(weight: float, reporter: ReporterKind, of_guests: float) -> float:
    """What a report adds to its case; `of_guests` is what guests have added before."""
    if reporter is ReporterKind.ACCOUNT:
        return weight
    return min(weight, max(0.0, MAX_WEIGHT_OF_GUESTS - of_guests))
