"""How boards are shown: the JSON of a page, of a list, and of the day's curve."""

from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

from game.contest.ranking import (
    BOARDS,
    Board,
    BoardPeriod,
    BoardPool,
    BoardValue,
    percentile,
    score_from_order,
)
from game.models import Leaderboard
from game.selectors.boards import schemas as boards_schemas
from game.selectors.boards.places import (
    BoardLine,
    Place,
    orders_of,
    own_line,
    page_after,
    page_before,
    rank_of,
    ranked,
    total_of,
)
from game.selectors.core.times import as_text

AROUND = 5


class Sight(Enum):
    """How much of a board a viewer may see."""

    # Only how many play: his own attempt is still before him.
    COUNT = "count"
    # Ranks and scores, no run: his attempt is over, others' are not.
    SCORES = "scores"
    FULL = "full"


class Asked(NamedTuple):
    """What part of a board is asked for, and by whom."""

    viewer_id: str | None
    limit: int
    after: Place | None = None
    around: bool = False


def board_find(
    key: str, pool: str, *, ruleset: str = "", difficulty: str = "", span: str = ""
) -> Leaderboard | None:
    """The board of that kind, if it has come to be."""
    return Leaderboard.objects.filter(
        key=key, pool=pool, ruleset=ruleset, difficulty=difficulty, span=span
    ).first()


def board_show(
    kind: Board, board: Leaderboard | None, asked: Asked, sight: Sight
) -> dict[str, Any]:
    """A page of a board: {board, ..., total, results, next, me, curve, hidden}.

    `next` is the place to go on from (or None); the door makes an address of it.
    """
    shown: dict[str, Any] = {
        "board": kind.key,
        "name": kind.name,
        "value": kind.value,
        "ruleset": (board.ruleset or None) if board else None,
        "difficulty": (board.difficulty or None) if board else None,
        "of": (board.span or None) if board else None,
        "pool": board.pool if board else BoardPool.PEOPLE,
        "closed_at": as_text(board.closed_at) if board else None,
        "hidden": sight is Sight.COUNT,
        "total": None,
        "results": [],
        "next": None,
        "me": None,
        "curve": [],
    }
    if sight is Sight.COUNT:
        return shown
    if board is None:
        return shown | {"total": 0}
    return shown | _seen(kind, board, asked, sight)


def _seen(
    kind: Board, board: Leaderboard, asked: Asked, sight: Sight
) -> dict[str, Any]:
    total = total_of(board.id)
    mine = own_line(board.id, asked.viewer_id) if asked.viewer_id else None
    lines, further = _lines(board, asked, mine)
    is_first = asked.after is None and not asked.around
    has_curve = is_first and kind.value is BoardValue.SCORE
    return {
        "total": total,
        "results": [
            _line_show(rank, line, kind, asked.viewer_id, sight)
            for rank, line in ranked(board.id, lines)
        ],
        "next": lines[-1].place if further else None,
        "me": _me(board, mine, total) if mine else None,
        "curve": _curve(board) if has_curve else [],
    }


def _lines(
    board: Leaderboard, asked: Asked, mine: BoardLine | None
) -> tuple[Sequence[BoardLine], bool]:
    """The lines asked for, and whether there are more after them."""
    if not asked.around:
        found = page_after(board.id, asked.after, asked.limit + 1)
        return found[: asked.limit], len(found) > asked.limit
    if mine is None:
        return [], False
    above = page_before(board.id, mine.place, AROUND)
    below = page_after(board.id, mine.place, AROUND + 1)
    return [*above, mine, *below[:AROUND]], len(below) > AROUND


def _line_show(
    rank: int, line: BoardLine, kind: Board, viewer_id: str | None, sight: Sight
) -> boards_schemas.Entry:
    is_run = kind.value in (BoardValue.SCORE, BoardValue.TIME)
    is_you = line.account_id == viewer_id
    may_open = sight is Sight.FULL or is_you
    return {
        "rank": rank,
        "player": line.player,
        "is_you": is_you,
        "value": line.number,
        "score": line.number if kind.value is BoardValue.SCORE else None,
        "cleared": bool(line.cleared) if is_run else None,
        "elapsed_ms": line.ms if is_run else None,
        "run": line.run_id if may_open else None,
    }


def _me(board: Leaderboard, mine: BoardLine, total: int) -> boards_schemas.BoardMe:
    rank = rank_of(board.id, mine.place)
    return {
        "rank": rank,
        "value": mine.number,
        "percentile": percentile(rank, total),
        "run": mine.run_id,
    }


def _curve(board: Leaderboard) -> list[boards_schemas.CurvePoint]:
    """How many players came to each score, best first."""
    scores: dict[int, int] = {}
    for order, n in orders_of(board.id):
        scores[score_from_order(order)] = scores.get(score_from_order(order), 0) + n
    return [{"score": score, "players": n} for score, n in scores.items()]


def boards_list() -> list[boards_schemas.BoardKind]:
    """Every kind of board, and the spans of time it has been kept for, newest first."""
    spans: dict[str, list[str]] = {}
    kept = Leaderboard.objects.exclude(span="").exclude(key="daily")
    for key, span in kept.values_list("key", "span").distinct():
        spans.setdefault(key, []).append(span)
    return [
        {
            "board": kind.key,
            "name": kind.name,
            "words": kind.words,
            "over": kind.over,
            "value": kind.value,
            "by_ruleset": kind.by_ruleset,
            "by_difficulty": kind.by_difficulty,
            "spans": sorted(
                spans.get(kind.key, []),
                key=lambda span: int(span) if kind.over is BoardPeriod.SEASON else span,
                reverse=True,
            ),
        }
        for kind in BOARDS.values()
    ]
