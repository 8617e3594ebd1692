"""Frames as bytes: reading a client's strictly, writing the server's.

`read_frame` turns one text into a message of `api.ws.protocol.messages` or raises
`BadFrame`; it raises nothing else, whatever was sent. `write_frame` is its counterpart.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec
import msgspec.structs

from api.ws.protocol.messages import CLIENT, VERSION, Asked, MovePlay
from game.selectors.core import wire

LARGEST: Final = 4 * 1024
_ID = re.compile(r"[\x21-\x7e]{1,64}")
_ENVELOPE = {"v", "t", "id", "seq", "at", "d"}


class BadFrame(Exception):  # noqa: N818 - a refusal
    """A frame that is not of the protocol: a code, a sentence, and its id if any."""

    def __init__(self, code: str, text: str, frame_id: str | None = None) -> None:
        super().__init__(text)
        self.code = f"frame.{code}"
        self.text = text
        self.frame_id = frame_id


class Frame(NamedTuple):
    """A client's message and the id that the answer echoes."""

    id: str | None
    asked: Asked


def read_frame(text: str | None) -> Frame:
    """The message that `text` holds (None: the frame was binary).

    Raises:
        BadFrame: binary, too large, not JSON, unknown names, wrong types or values.
    """
    if text is None:
        raise BadFrame("binary", "Frames are text.")
    if len(text) > LARGEST or len(text.encode("utf-8", "surrogatepass")) > LARGEST:
        raise BadFrame("too_large", f"A frame has at most {LARGEST} bytes.")
    found = _load(text)
    frame_id = _frame_id(found)
    _envelope(found, frame_id)
    shape = CLIENT.get(found["t"])
    if shape is None:
        raise BadFrame("unknown_type", "There is no such message.", frame_id)
    if shape is MovePlay and frame_id is None:
        raise BadFrame("invalid", "A move needs an id: it is its key.", None)
    return Frame(frame_id, _message(shape, found.get("d", {}), frame_id))


def write_frame(
    kind: str,
    body: Mapping[str, Any],
    *,
    frame_id: str | None = None,
    seq: int | None = None,
    at: str | None = None,
) -> bytes:
    """One frame of the server's; `at` is now unless given (RFC 3339)."""
    frame: dict[str, Any] = {"v": VERSION, "t": kind}
    if frame_id is not None:
        frame["id"] = frame_id
    if seq is not None:
        frame["seq"] = seq
    frame["at"] = at or now_text()
    frame["d"] = body
    return wire.encode(frame)


def wall_clock() -> datetime:
    """The time, as this door tells it to services and clients."""
    return datetime.now(UTC)


def now_text() -> str:
    """The server's time as frames carry it."""
    return wall_clock().isoformat(timespec="milliseconds")[:-6] + "Z"


# --- Reading --------------------------------------------------------------------


def _load(text: str) -> dict[str, Any]:
    try:
        found = json.loads(
            text, object_pairs_hook=_distinct, parse_constant=_no_constant
        )
    except RecursionError:
        raise BadFrame("too_deep", "Frames are not nested so deep.") from None
    except ValueError:
        raise BadFrame("not_json", "A frame is one JSON object.") from None
    if not isinstance(found, dict):
        raise BadFrame("not_object", "A frame is one JSON object.")
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(name)  # NaN and the infinities are no JSON


def _frame_id(found: dict[str, Any]) -> str | None:
    frame_id = found.get("id")
    if frame_id is None:
        return None
    if not (isinstance(frame_id, str) and _ID.fullmatch(frame_id)):
        raise BadFrame(
            "invalid", "id: 1 to 64 printable characters, none of them a space."
        )
    return frame_id


def _envelope(found: dict[str, Any], frame_id: str | None) -> None:
    if found.keys() - _ENVELOPE:
        raise BadFrame(
            "unknown_field", "A frame has v, t, id, seq, at and d.", frame_id
        )
    if type(found.get("v")) is not int or found["v"] != VERSION:
        raise BadFrame("version", f"v must be {VERSION}.", frame_id)
    if not isinstance(found.get("t"), str):
        raise BadFrame("invalid", "t: the name of a message.", frame_id)
    if not isinstance(found.get("d", {}), dict):
        raise BadFrame("invalid", "d: an object of the message's fields.", frame_id)
    # A client may date and number its frames as the server does; nobody reads it.
    if not isinstance(found.get("at", ""), str):
        raise BadFrame("invalid", "at: a time, as text.", frame_id)
    if type(found.get("seq", 0)) is not int:
        raise BadFrame("invalid", "seq: a whole number.", frame_id)


def _message(shape: type[Asked], body: dict[str, Any], frame_id: str | None) -> Asked:
    known, required = _FIELDS[shape]
    if body.keys() - known:
        raise BadFrame(
            "unknown_field",
            f"Its fields are: {', '.join(known) or 'none'}.",
            frame_id,
        )
    missing = required - body.keys()
    if missing:
        raise BadFrame("missing_field", f"{min(missing)} is missing.", frame_id)
    try:
        return msgspec.convert(body, shape)
    except msgspec.ValidationError as error:
        raise BadFrame("invalid", _reason(error), frame_id) from None


def _reason(error: msgspec.ValidationError) -> str:
    """Such as "index: expected `int` <= 999."."""
    expected, _, where = str(error).partition(" - at `$.")
    expected = expected.partition(" matching regex")[0]
    return f"{where.rstrip('`')}: {expected[0].lower()}{expected[1:]}."


# The names of each message's fields, and of those that must be there.
_FIELDS: Final = {
    shape: (
        [one.name for one in msgspec.structs.fields(shape)],
        {one.name for one in msgspec.structs.fields(shape) if one.required},
    )
    for shape in CLIENT.values()
}
