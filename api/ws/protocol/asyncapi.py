"""The websocket in AsyncAPI 3.0, for other people's generators, and as a table."""

from typing import Any, Final, get_type_hints

from api.ws.protocol.close_codes import CLOSE_CODES
from api.ws.protocol.messages import CLIENT, SERVER, VERSION
from game.selectors.core.wire import json_schemas

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
_ALL: Final[dict[str, type]] = {**CLIENT, **SERVER}
# Its body may hold further facts.
_OPEN: Final = "Error"


def asyncapi() -> dict[str, Any]:
    """The whole document."""
    return {
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
            "schemas": _schemas(),
        },
    }


def message_table() -> str:
    """Both directions' messages and the close codes, in Markdown."""
    schemas = _schemas()
    parts = [
        "Clients send:\n",
        *_rows(CLIENT, schemas),
        "\nThe server sends:\n",
        *_rows(SERVER, schemas),
        "\nAnd closes with:\n",
        "| code | because |",
        "|---|---|",
        *(f"| {code} | {reason} |" for code, reason in CLOSE_CODES.items()),
    ]
    return "\n".join(parts) + "\n"


def _rows(messages: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    rows = ["| message | fields | meaning |", "|---|---|---|"]
    for name, declared in messages.items():
        schema = schemas[declared.__name__]
        fields = ", ".join(
            f"`{field}{'' if field in schema['required'] else '?'}`"
            for field in get_type_hints(declared)  # in the order of the declaration
        )
        rows.append(f"| `{name}` | {fields} | {schema['description']} |")
    return rows


def _schemas() -> dict[str, dict[str, Any]]:
    schemas = json_schemas(_ALL.values())
    for name, schema in schemas.items():
        if "properties" in schema:
            schema["additionalProperties"] = name == _OPEN
    return schemas


def _description() -> str:
    codes = "; ".join(f"{code} {reason}" for code, reason in CLOSE_CODES.items())
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
        _key(message): {"$ref": f"#/components/messages/{_key(message)}"}
        for message in _ALL
        if message in known
    }
    return channel


def _operation(name: str) -> tuple[str, dict[str, Any]]:
    channel = "lobby" if name == "lobby.snapshot" else "race"
    # AsyncAPI describes the server: it receives what clients send.
    return f"{'receive' if name in CLIENT else 'send'}_{_key(name)}", {
        "action": "receive" if name in CLIENT else "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{_key(name)}"}],
    }


def _message(name: str) -> dict[str, Any]:
    declared = _ALL[name]
    schema = json_schemas([declared])[declared.__name__]
    frame: dict[str, Any] = {
        "v": {"const": VERSION},
        "t": {"const": name},
        "id": {"type": "string", "minLength": 1, "maxLength": 64},
        "at": {"type": "string", "format": "date-time"},
        "d": {"$ref": f"#/components/schemas/{declared.__name__}"},
    }
    if name == "race.event":
        frame["seq"] = {"type": "integer"}
    required = ["v", "t", *(["d"] if schema["properties"] else [])]
    if name == "move.play":
        required.append("id")
    return {
        "name": name,
        "summary": schema["description"],
        "contentType": "application/json",
        "payload": {"type": "object", "properties": frame, "required": required},
    }
