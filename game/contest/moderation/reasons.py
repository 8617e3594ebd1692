"""Why a case is opened and why an act is done: fixed keys with neutral words.

The words say what was seen and what the rule is, never what somebody is.
"""

from enum import StrEnum
from typing import Final


class CaseKind(StrEnum):
    """What a report or a flag is about; one open case a subject and kind."""

    CHEATING = "cheating"
    SECOND_ACCOUNT = "second_account"
    COLLUSION = "collusion"
    STALLING = "stalling"
    CHAT = "chat"
    NAME = "name"
    OTHER = "other"


class ReportSource(StrEnum):
    """From where somebody reported."""

    PROFILE = "profile"
    RACE = "race"
    CHAT = "chat"
    RUN = "run"
    NAME = "name"


class FlagKind(StrEnum):
    """What the machine noticed. It punishes nobody."""

    SHARED_DUNGEON = "shared_dungeon"
    BANNED_RETURN = "banned_return"
    ORDER_KNOWN = "order_known"
    LINKED_RACE = "linked_race"
    TOO_FAST = "too_fast"
    TOO_REGULAR = "too_regular"
    ONE_SIDED = "one_sided"
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
    FlagKind.MASS_FORFEITS: CaseKind.STALLING,
    FlagKind.CHAT_FILTER: CaseKind.CHAT,
}
# What a flag adds to its case's weight; a report by somebody unknown adds 1.
WEIGHT_BY_FLAG: Final = {
    FlagKind.SHARED_DUNGEON: 2.0,
    FlagKind.BANNED_RETURN: 3.0,
    FlagKind.ORDER_KNOWN: 3.0,
    FlagKind.LINKED_RACE: 1.0,
    FlagKind.TOO_FAST: 1.0,
    FlagKind.TOO_REGULAR: 1.0,
    FlagKind.ONE_SIDED: 1.0,
    FlagKind.MASS_FORFEITS: 1.0,
    FlagKind.CHAT_FILTER: 0.5,
}
GUEST_WEIGHT_FACTOR: Final = 0.5

# Templates of reasons: what the account is told besides the act itself.
REASONS: Final = {
    "fair_play": "Results were found that fair play does not explain.",
    "second_account": "Dungeons are played with one account a person.",
    "collusion": "Results of a race must be everybody's own.",
    "stalling": "Races are played to their end, without holding others up.",
    "language": "Chats are kept free of insults and harassment.",
    "spam": "Chats are kept free of advertising and repetition.",
    "name": "Names are kept free of insults and of other people's names.",
    "fault": "A fault of the server made the result unfair.",
    "no_ground": "Nothing was found that needs a moderator.",
    "other": "See the moderator's words.",
}


def reporter_weight(upheld: int, dismissed: int, *, is_guest: bool) -> float:
    """How much a report by somebody with that record counts: 0 to 2, 1 if unknown.

    The mean of a Beta(1 + upheld, 1 + dismissed), doubled; a guest's counts half.
    """
    weight = 2.0 * (1 + upheld) / (2 + upheld + dismissed)
    return weight * GUEST_WEIGHT_FACTOR if is_guest else weight
