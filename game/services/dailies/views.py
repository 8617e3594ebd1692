"""What a viewer gets of a daily and of boards: the phases applied, then shown.

Whoever reads first does what is due of what he reads: a missing day is drawn, ended
runs enter the provisional board, an overdue board is settled. One rule decides what of
a daily's board may be seen (`selectors/dailies/dailies.sight_of`).
"""

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from game.contest.calendar import (
    day_of,
    season_number,
    season_range,
    week_key,
    week_range,
)
from game.contest.ranking import BOARDS, Board, BoardPeriod, BoardPool
from game.models import Account, Daily, DailyDigest, Run
from game.rules import find_ruleset
from game.selectors.boards.leaderboards import Asked, Sight, board_find, board_show
from game.selectors.core.times import as_text
from game.selectors.dailies import schemas as dailies_schemas
from game.selectors.dailies.dailies import Opened, daily_show, sight_of, you_show
from game.services.boards.leaderboards import daily_catch_up
from game.services.boards.points import board_pool_of
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.dailies.attempts import daily_run_find, may_rank
from game.services.dailies.publish import daily_find
from game.services.dailies.settle import daily_settle
from game.services.runs.dungeons import seed_open

# The worker comes first; who reads a board this late settles it himself.
_SETTLE_FROM = timedelta(seconds=60)


def daily_read(*, on: date, ruleset: str, at: datetime) -> Daily:
    """A daily, with what is due of it done. Raises daily.not_found."""
    daily = daily_find(on=on, ruleset=ruleset, at=at)
    if daily.settled_at is None and at >= daily.settles_at + _SETTLE_FROM:
        daily_settle(daily.id, at=at)
        daily = daily_find(on=on, ruleset=ruleset, at=at)
    return daily


def daily_json(
    *, on: date, ruleset: str, at: datetime, viewer: Account | None
) -> dailies_schemas.Daily:
    """A daily as this viewer may see it."""
    daily = daily_read(on=on, ruleset=ruleset, at=at)
    you = None
    if viewer is not None:
        attempt = daily_run_find(viewer.id, daily.id)
        if attempt is not None and attempt.status != Run.Status.PLAYING:
            daily_catch_up(daily)
        you = you_show(
            daily, attempt, may_rank=may_rank(viewer), pool=board_pool_of(viewer)
        )
    return daily_show(daily, at=at, opened=_opened(daily), you=you)


def daily_board_json(
    *, on: date, ruleset: str, pool: str, asked: Asked, at: datetime
) -> dict[str, Any]:
    """The board of a daily, as far as its viewer may see it."""
    daily = daily_read(on=on, ruleset=ruleset, at=at)
    attempt = daily_run_find(asked.viewer_id, daily.id) if asked.viewer_id else None
    sight = sight_of(daily, attempt)
    if sight is Sight.SCORES:
        daily_catch_up(daily)
    board = board_find(
        "daily",
        pool,
        ruleset=ruleset,
        difficulty=daily.difficulty,
        span=daily.on.isoformat(),
    )
    digest = DailyDigest.objects.filter(daily=daily).order_by("-revision").first()
    return {
        **board_show(BOARDS["daily"], board, asked, sight),
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


class BoardAsked(NamedTuple):
    """Which board is asked for; `of` is a date, a week or a season, or None for now."""

    key: str
    pool: BoardPool
    ruleset: str
    difficulty: str
    of: str | None


def board_json(which: BoardAsked, asked: Asked, *, at: datetime) -> dict[str, Any]:
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
        return daily_board_json(on=on, ruleset=ruleset, pool=pool, asked=asked, at=at)
    where = {
        "ruleset": ruleset if kind.by_ruleset else "",
        "difficulty": difficulty if kind.by_difficulty else "",
        "span": _span(kind, of, at),
    }
    board = board_find(key, pool, **where)
    shown = board_show(kind, board, asked, Sight.FULL)
    return {
        **shown,
        "ruleset": where["ruleset"] or None,
        "difficulty": where["difficulty"] or None,
        "of": where["span"] or None,
        "pool": pool,
        "players": shown["total"],
        "provisional": bool(where["span"]) and shown["closed_at"] is None,
        "settled_at": shown["closed_at"],
        "digest": None,
        "revision": None,
    }


def digest_text_of(*, on: date, ruleset: str, revision: int | None) -> str:
    """The canonical text of a settled board (the newest revision, or a given one).

    Raises daily.not_settled, daily.not_found.
    """
    found = DailyDigest.objects.filter(daily__on=on, daily__ruleset=ruleset)
    if revision is not None:
        found = found.filter(revision=revision)
    newest = found.order_by("-revision").first()
    if newest is not None:
        return newest.text
    if not Daily.objects.filter(on=on, ruleset=ruleset).exists():
        raise not_found("daily")
    raise ServiceRefusal(
        Kind.CONFLICT, "daily.not_settled", "That board has no such digest (yet)."
    )


def _opened(daily: Daily) -> Opened | None:
    if daily.settled_at is None or daily.dungeon is None:
        return None
    return Opened(
        seed_open(daily.dungeon.id, daily.dungeon.seed_sealed),
        seed_open(daily.id, daily.master_sealed),
    )


def _day(of: str | None, at: datetime) -> date:
    if of is None:
        return day_of(at)
    try:
        return date.fromisoformat(of)
    except ValueError as error:
        raise _no_span() from error


def _span(kind: Board, of: str | None, at: datetime) -> str:
    """The span a board is asked of: what was given, if the board has such, or now."""
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
    """A week or a season as boards name it. Raises ValueError: there is none."""
    if kind.over is BoardPeriod.WEEK:
        same = week_key(week_range(of).first)
    else:
        number = int(of[:6])
        season_range(number)
        same = str(number)
    if same != of:
        raise ValueError(f"{of!r} is written {same!r}.")
    return of


def _no_span() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.MALFORMED, "board.no_such_span", "That board has no such day or season."
    )


def pool_named(text: str | None) -> BoardPool:
    """The pool of that name; people's by default. Raises board.no_such_pool."""
    if text is None:
        return BoardPool.PEOPLE
    try:
        return BoardPool(text)
    except ValueError as error:
        raise ServiceRefusal(
            Kind.MALFORMED, "board.no_such_pool", "A pool is people or bots."
        ) from error
