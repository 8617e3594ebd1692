"""Reads message types back as plain descriptions, for whatever is generated from them.

A type becomes one of: a name of a shape, a literal choice, a list, a union, a basic
type. What a generator makes of it is its own affair.
"""

import inspect
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from api.ws.protocol.messages import CLIENT, SERVER, Text, Whole


class Member(NamedTuple):
    """A field: its type, whether it must be there, its bounds if any."""

    name: str
    type: Any
    is_required: bool
    bounds: Whole | Text | None


def members(shape: Any) -> list[Member]:
    """The fields of a client message (dataclass) or of a server's (TypedDict)."""
    hints = get_type_hints(shape, include_extras=True)
    if is_dataclass(shape):
        required = {one.name for one in fields(shape) if one.default is MISSING}
    else:
        required = set(shape.__required_keys__)
    return [_member(name, hints[name], name in required) for name in hints]


def _member(name: str, hint: Any, is_required: bool) -> Member:
    bounds = None
    while get_origin(hint) in (Annotated, NotRequired):
        if get_origin(hint) is Annotated:
            bounds = hint.__metadata__[0]
        hint = get_args(hint)[0]
    return Member(name, hint, is_required, bounds)


def words(shape: Any) -> str:
    """A type's docstring as one paragraph."""
    return " ".join((inspect.getdoc(shape) or "").split())


def choices(hint: Any) -> list[Any]:
    """The parts of a union, or the hint alone."""
    return list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]


def is_literal(hint: Any) -> bool:
    """Whether it is a choice between texts."""
    return get_origin(hint) is Literal


def shapes() -> list[Any]:
    """Every TypedDict that messages hold, each after those that it holds itself."""
    found: dict[str, Any] = {}
    for message in (*CLIENT.values(), *SERVER.values()):
        for member in members(message):
            _collect(member.type, found)
    return list(found.values())


def _collect(hint: Any, found: dict[str, Any]) -> None:
    for inner in _inside(hint):
        if is_typeddict(inner) and inner.__name__ not in found:
            for member in members(inner):
                _collect(member.type, found)
            found[inner.__name__] = inner


def _inside(hint: Any) -> Iterator[Any]:
    if is_typeddict(hint) or hint is NoneType:
        yield hint
    for inner in get_args(hint):
        if not isinstance(inner, str):
            yield from _inside(inner)
