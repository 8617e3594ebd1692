"""Screens runs for play with the order of the cards known, once dungeons are revealed.

Screened accounts are those with an open case of cheating, those that won several rated
races in which an opponent had been shown the cards first, and the first three of every
board of people: daily, week, season, best, fastest, streak and rating. All their ranked
and rated runs of 60 days are screened, not a selection, so that a lucky run alone
raises no flag. A moderator judges the flags.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Q, QuerySet

from game.analysis.screening import (
    SCREENING_VERSION,
    RoomLuck,
    ScreeningSummary,
    Signal,
    screen,
    summarize_signals,
)
from game.contest.moderation.reasons import CaseKind, FlagKind
from game.contest.moderation.scouts import MIN_SCOUTED_WINS
from game.contest.ranking import BoardPool
from game.models import (
    Account,
    BoardEntry,
    Case,
    Entrant,
    Leaderboard,
    Move,
    Run,
    Screening,
)
from game.rules import find_ruleset
from game.services.core.flags import flag_raise
from game.services.runs.dungeons import dungeon_deck

# Runs are screened for this long after they end, top places of a board for this long
# after it is closed.
_RUN_AGE: Final = timedelta(days=60)
_BOARD_AGE: Final = timedelta(days=7)
_TOP_PLACES: Final = 3
_SCOUTED_AGE: Final = timedelta(days=30)
# A new flag after this many more screened runs.
_RUNS_PER_FLAG: Final = 5


def screening_next(*, at: datetime) -> Run | None:
    """Return the next run to screen, or None."""
    due = runs_to_screen(accounts_to_screen(at=at), at=at)
    return (
        due.filter(screening=None)
        .select_related("dungeon", "account")
        .order_by("finished_at", "id")
        .first()
    )


def accounts_to_screen(*, at: datetime) -> set[str]:
    """Return the ids of the accounts to screen; bots are left out."""
    cases = Case.objects.filter(kind=CaseKind.CHEATING, closed_at=None)
    accounts = set(cases.values_list("subject_id", flat=True))
    accounts |= _top_accounts(at) | _scouted_accounts(at)
    people = Account.objects.filter(id__in=accounts, is_bot=False)
    return set(people.values_list("id", flat=True))


def _scouted_accounts(at: datetime) -> set[str]:
    """Accounts with several scouted wins, see `game.contest.moderation.scouts`."""
    wins = Entrant.objects.filter(
        is_scouted=True, race__settled_at__gt=at - _SCOUTED_AGE, race__voided_at=None
    )
    counts = wins.values("account_id").annotate(n=Count("id")).order_by()
    scouted = counts.filter(n__gte=MIN_SCOUTED_WINS)
    return set(scouted.values_list("account_id", flat=True))


def _top_accounts(at: datetime) -> set[str]:
    """The first places of every board of people that is open or was closed lately.

    Boards of all time never close; those of open dailies are provisional.
    """
    boards = Leaderboard.objects.filter(
        Q(closed_at=None) | Q(closed_at__gt=at - _BOARD_AGE), pool=BoardPool.PEOPLE
    )
    accounts: set[str] = set()
    # One query a board reads three rows of an index; one query for all boards would
    # read every entry.
    for board_id in boards.values_list("id", flat=True):
        entries = BoardEntry.objects.filter(board=board_id)
        first = entries.order_by("order", "ms", "id")[:_TOP_PLACES]
        accounts.update(first.values_list("account_id", flat=True))
    return accounts


def runs_to_screen(accounts: Iterable[str], *, at: datetime) -> QuerySet[Run]:
    """Return people's ranked and rated runs of 60 days with a revealed dungeon."""
    is_counted = Q(kind=Run.Kind.DAILY, ranked=True) | Q(race__rated=True)
    return Run.objects.filter(
        is_counted,
        account_id__in=list(accounts),
        by_program=False,
        dungeon__revealed_at__isnull=False,
        finished_at__gt=at - _RUN_AGE,
    ).exclude(status=Run.Status.PLAYING)


def run_screen(run: Run, *, at: datetime) -> ScreeningSummary:
    """Screen one run (takes seconds of one core) and evaluate its account."""
    codes = (
        Move.objects.filter(run=run).order_by("index").values_list("code", flat=True)
    )
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    signal = screen(find_ruleset(run.ruleset), deck, list(codes), run.difficulty)
    Screening.objects.update_or_create(
        run=run,
        defaults={
            "version": signal.version,
            "rooms": [[room.index, room.rank, room.variance] for room in signal.rooms],
            "at": at,
        },
    )
    return account_check_screenings(run.account_id, at=at)


def account_check_screenings(account_id: str, *, at: datetime) -> ScreeningSummary:
    """Evaluate all screened runs of the account; raise a flag if they call for one."""
    summary = account_screening_summary(account_id, at=at)
    if summary.needs_review:
        flag_raise(
            subject_id=account_id,
            kind=FlagKind.ORDER_KNOWN,
            evidence={
                "runs": summary.runs,
                "rooms": summary.rooms,
                "luck": round(summary.luck, 2),
                "deviations": round(summary.deviations, 2),
            },
            key=f"{SCREENING_VERSION}:{summary.runs // _RUNS_PER_FLAG}",
            at=at,
        )
    return summary


def account_screening_summary(account_id: str, *, at: datetime) -> ScreeningSummary:
    """Summarize the account's screened runs."""
    rows = Screening.objects.filter(
        run__in=runs_to_screen([account_id], at=at), version=SCREENING_VERSION
    )
    return summarize_signals(
        Signal(row.version, tuple(RoomLuck(*room) for room in row.rooms))
        for row in rows
    )
