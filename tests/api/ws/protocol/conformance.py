"""Checks the server's frames against `api.ws.protocol.messages`."""

from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from api.ws.protocol.asyncapi import asyncapi
from api.ws.protocol.messages import CLIENT


def assert_conforms(frame: dict[str, Any]) -> None:
    """Assert that a server's frame has exactly the fields of its message."""
    assert set(frame) <= {"v", "t", "id", "seq", "at", "d"}
    assert frame["t"] not in CLIENT
    _validator(frame["t"]).validate(frame)


@lru_cache
def _validator(kind: str) -> Draft202012Validator:
    components = _components()
    payload = components["messages"][kind.replace(".", "_")]["payload"]
    return Draft202012Validator(
        {**payload, "components": components}, format_checker=FormatChecker()
    )


@lru_cache
def _components() -> dict[str, Any]:
    components: dict[str, Any] = asyncapi()["components"]
    return components
