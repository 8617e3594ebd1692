"""docs/asyncapi.json: the websocket in AsyncAPI 3.0, for other people's generators."""

import json
from types import NoneType
from typing import Any, Final, get_args, get_origin, is_typeddict

from api.ws.protocol.close_codes import CLOSE_CODES
from api.ws.protocol.describe import Member, choices, is_literal, members, shapes, words
from api.ws.protocol.messages import CLIENT, SERVER, VERSION, Text, Whole

_BASIC: Final[dict[Any, dict[str, Any]]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Any: {},
}
_ADDRESSES: Final = {
    "race": "/ws/v1/races/{id}/",
    "race_bot": "/ws/v1/bot/races/{id}/",
    "lobby": "/ws/v1/lobby/",
    "lobby_bot": "/ws/v1/bot/lobby/",
}
_IN_LOBBY: Final = {
    "hello",
    "resync",
    "ping",
    "welcome",
    "lobby.snapshot",
    "error",
    "heartbeat",
    "pong",
    "bye",
}
_ALL: Final = {**CLIENT, **SERVER}


def asyncapi() -> str:
    """The whole document, as text."""
    document = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Scoundrel Live, the websocket",
            "version": str(VERSION),
            "description": _description(),
        },
        "channels": {name: _channel(name) for name in _ADDRESSES},
        "operations": dict(_operation(name) for name in _ALL),
        "components": {
            "messages": {_key(name): _message(name) for name in _ALL},
            "schemas": {shape.__name__: _object(shape) for shape in shapes()},
        },
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _description() -> str:
    codes = "; ".join(f"{code} {said}" for code, said in CLOSE_CODES.items())
    return (
        "Browsers show the session cookie and an exact Origin; bots, under /ws/v1/bot/,"
        f" an Authorization header. Close codes: {codes}."
    )


def _key(name: str) -> str:
    return name.replace(".", "_")


def _channel(name: str) -> dict[str, Any]:
    known = _IN_LOBBY if name.startswith("lobby") else set(_ALL) - {"lobby.snapshot"}
    channel: dict[str, Any] = {"address": _ADDRESSES[name]}
    if "{id}" in _ADDRESSES[name]:
        channel["parameters"] = {"id": {"description": "The race's id."}}
    channel["messages"] = {
        _key(one): {"$ref": f"#/components/messages/{_key(one)}"}
        for one in _ALL
        if one in known
    }
    return channel


def _operation(name: str) -> tuple[str, dict[str, Any]]:
    channel = "lobby" if name == "lobby.snapshot" else "race"
    # AsyncAPI speaks for the server: it receives what clients send.
    return f"{'receive' if name in CLIENT else 'send'}_{_key(name)}", {
        "action": "receive" if name in CLIENT else "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{_key(name)}"}],
    }


def _message(name: str) -> dict[str, Any]:
    shape = _ALL[name]
    frame: dict[str, Any] = {
        "v": {"const": VERSION},
        "t": {"const": name},
        "id": {"type": "string", "minLength": 1, "maxLength": 64},
        "at": {"type": "string", "format": "date-time"},
        "d": _object(shape, is_open=name == "error"),
    }
    if name == "race.event":
        frame["seq"] = {"type": "integer"}
    required = ["v", "t", *(["d"] if members(shape) else [])]
    if name == "move.play":
        required.append("id")
    return {
        "name": name,
        "summary": words(shape),
        "contentType": "application/json",
        "payload": {"type": "object", "properties": frame, "required": required},
    }


def _object(shape: Any, *, is_open: bool = False) -> dict[str, Any]:
    found = members(shape)
    return {
        "type": "object",
        "description": words(shape),
        "properties": {one.name: _member(one) for one in found},
        "required": [one.name for one in found if one.is_required],
        "additionalProperties": is_open,
    }


def _member(member: Member) -> dict[str, Any]:
    parts = [_one(part) for part in choices(member.type)]
    schema = dict(parts[0]) if len(parts) == 1 else {"anyOf": parts}
    if isinstance(member.bounds, Whole):
        schema |= {"minimum": member.bounds.least, "maximum": member.bounds.most}
    if isinstance(member.bounds, Text):
        schema |= {"minLength": member.bounds.least, "maxLength": member.bounds.most}
    return schema


def _one(hint: Any) -> dict[str, Any]:
    if is_literal(hint):
        return {"enum": list(get_args(hint))}
    if get_origin(hint) is list:
        return {"type": "array", "items": _one(get_args(hint)[0])}
    if is_typeddict(hint):
        return {"$ref": f"#/components/schemas/{hint.__name__}"}
    return _BASIC.get(hint, {})
