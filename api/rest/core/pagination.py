"""Pages by cursor, at most 100 results each: {results, next}, `next` a URL or null.

`CursorPage` pages through a queryset. The cursor of a board is a keyset of three
numbers instead, because a page of a board can also begin around the viewer's entry.
"""

import re
from typing import Any, cast

from rest_framework import exceptions, pagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from game.models import Account
from game.selectors.boards.entries import Keyset
from game.selectors.boards.leaderboards import PageRequest
from game.selectors.boards.schemas import Board
from game.services.dailies.views import BoardPage

MAX_LIMIT = 100
_BOARD_LIMIT = 50
_INVALID_CURSOR = "The cursor is invalid."
_KEYSET = re.compile(r"(-?[0-9]{1,10})\.([0-9]{1,10})\.([0-9]{1,18})")
# The largest value of an integer column.
_MAX_INTEGER = 2**31 - 1


def page_limit(request: Request, default: int = 20) -> int:
    """Return the `limit` parameter, or the default.

    Raises ParseError unless it is a number from 1 to 100.
    """
    text = request.query_params.get("limit")
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_LIMIT):
        raise exceptions.ParseError("limit must be a number from 1 to 100.")
    return int(text)


class CursorPage(pagination.CursorPagination):
    """Pages of a queryset, newest first; stable while rows are added."""

    page_size = 20
    max_page_size = MAX_LIMIT
    page_size_query_param = "limit"
    ordering = ("-started_at", "-id")

    def get_page_size(self, request: Request) -> int:
        """Return the page size. Raises as `page_limit` does."""
        return page_limit(request, self.page_size)

    def decode_cursor(self, request: Request) -> Any:
        """Return the decoded cursor. Raises ParseError (400) for an invalid one."""
        try:
            return super().decode_cursor(request)
        except exceptions.NotFound as error:
            raise exceptions.ParseError(_INVALID_CURSOR) from error

    def get_paginated_response(self, data: Any) -> Response:
        """Return the response: {results, next}."""
        return Response({"results": data, "next": self.get_next_link()})


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
    found = _KEYSET.fullmatch(text)
    if not found or abs(int(found[1])) > _MAX_INTEGER or int(found[2]) > _MAX_INTEGER:
        raise exceptions.ParseError(_INVALID_CURSOR)
    return Keyset(*map(int, found.groups()))


def url_with_cursor(request: Request, cursor: str) -> str:
    """Return the URL of this request with another cursor."""
    return str(replace_query_param(request.build_absolute_uri(), "cursor", cursor))


def with_next_url(request: Request, page: BoardPage) -> Board:
    """Replace the keyset in a board page's `next` by the URL of the next page."""
    keyset, address = page["next"], None
    if keyset is not None:
        plain = remove_query_param(request.build_absolute_uri(), "around")
        cursor = ".".join(map(str, keyset))
        address = str(replace_query_param(plain, "cursor", cursor))
    return cast("Board", {**page, "next": address})
