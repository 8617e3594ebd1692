"""Checks the server's frames against `api.ws.protocol.messages`."""

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, is_typeddict

from api.ws.protocol.describe import members
from api.ws.protocol.messages import SERVER

# These may have more fields than are declared.
OPEN = ("error",)


def assert_conforms(frame: dict[str, Any]) -> None:
    """Assert that a server's frame has exactly the fields of its message."""
    assert set(frame) <= {"v", "t", "id", "seq", "at", "d"}
    kind = frame["t"]
    shape = SERVER[kind]
    if kind in OPEN:
        known = {one.name for one in members(shape)}
        body = {name: value for name, value in frame["d"].items() if name in known}
    else:
        body = frame["d"]
    _check(body, shape, kind)


def _check(value: Any, hint: Any, where: str) -> None:
    if is_typeddict(hint):
        _check_object(value, hint, where)
    elif get_origin(hint) in (Union, UnionType):
        _check_union(value, get_args(hint), where)
    elif get_origin(hint) is list:
        assert isinstance(value, list), where
        for number, inner in enumerate(value):
            _check(inner, get_args(hint)[0], f"{where}[{number}]")
    elif get_origin(hint) is Literal:
        assert value in get_args(hint), f"{where}: {value!r}"
    elif hint is not Any:
        assert type(value) is hint, f"{where}: {value!r} is no {hint}"


def _check_object(value: Any, hint: Any, where: str) -> None:
    assert isinstance(value, dict), f"{where}: {value!r}"
    found = {one.name: one for one in members(hint)}
    required = {one.name for one in found.values() if one.is_required}
    assert set(value) <= set(found), f"{where}: {set(value) - set(found)} is new"
    assert required <= set(value), f"{where}: {required - set(value)} is missing"
    for name, inner in value.items():
        _check(inner, found[name].type, f"{where}.{name}")


def _check_union(value: Any, hints: tuple[Any, ...], where: str) -> None:
    if value is None:
        assert NoneType in hints, f"{where} is null"
        return
    rest = [hint for hint in hints if hint is not NoneType]
    if len(rest) == 1:
        _check(value, rest[0], where)
    else:
        assert type(value) in rest, f"{where}: {value!r}"
