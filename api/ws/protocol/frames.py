"""Parses client frames and encodes server frames.

`read_frame` turns a text into a message of `api.ws.protocol.messages` or raises
`BadFrame`, and raises nothing else for any text.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec
import msgspec.structs

from api.ws.protocol.messages import CLIENT, VERSION, ClientMessage, MovePlay
from game.selectors.core import wire

MAX_FRAME_BYTES: Final = 4 * 1024
_ID = re.compile(r"[\x21-\x7e]{1,64}")
_ENVELOPE = {"v", "t", "id", "seq", "at", "d"}


class BadFrame(Exception):  # noqa: N818 - a refusal
    """A frame that breaks the protocol: error code, sentence, and its id if known."""

    def __init__(self, code: str, text: str, frame_id: str | None = None) -> None:
        super().__init__(text)
        self.code = f"frame.{code}"
        self.text = text
        self.frame_id = frame_id


class Frame(NamedTuple):
    """A client's message and its id, which the answer repeats."""

    id: str | None
    message: ClientMessage


def read_frame(text: str | None) -> Frame:
    """Parse a client's frame; `text` is None for a binary one.

    Raises:
        BadFrame: binary, too large, not JSON, unknown names, wrong types or values.
    """
    if text is None:
        raise BadFrame("binary", "Frames are text.")
    if (
        len(text) > MAX_FRAME_BYTES
        or len(text.encode("utf-8", "surrogatepass")) > MAX_FRAME_BYTES
    ):
        raise BadFrame("too_large", f"A frame has at most {MAX_FRAME_BYTES} bytes.")
    envelope = _load(text)
    frame_id = _frame_id(envelope)
    _envelope(envelope, frame_id)
    shape = CLIENT.get(envelope["t"])
    if shape is None:
        raise BadFrame("unknown_type", "There is no message with this name.", frame_id)
    if shape is MovePlay and frame_id is None:
        raise BadFrame("invalid", "move.play needs an id, as its key.", None)
    return Frame(frame_id, _message(shape, envelope.get("d", {}), frame_id))


def write_frame(
    kind: str,
    body: Mapping[str, Any],
    *,
    frame_id: str | None = None,
    seq: int | None = None,
    at: str | None = None,
) -> bytes:
    """Encode a server frame. `at` is RFC 3339; the current time if not given."""
    frame: dict[str, Any] = {"v": VERSION, "t": kind}
    if frame_id is not None:
        frame["id"] = frame_id
    if seq is not None:
        frame["seq"] = seq
    frame["at"] = at or now_text()
    frame["d"] = body
    return wire.encode(frame)


def wall_clock() -> datetime:
    """The current time, to pass to services."""
    return datetime.now(UTC)


def now_text() -> str:
    """The current time as frames have it: RFC 3339, UTC, milliseconds."""
    return wall_clock().isoformat(timespec="milliseconds")[:-6] + "Z"


# --- Reading --------------------------------------------------------------------


def _load(text: str) -> dict[str, Any]:
    try:
        value = json.loads(
            text, object_pairs_hook=_unique_names, parse_constant=_no_constant
        )
    except RecursionError:
        raise BadFrame("too_deep", "The frame is nested too deep.") from None
    except ValueError:
        raise BadFrame("not_json", "A frame must be one JSON object.") from None
    if not isinstance(value, dict):
        raise BadFrame("not_object", "A frame must be one JSON object.")
    return value


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("repeated name")
    return fields


def _no_constant(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are not JSON


def _frame_id(envelope: dict[str, Any]) -> str | None:
    frame_id = envelope.get("id")
    if frame_id is None:
        return None
    if not (isinstance(frame_id, str) and _ID.fullmatch(frame_id)):
        raise BadFrame(
            "invalid", "id: must be 1 to 64 printable characters without spaces."
        )
    return frame_id


def _envelope(envelope: dict[str, Any], frame_id: str | None) -> None:
    if envelope.keys() - _ENVELOPE:
        raise BadFrame(
            "unknown_field", "A frame has v, t, id, seq, at and d.", frame_id
        )
    if type(envelope.get("v")) is not int or envelope["v"] != VERSION:
        raise BadFrame("version", f"v must be {VERSION}.", frame_id)
    if not isinstance(envelope.get("t"), str):
        raise BadFrame("invalid", "t: must be the name of a message.", frame_id)
    if not isinstance(envelope.get("d", {}), dict):
        raise BadFrame("invalid", "d: must be an object of fields.", frame_id)
    # A client may send `at` and `seq` as the server does; they are ignored.
    if not isinstance(envelope.get("at", ""), str):
        raise BadFrame("invalid", "at: must be a time as text.", frame_id)
    if type(envelope.get("seq", 0)) is not int:
        raise BadFrame("invalid", "seq: must be a whole number.", frame_id)


def _message(
    shape: type[ClientMessage], body: dict[str, Any], frame_id: str | None
) -> ClientMessage:
    known, required = _FIELDS[shape]
    if body.keys() - known:
        raise BadFrame(
            "unknown_field",
            f"This message has the fields: {', '.join(known) or 'none'}.",
            frame_id,
        )
    missing = required - body.keys()
    if missing:
        raise BadFrame("missing_field", f"{min(missing)} is missing.", frame_id)
    try:
        return msgspec.convert(body, shape)
    except msgspec.ValidationError as error:
        field, expected = wire.reason_of(error)
        raise BadFrame("invalid", f"{field}: {expected}", frame_id) from None


# The names of each message's fields, and of those that must be there.
_FIELDS: Final = {
    shape: (
        [field.name for field in msgspec.structs.fields(shape)],
        {field.name for field in msgspec.structs.fields(shape) if field.required},
    )
    for shape in CLIENT.values()
}
