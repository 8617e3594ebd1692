"""The page's types of the websocket's messages: frontend/src/realtime/messages.ts."""

from types import NoneType
from typing import Any, Final, get_args, get_origin, is_typeddict

from api.ws.protocol.close_codes import CLOSE_CODES
from api.ws.protocol.describe import Member, choices, is_literal, members, shapes, words
from api.ws.protocol.messages import CLIENT, SERVER, VERSION

WIDTH: Final = 88
_BASIC: Final = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    Any: "unknown",
}
_HEAD = """\
// Made by `python -m api.ws.protocol.generate`; do not edit.

/** The version of every frame. */
export const VERSION = {version};
"""
_FOOT = """\
/** A frame from here. `id` comes back in the answer; a move's is its key. */
export type ClientFrame = {
  [T in keyof ClientMessages]: {
    v: typeof VERSION;
    t: T;
    id?: string;
    d: ClientMessages[T];
  };
}[keyof ClientMessages];

/** A frame from the server. */
export type ServerFrame = {
  [T in keyof ServerMessages]: {
    v: typeof VERSION;
    t: T;
    id?: string;
    seq?: number;
    at: string;
    d: ServerMessages[T];
  };
}[keyof ServerMessages];
"""


def typescript() -> str:
    """The whole file."""
    parts = [_HEAD.format(version=VERSION)]
    parts += [_interface(shape.__name__, shape) for shape in shapes()]
    for direction, messages in (("Client", CLIENT), ("Server", SERVER)):
        parts += [_message(shape) for shape in messages.values()]
        parts.append(_table(direction, messages))
    parts += [_close_codes(), _FOOT]
    return "\n".join(parts)


def _message(shape: Any) -> str:
    # An error may carry plain facts besides.
    return _interface(shape.__name__, shape, is_open=shape.__name__ == "Error")


def _interface(name: str, shape: Any, *, is_open: bool = False) -> str:
    found = members(shape)
    doc = _comment(words(shape))
    if not found:
        return f"{doc}export type {name} = Record<string, never>;\n"
    lines = [_field(one) for one in found]
    if is_open:
        lines.append("  [field: string]: unknown;")
    return f"{doc}export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def _field(member: Member) -> str:
    name = f"  {member.name}{'' if member.is_required else '?'}:"
    line = f"{name} {_type(member.type)};"
    if len(line) <= WIDTH:
        return line
    # As the page's formatter breaks a long choice.
    return f"{name}\n    | " + _type(member.type).replace(" | ", "\n    | ") + ";"


def _comment(text: str) -> str:
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < 80:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}\n" for line in lines) + " */\n"


def _type(hint: Any) -> str:
    found = list(dict.fromkeys(_one(part) for part in choices(hint)))
    return " | ".join(found)


def _one(hint: Any) -> str:
    if is_literal(hint):
        return " | ".join(f'"{value}"' for value in get_args(hint))
    if get_origin(hint) is list:
        inner = _type(get_args(hint)[0])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if is_typeddict(hint):
        return str(hint.__name__)
    return _BASIC.get(hint, "unknown")


def _table(direction: str, messages: dict[str, Any]) -> str:
    lines = [f"  {_key(name)}: {shape.__name__};" for name, shape in messages.items()]
    word = "the page sends" if direction == "Client" else "the server sends"
    return (
        f"/** What {word}, by `t`. */\n"
        f"export interface {direction}Messages {{\n" + "\n".join(lines) + "\n}\n"
    )


def _key(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


def _close_codes() -> str:
    lines = [f'  {code}: "{said}",' for code, said in CLOSE_CODES.items()]
    doc = "/** Why the server closes, by the code of the close. */\n"
    return doc + "export const CLOSE_CODES = {\n" + "\n".join(lines) + "\n} as const;\n"
