"""What Scoundrel itself refuses. Owns the base of every refusal in the game.

A refusal is an expected answer, not a fault: it has a stable dotted `code`, a sentence
for people and a plain `detail` dict for programs. Doors turn it into HTTP or websocket
errors; nothing here knows about either.
"""

# ruff: noqa: N818 - these names are the contract, and a refusal is not an error.

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
    """Text that is no move code at all; rules.md "A run" lists the codes."""

    def __init__(self, text: object) -> None:
        shown = repr(text)[:40]
        super().__init__(
            "move.malformed",
            f"{shown} is not a move. Say avoid, a weapon or potion such as 8D,"
            " or a monster with w (armed) or b (bare-handed) such as JSw.",
            {"move": shown},
        )


class IllegalMove(Refusal):
    """A well-formed move that the present position does not allow."""


class InvalidPosition(Refusal, ValueError):
    """A start, snapshot or record that no run of Scoundrel could be in."""

    def __init__(self, text: str, detail: Mapping[str, Any] | None = None) -> None:
        Refusal.__init__(self, "position.invalid", text, detail)


class InvalidSeed(Refusal, ValueError):
    """Text that cannot be a seed: rules.md wants 1 to 64 printable ASCII characters."""

    def __init__(self, text: str) -> None:
        Refusal.__init__(self, "seed.invalid", text)


class UnknownRuleset(Refusal, LookupError):
    """No published ruleset, or no difficulty of one, has that name."""
