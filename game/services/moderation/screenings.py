"""Screens runs for play with the order known, once their dungeons are open to all.

Of whom: accounts with an open case of that kind, and those at the head of settled
dailies. Of them every counted run of late, so that no lucky ones are picked; what that
adds up to is a flag, and a moderator's to judge.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet

from game.analysis.screening import (
    SCREENING_VERSION,
    RoomLuck,
    ScreeningSummary,
    Signal,
    screen,
    summarize_signals,
)
from game.contest.moderation.reasons import CaseKind, FlagKind
from game.models import Account, BoardEntry, Case, Move, Run, Screening
from game.rules import find_ruleset
from game.services.core.flags import flag_raise
from game.services.runs.dungeons import deck_open

_LOOK_BACK: Final = timedelta(days=60)
_HEADS_OF: Final = timedelta(days=7)
_HEADS: Final = 3
# A flag for each so many runs more.
_RUNS_A_FLAG: Final = 5


def screening_next(*, at: datetime) -> Run | None:
    """The next run to screen; None where none is due."""
    due = runs_to_screen(accounts_to_screen(at=at), at=at)
    return (
        due.filter(screening=None)
        .select_related("dungeon", "account")
        .order_by("finished_at", "id")
        .first()
    )


def accounts_to_screen(*, at: datetime) -> set[str]:
    """Whose runs are screened. Bots play as they like."""
    cases = Case.objects.filter(kind=CaseKind.CHEATING, closed_at=None)
    accounts = set(cases.values_list("subject_id", flat=True))
    heads = BoardEntry.objects.filter(
        board__key="daily", board__closed_at__gt=at - _HEADS_OF
    ).order_by("board_id", "order", "ms", "id")
    taken: dict[int, int] = {}
    for board_id, account_id in heads.values_list("board_id", "account_id"):
        taken[board_id] = taken.get(board_id, 0) + 1
        if taken[board_id] <= _HEADS:
            accounts.add(account_id)
    people = Account.objects.filter(id__in=accounts, is_bot=False)
    return set(people.values_list("id", flat=True))


def runs_to_screen(accounts: Iterable[str], *, at: datetime) -> QuerySet[Run]:
    """Every counted run of late of these accounts that everybody may watch."""
    counts = Q(kind=Run.Kind.DAILY, ranked=True) | Q(race__rated=True)
    return Run.objects.filter(
        counts,
        account_id__in=list(accounts),
        dungeon__revealed_at__isnull=False,
        finished_at__gt=at - _LOOK_BACK,
    ).exclude(status=Run.Status.PLAYING)


def run_screen(run: Run, *, at: datetime) -> ScreeningSummary:
    """Screen one run (seconds of one core), and look at its account's runs together."""
    codes = (
        Move.objects.filter(run=run).order_by("index").values_list("code", flat=True)
    )
    deck = deck_open(run.dungeon_id, run.dungeon.seed_sealed)
    signal = screen(find_ruleset(run.ruleset), deck, list(codes), run.difficulty)
    Screening.objects.update_or_create(
        run=run,
        defaults={
            "version": signal.version,
            "rooms": [[one.index, one.rank, one.variance] for one in signal.rooms],
            "at": at,
        },
    )
    return account_look(run.account_id, at=at)


def account_look(account_id: str, *, at: datetime) -> ScreeningSummary:
    """What the account's screened runs amount to; a flag where it is much."""
    found = account_standing(account_id, at=at)
    if found.flagged:
        flag_raise(
            subject_id=account_id,
            kind=FlagKind.ORDER_KNOWN,
            evidence={
                "runs": found.runs,
                "rooms": found.rooms,
                "luck": round(found.luck, 2),
                "deviations": round(found.deviations, 2),
            },
            key=f"{SCREENING_VERSION}:{found.runs // _RUNS_A_FLAG}",
            at=at,
        )
    return found


def account_standing(account_id: str, *, at: datetime) -> ScreeningSummary:
    """The account's screened runs together."""
    rows = Screening.objects.filter(
        run__in=runs_to_screen([account_id], at=at), version=SCREENING_VERSION
    )
    return summarize_signals(
        Signal(row.version, tuple(RoomLuck(*room) for room in row.rooms))
        for row in rows
    )
