"""Pages of boards: the cursor is a keyset on the board, in three numbers."""

import re
from typing import Any

from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from game.models import Account
from game.selectors.boards.entries import Keyset
from game.selectors.boards.leaderboards import PageRequest

PAGE, LARGEST = 50, 100
_CURSOR = re.compile(r"(-?[0-9]{1,10})\.([0-9]{1,10})\.([0-9]{1,18})")
# What a column of the keyset can hold.
_INT = 2**31 - 1


def limit_of(request: Request, default: int = 20) -> int:
    """The limit asked for; refused, not guessed, where it is no number of 1 to 100."""
    text = request.query_params.get("limit")
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= LARGEST):
        raise exceptions.ParseError("limit is a number from 1 to 100.")
    return int(text)


def asked_of(request: Request, viewer: Account | None) -> PageRequest:
    """The part of a board that a request asks for."""
    around = request.query_params.get("around")
    if around not in (None, "me"):
        raise exceptions.ParseError("around can only be me.")
    return PageRequest(
        viewer.id if viewer else None,
        limit_of(request, PAGE),
        _place(request.query_params.get("cursor")),
        around is not None,
    )


def _place(text: str | None) -> Keyset | None:
    if text is None:
        return None
    found = _CURSOR.fullmatch(text)
    if not found or abs(int(found[1])) > _INT or int(found[2]) > _INT:
        raise exceptions.ParseError("That cursor is not one of ours.")
    return Keyset(*map(int, found.groups()))


def with_cursor(request: Request, cursor: str) -> str:
    """This request's address with another cursor."""
    address = request.build_absolute_uri()
    return str(replace_query_param(address, "cursor", cursor))


def next_of(request: Request, board: dict[str, Any]) -> dict[str, Any]:
    """A board's page with the address of the next one instead of its keyset."""
    keyset = board["next"]
    if keyset is None:
        return board
    plain = remove_query_param(request.build_absolute_uri(), "around")
    cursor = ".".join(map(str, keyset))
    return board | {"next": str(replace_query_param(plain, "cursor", cursor))}
