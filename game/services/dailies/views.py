"""Dailies and boards as a viewer may see them; brings them up to date first.

Reading a daily does what is overdue: a missing day is drawn, finished runs are added to
the provisional board, and an overdue board is settled. What a viewer may see of a
daily's board is decided by `selectors/dailies/dailies.board_visibility`.
"""

from datetime import date, datetime, timedelta
from typing import NamedTuple

from game.contest.calendar import (
    DailyPhase,
    daily_phase,
    day_of,
    season_number,
    season_range,
    week_key,
    week_range,
)
from game.contest.ranked_attempts import UnrankedReason
from game.contest.ranking import BOARDS, Board, BoardPeriod, BoardPool
from game.models import Account, Daily, DailyDigest, Run
from game.rules import find_ruleset
from game.selectors.boards.leaderboards import (
    BoardVisibility,
    EntriesPage,
    PageRequest,
    board_find,
    board_show,
)
from game.selectors.boards.schemas import BoardStatus
from game.selectors.core.times import as_text
from game.selectors.dailies import schemas as dailies_schemas
from game.selectors.dailies.dailies import (
    RevealedSeeds,
    board_visibility,
    daily_show,
    ranking_show,
    you_show,
)
from game.services.accounts.browsers import Browser
from game.services.accounts.sign_in import mail_is_set
from game.services.boards.leaderboards import daily_board_update
from game.services.boards.points import board_pool_of
from game.services.boards.records import run_board_pool
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.dailies.attempts import daily_run_find
from game.services.dailies.publish import daily_find
from game.services.dailies.ranking import attempts_decide, why_unranked_before_start
from game.services.dailies.settle import daily_settle
from game.services.runs.dungeons import seed_decrypt

# The worker settles boards; a reader does it only if it is this late.
_SETTLE_FROM = timedelta(seconds=60)
# Without any event here, an account grows older and finishes runs, an exclusion ends,
# and another account at the address qualifies.
_CHANGES_WITH_TIME = (
    UnrankedReason.UNQUALIFIED,
    UnrankedReason.RESTRICTED,
    UnrankedReason.ADDRESS_SEEN,
    UnrankedReason.HISTORY_TAKEN,
)


def daily_bring_up_to_date(*, on: date, ruleset: str, at: datetime) -> Daily:
    """A daily, drawn, chosen and settled if that is due. Raises daily.not_found."""
    daily = daily_find(on=on, ruleset=ruleset, at=at)
    if daily.settled_at is None and at >= daily.settlement_due_at + _SETTLE_FROM:
        daily_settle(daily.id, at=at)
        daily = daily_find(on=on, ruleset=ruleset, at=at)
    return daily


def daily_json(
    *,
    on: date,
    ruleset: str,
    at: datetime,
    viewer: Account | None,
    browser: Browser | None = None,
) -> dailies_schemas.Daily:
    """A daily as this viewer may see it."""
    daily = daily_bring_up_to_date(on=on, ruleset=ruleset, at=at)
    attempt = daily_run_find(viewer.id, daily.id) if viewer else None
    if attempt is not None and daily.settled_at is None:
        if attempt.unranked in _CHANGES_WITH_TIME:
            attempts_decide(daily, accounts=[attempt.account_id], at=at)
            attempt.refresh_from_db(fields=["ranked", "unranked", "deck_seen"])
        if attempt.status != Run.Status.PLAYING:
            daily_board_update(daily)
    ranking = _ranking(daily, attempt, viewer, browser, at)
    you = None
    if viewer is not None:
        may_rank = ranking is not None and ranking["is_ranked"]
        pool = run_board_pool(attempt) if attempt else board_pool_of(viewer)
        you = you_show(daily, attempt, may_rank=may_rank, pool=pool)
    return daily_show(
        daily, at=at, revealed=_revealed_seeds(daily), ranking=ranking, you=you
    )


def _ranking(
    daily: Daily,
    attempt: Run | None,
    viewer: Account | None,
    browser: Browser | None,
    at: datetime,
) -> dailies_schemas.DailyRanking | None:
    """Whether the viewer's attempt counts; None if there is none and can be none."""
    if attempt is not None:
        reason = UnrankedReason(attempt.unranked) if attempt.unranked else None
        is_ranked = attempt.ranked
    elif daily_phase(daily.on, at, daily.settled_at) is DailyPhase.OPEN:
        reason = why_unranked_before_start(daily, viewer, browser, at=at)
        is_ranked = reason is None
    else:
        return None
    return ranking_show(
        is_ranked=is_ranked,
        reason=reason,
        has_mail=mail_is_set(),
        is_final=daily.settled_at is not None,
    )


class BoardPage(EntriesPage, BoardStatus):
    """A page of a board; `next` is the keyset of the next one."""


