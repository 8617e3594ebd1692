"""The JSON of boards: a page of entries, and the list of boards."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

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
from game.selectors.boards.entries import (
    BoardLine,
    Keyset,
    orders_of,
    own_line,
    page_after,
    page_before,
    rank_lines,
    rank_of,
    total_of,
)
from game.selectors.core.times import as_text

AROUND = 5


class BoardVisibility(Enum):
    """How much of a board a viewer may see."""

    # Only the number of players: the viewer has not finished their own attempt.
    COUNT = "count"
    # Ranks and scores, no runs: the viewer has finished, but others may still play.
    SCORES = "scores"
    FULL = "full"


class PageRequest(NamedTuple):
    """The requested part of a board: a page after a keyset, or around the viewer."""

    viewer_id: str | None
    limit: int
    after: Keyset | None = None
    is_around_viewer: bool = False


class EntriesPage(boards_schemas.BoardEntries):
    """Entries and the keyset of the next page, which the view makes a URL of."""

    next: Keyset | None


def board_find(
    key: str, pool: str, *, ruleset: str = "", difficulty: str = "", span: str = ""
) -> Leaderboard | None:
    """The board of that kind, or None."""
    return Leaderboard.objects.filter(
        key=key, pool=pool, ruleset=ruleset, difficulty=difficulty, span=span
    ).first()


def board_show(
    kind: Board,
    board: Leaderboard | None,
    page: PageRequest,
    visibility: BoardVisibility,
) -> EntriesPage:
    """A page of a board."""
    entries_page: EntriesPage = {
        "board": kind.key,
        "name": kind.name,
        "value": kind.value,
        "ruleset": (board.ruleset or None) if board else None,
        "difficulty": (board.difficulty or None) if board else None,
        "of": (board.span or None) if board else None,
        "pool": board.pool if board else BoardPool.PEOPLE,
        "closed_at": as_text(board.closed_at) if board else None,
        "hidden": visibility is BoardVisibility.COUNT,
        "total": None,
        "results": [],
        "next": None,
        "me": None,
        "curve": [],
    }
    if visibility is BoardVisibility.COUNT:
        return entries_page
    if board is None:
        entries_page["total"] = 0
        return entries_page
    total = total_of(board.id)
    own = own_line(board.id, page.viewer_id) if page.viewer_id else None
    lines, further = _lines(board, page, own)
    is_first = page.after is None and not page.is_around_viewer
    has_curve = is_first and kind.value is BoardValue.SCORE
    entries_page["total"] = total
    entries_page["results"] = [
        _line_show(rank, line, kind, page.viewer_id, visibility)
        for rank, line in rank_lines(board.id, lines)
    ]
    entries_page["next"] = lines[-1].keyset if further else None
    entries_page["me"] = _own_entry(board, own, total) if own else None
    entries_page["curve"] = _curve(board) if has_curve else []
    return entries_page


def _lines(
    board: Leaderboard, page: PageRequest, own: BoardLine | None
) -> tuple[Sequence[BoardLine], bool]:
    """The requested lines, and whether there are more after them."""
    if not page.is_around_viewer:
        lines = page_after(board.id, page.after, page.limit + 1)
        return lines[: page.limit], len(lines) > page.limit
    if own is None:
        return [], False
    above = page_before(board.id, own.keyset, AROUND)
    below = page_after(board.id, own.keyset, AROUND + 1)
    return [*above, own, *below[:AROUND]], len(below) > AROUND


def _line_show(
    rank: int,
    line: BoardLine,
    kind: Board,
    viewer_id: str | None,
    visibility: BoardVisibility,
) -> boards_schemas.Entry:
    is_run = kind.value in (BoardValue.SCORE, BoardValue.TIME)
    is_you = line.account_id == viewer_id
    may_open = visibility is BoardVisibility.FULL or is_you
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


def _own_entry(
    board: Leaderboard, own: BoardLine, total: int
) -> boards_schemas.BoardMe:
    rank = rank_of(board.id, own.keyset)
    return {
        "rank": rank,
        "value": own.number,
        "percentile": percentile(rank, total),
        "run": own.run_id,
    }


def _curve(board: Leaderboard) -> list[boards_schemas.CurvePoint]:
    """How many players have each score, best first."""
    scores: dict[int, int] = {}
    for order, n in orders_of(board.id):
        scores[score_from_order(order)] = scores.get(score_from_order(order), 0) + n
    return [{"score": score, "players": n} for score, n in scores.items()]


def boards_list() -> list[boards_schemas.BoardKind]:
    """Every kind of board, with the spans that have a board, newest first."""
    spans: dict[str, list[str]] = {}
    boards = Leaderboard.objects.exclude(span="").exclude(key="daily")
    for key, span in boards.values_list("key", "span").distinct():
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
            "rules": list(kind.rules),
        }
        for kind in BOARDS.values()
    ]
