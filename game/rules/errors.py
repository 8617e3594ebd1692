"""The base class of all expected errors in the game, and those of the rules.

A `Refusal` is an expected answer, not a bug: it has a stable dotted `code`, a sentence
for people and a plain `detail` dict for programs. The entry points (REST, websocket)
turn it into their own error formats.
"""

# ruff: noqa: N818 - these names are part of the public API.

from collections.abc import Mapping
from typing import Any


class Refusal(Exception):
    """An expected error: a stable `code`, `text` for people, `detail` for programs."""

    def __init__(
        self, code: str, text: str, detail: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.detail: dict[str, Any] = dict(detail or {})

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


class MalformedMove(Refusal):
    """Text that is not a move code; rules.md "Move codes" lists them."""

    def __init__(self, text: object) -> None:
        quoted = repr(text)[:40]
        super().__init__(
            "move.malformed",
            f"{quoted} is not a move. A move is avoid, a weapon or potion such as 8D,"
            " or a monster with w (armed) or b (bare-handed) such as JSw.",
            {"move": quoted},
        )


class IllegalMove(Refusal):
    """A well-formed move that is not legal in the position."""


class InvalidPosition(Refusal, ValueError):
    """A start, snapshot or record that cannot occur in Scoundrel."""

    def __init__(self, text: str, detail: Mapping[str, Any] | None = None) -> None:
        Refusal.__init__(self, "position.invalid", text, detail)


class InvalidSeed(Refusal, ValueError):
    """Not a seed: a seed has 1 to 64 printable ASCII characters (rules.md)."""

    def __init__(self, text: str) -> None:
        Refusal.__init__(self, "seed.invalid", text)


class UnknownRuleset(Refusal, LookupError):
    """There is no published ruleset, or no difficulty of it, with that key."""
