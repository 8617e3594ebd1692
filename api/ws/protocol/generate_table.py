"""The tables of messages in docs/protocol.md."""

from typing import Any

from api.ws.protocol.close_codes import CLOSE_CODES
from api.ws.protocol.describe import members, words
from api.ws.protocol.messages import CLIENT, SERVER


def table() -> str:
    """Both directions, then the close codes."""
    parts = [
        "Clients send:\n",
        *_rows(CLIENT),
        "\nThe server sends:\n",
        *_rows(SERVER),
        "\nAnd closes with:\n",
        "| code | because |",
        "|---|---|",
        *(f"| {code} | {said} |" for code, said in CLOSE_CODES.items()),
    ]
    return "\n".join(parts) + "\n"


def _rows(messages: dict[str, Any]) -> list[str]:
    return ["| message | fields | meaning |", "|---|---|---|"] + [
        f"| `{name}` | {_fields(shape)} | {words(shape)} |"
        for name, shape in messages.items()
    ]


def _fields(shape: Any) -> str:
    return ", ".join(
        f"`{one.name}{'' if one.is_required else '?'}`" for one in members(shape)
    )
