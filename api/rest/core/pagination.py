"""Pages by cursor, at most 100 results each: {results, next}, `next` a URL or null.

`CursorPage` pages through a queryset by a time and the primary key of the last row. The
cursor of a board is a keyset of three numbers instead, because a page of a board can
also begin around the viewer's entry.
"""

import re
from datetime import datetime
from functools import reduce
from typing import Any, NamedTuple, cast

from django.core.exceptions import ValidationError
from django.db.models import Field, Q, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions, pagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from game.models import Account
from game.selectors.boards.entries import Keyset
from game.selectors.boards.leaderboards import PageRequest
from game.selectors.boards.schemas import Board
from game.selectors.core.numbers import parse_whole
from game.services.dailies.views import BoardPage

CURSOR = OpenApiParameter("cursor", str, required=False)
LIMIT = OpenApiParameter("limit", int, required=False)
MAX_LIMIT = 100
_PAGE_SIZE = 20
_BOARD_LIMIT = 50
_INVALID_CURSOR = "The cursor is invalid."
_KEYSET = re.compile(r"(-?[0-9]{1,10})\.([0-9]{1,10})\.([0-9]{1,18})")
# An optional rank, a time with microseconds in UTC, and a primary key.
_PAGE_END = re.compile(
    r"(?:([0-9]{1,6})_)?(2[0-9-]{9}T[0-9:.]{8,15})Z_([A-Za-z0-9]{1,40})"
)
# The largest value of an integer column.
_MAX_INTEGER = 2**31 - 1


def page_limit(request: Request, default: int = _PAGE_SIZE) -> int:
    """Return the `limit` parameter, or the default.

    Raises ParseError unless it is a number from 1 to 100.
    """
    text = request.query_params.get("limit")
    limit = default if text is None else parse_whole(text, at_most=MAX_LIMIT)
    if not limit:
        raise exceptions.ParseError("limit must be a number from 1 to 100.")
    return limit


class PageEnd(NamedTuple):
    """Where a page ends: the time, primary key and rank (or 0) of its last row."""

    at: datetime
    pk: Any
    rank: int = 0

    def __str__(self) -> str:
        rank = f"{self.rank}_" if self.rank else ""
        return f"{rank}{self.at.replace(tzinfo=None).isoformat()}Z_{self.pk}"


class CursorPage(pagination.BasePagination):
    """Pages of a queryset, newest first; stable while rows are added.

    `time_field` is a column that is set in every row of the queryset, such as
    "started_at" or, of a related row, "race__settled_at". With `rank_field`, an
    annotated whole number from 1, the rows are ordered by it first, ascending.
    """

    time_field = "started_at"
    rank_field: str | None = None

    def paginate_queryset(
        self, queryset: Any, request: Request, view: Any = None
    ) -> list[Any]:
        """Return the rows of the requested page. Raises ParseError."""
        limit = page_limit(request)
        after = _page_end(request.query_params.get("cursor"), queryset.model._meta.pk)  # noqa: SLF001
        rows: QuerySet[Any] = queryset
        time, rank = self.time_field, self.rank_field
        if after is not None:
            is_older = Q(**{f"{time}__lt": after.at})
            is_after = is_older | Q(**{time: after.at, "pk__lt": after.pk})
            if rank is not None:
                same_rank = Q(**{rank: after.rank})
                is_after = Q(**{f"{rank}__gt": after.rank}) | (same_rank & is_after)
            rows = rows.filter(is_after)
        order = [f"-{time}", "-pk"]
        rows_read = list(rows.order_by(*([rank] if rank else []), *order)[: limit + 1])
        page, self.next_url = rows_read[:limit], None
        if len(rows_read) > limit:
            at: Any = reduce(getattr, time.split("__"), page[-1])
            last = PageEnd(at, page[-1].pk, getattr(page[-1], rank) if rank else 0)
            self.next_url = url_with_cursor(request, str(last))
        return page

    def get_paginated_response(self, data: Any) -> Response:
        """Return the response: {results, next}."""
        return Response({"results": data, "next": self.next_url})


def _page_end(text: str | None, pk: "Field[Any, Any]") -> PageEnd | None:
    """Return the decoded cursor; None for no cursor. Raises ParseError."""
    if text is None:
        return None
    match = _PAGE_END.fullmatch(text)
    if match is None:
        raise exceptions.ParseError(_INVALID_CURSOR)
    try:
        at, key = datetime.fromisoformat(f"{match[2]}+00:00"), pk.to_python(match[3])
    except (ValueError, ValidationError) as error:
        raise exceptions.ParseError(_INVALID_CURSOR) from error
    if isinstance(key, int) and key >= 2**63:
        raise exceptions.ParseError(_INVALID_CURSOR)
    return PageEnd(at, key, int(match[1] or 0))


def page_request(request: Request, viewer: Account | None) -> PageRequest:
    """Return the part of a board that a request asks for. Raises ParseError."""
    around = request.query_params.get("around")
    if around not in (None, "me"):
        raise exceptions.ParseError("around must be me.")
    return PageRequest(
        viewer.id if viewer else None,
        page_limit(request, _BOARD_LIMIT),
        _keyset(request.query_params.get("cursor")),
        around is not None,
    )


def _keyset(text: str | None) -> Keyset | None:
    if text is None:
        return None
    match = _KEYSET.fullmatch(text)
    if not match or abs(int(match[1])) > _MAX_INTEGER or int(match[2]) > _MAX_INTEGER:
        raise exceptions.ParseError(_INVALID_CURSOR)
    return Keyset(*map(int, match.groups()))


def url_with_cursor(request: Request, cursor: str) -> str:
    """Return the URL of this request with another cursor."""
    return str(replace_query_param(request.build_absolute_uri(), "cursor", cursor))


def with_next_url(request: Request, page: BoardPage) -> Board:
    """Replace the keyset in a board page's `next` by the URL of the next page."""
    keyset, address = page["next"], None
    if keyset is not None:
        without_around = remove_query_param(request.build_absolute_uri(), "around")
        cursor = ".".join(map(str, keyset))
        address = str(replace_query_param(without_around, "cursor", cursor))
    return cast("Board", {**page, "next": address})
