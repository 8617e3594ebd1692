"""The JSON objects of reports, appeals and one's own standing."""

from typing import Annotated, TypedDict

from game.contest.moderation.acts import SANCTIONS
from game.contest.moderation.reasons import REASONS, CaseKind, ReportSource
from game.models import Appeal as AppealModel
from game.models import Notice as NoticeModel
from game.selectors.core.wire import Instant, one_of

ReportKind = Annotated[str, one_of("ReportKind", CaseKind)]
ReportPlace = Annotated[str, one_of("ReportPlace", ReportSource)]
ReportState = Annotated[str, one_of("ReportState", ["open", "looked_at"])]
AppealOutcome = Annotated[str, one_of("AppealOutcome", AppealModel.Outcome.values)]
SanctionKind = Annotated[
    str, one_of("SanctionKind", sorted(str(kind) for kind in SANCTIONS))
]
SanctionReason = Annotated[str, one_of("SanctionReason", REASONS)]
NoticeKind = Annotated[str, one_of("NoticeKind", NoticeModel.Kind.values)]
StandingKey = Annotated[
    str, one_of("StandingKey", ["good", "limited", "suspended", "banned"])
]


class Report(TypedDict):
    """A report that you filed. Only the reported player is told the outcome."""

    id: str
    player: str
    kind: ReportKind
    place: ReportPlace
    text: str
    at: Instant
    state: ReportState


class Reports(TypedDict):
    """Your reports, newest first."""

    results: list[Report]


class Appeal(TypedDict):
    """An appeal of yours; `outcome` is null until somebody has decided."""

    id: str
    sanction: str
    text: str
    at: Instant
    outcome: AppealOutcome | None
    answer: str
    decided_at: Instant | None


class Appeals(TypedDict):
    """Your appeals, newest first."""

    results: list[Appeal]


class Sanction(TypedDict):
    """A sanction on your account. `until` is null where it is permanent or has no
    length; `text` is the moderator's own.
    """

    id: str
    kind: SanctionKind
    words: str
    reason: SanctionReason
    reason_words: str
    text: str
    target: str
    at: Instant
    until: Instant | None
    in_force: bool
    lifted_at: Instant | None
    may_appeal: bool
    appeal: Appeal | None


class Notice(TypedDict):
    """A notice from the moderators."""

    id: str
    kind: NoticeKind
    words: str
    sanction: str | None
    at: Instant
    seen_at: Instant | None


class Standing(TypedDict):
    """Your standing, and every sanction on your account; newest first."""

    standing: StandingKey
    sanctions: list[Sanction]
    notices: list[Notice]
    reports: list[Report]


class Seen(TypedDict):
    """How many notices were new."""

    seen: int