def daily_board_json(
    *, on: date, ruleset: str, pool: str, page: PageRequest, at: datetime
) -> BoardPage:
    """The board of a daily, as far as its viewer may see it."""
    daily = daily_bring_up_to_date(on=on, ruleset=ruleset, at=at)
    attempt = daily_run_find(page.viewer_id, daily.id) if page.viewer_id else None
    visibility = board_visibility(daily, attempt)
    if visibility is BoardVisibility.SCORES:
        daily_board_update(daily)
    board = board_find(
        "daily",
        pool,
        ruleset=ruleset,
        difficulty=daily.difficulty,
        span=daily.on.isoformat(),
    )
    digest = DailyDigest.objects.filter(daily=daily).order_by("-revision").first()
    return {
        **board_show(BOARDS["daily"], board, page, visibility),
        "ruleset": daily.ruleset,
        "difficulty": daily.difficulty,
        "of": daily.on.isoformat(),
        "pool": pool,
        "players": Run.objects.filter(daily=daily, kind=Run.Kind.DAILY).count(),
        "provisional": daily.settled_at is None,
        "settled_at": as_text(daily.settled_at),
        "digest": digest.digest if digest else None,
        "revision": digest.revision if digest else None,
    }


class BoardRequest(NamedTuple):
    """The requested board; `of` is a date, a week or a season, or None for now."""

    key: str
    pool: BoardPool
    ruleset: str
    difficulty: str
    of: str | None


def board_json(which: BoardRequest, page: PageRequest, *, at: datetime) -> BoardPage:
    """A page of any board.

    Raises board.not_found, board.no_such_span, UnknownRuleset.
    """
    key, pool, ruleset, difficulty, of = which
    kind = BOARDS.get(key)
    if kind is None:
        raise not_found("board")
    find_ruleset(ruleset).difficulty(difficulty)
    if kind.over is BoardPeriod.DAY:
        on = _day(of, at)
        return daily_board_json(on=on, ruleset=ruleset, pool=pool, page=page, at=at)
    where = {
        "ruleset": ruleset if kind.by_ruleset else "",
        "difficulty": difficulty if kind.by_difficulty else "",
        "span": _span(kind, of, at),
    }
    board = board_find(key, pool, **where)
    board_page = board_show(kind, board, page, BoardVisibility.FULL)
    return {
        **board_page,
        "ruleset": where["ruleset"] or None,
        "difficulty": where["difficulty"] or None,
        "of": where["span"] or None,
        "pool": pool,
        "players": board_page["total"],
        "provisional": bool(where["span"]) and board_page["closed_at"] is None,
        "settled_at": board_page["closed_at"],
        "digest": None,
        "revision": None,
    }


def digest_text_find(*, on: date, ruleset: str, revision: int | None) -> str:
    """The canonical text of a settled board (the newest revision, or a given one).

    Raises daily.not_settled, daily.not_found.
    """
    digests = DailyDigest.objects.filter(daily__on=on, daily__ruleset=ruleset)
    if revision is not None:
        digests = digests.filter(revision=revision)
    newest = digests.order_by("-revision").first()
    if newest is not None:
        return newest.text
    if not Daily.objects.filter(on=on, ruleset=ruleset).exists():
        raise not_found("daily")
    raise ServiceRefusal(
        Kind.CONFLICT, "daily.not_settled", "That board has no such revision yet."
    )


def _revealed_seeds(daily: Daily) -> RevealedSeeds | None:
    if daily.settled_at is None or daily.dungeon is None:
        return None
    return RevealedSeeds(
        seed_decrypt(daily.dungeon.id, daily.dungeon.seed_sealed),
        seed_decrypt(daily.id, daily.master_sealed),
    )


def _day(of: str | None, at: datetime) -> date:
    if of is None:
        return day_of(at)
    try:
        return date.fromisoformat(of)
    except ValueError as error:
        raise _no_span() from error


def _span(kind: Board, of: str | None, at: datetime) -> str:
    """The span of the requested board: the given one, or the current one."""
    if kind.over is BoardPeriod.ALL:
        return ""
    if of is not None:
        try:
            return _known_span(kind, of)
        except (ValueError, OverflowError) as error:
            raise _no_span() from error
    today = day_of(at)
    return (
        week_key(today) if kind.over is BoardPeriod.WEEK else str(season_number(today))
    )


def _known_span(kind: Board, of: str) -> str:
    """Check that a week or a season is written as in boards. Raises ValueError."""
    if kind.over is BoardPeriod.WEEK:
        canonical = week_key(week_range(of).first)
    else:
        number = int(of[:6])
        season_range(number)
        canonical = str(number)
    if canonical != of:
        raise ValueError(f"{of!r} is written {canonical!r}.")
    return of


def _no_span() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.MALFORMED, "board.no_such_span", "That board has no such day or season."
    )


def board_pool_parse(text: str | None) -> BoardPool:
    """The pool with that name; people by default. Raises board.no_such_pool."""
    if text is None:
        return BoardPool.PEOPLE
    try:
        return BoardPool(text)
    except ValueError as error:
        raise ServiceRefusal(
            Kind.MALFORMED, "board.no_such_pool", "A pool is people or bots."
        ) from error
