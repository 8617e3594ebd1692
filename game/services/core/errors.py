"""What services refuse. Codes are stable; doors turn `kind` into a status."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from game.rules import Refusal


class Kind(Enum):
    """What sort of no it is; a door maps each to its own status."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    NOT_FOUND = "not_found"
    FORBIDDEN = "forbidden"
    CONFLICT = "conflict"
    THROTTLED = "throttled"
    UNAVAILABLE = "unavailable"


class ServiceRefusal(Refusal):
    """An act the present state of things does not allow.

    `extra` holds whole objects that the answer carries beside the error (the run of a
    stale move), where `detail` has plain facts.
    """

    def __init__(
        self,
        kind: Kind,
        code: str,
        text: str,
        detail: Mapping[str, Any] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(code, text, detail)
        self.kind = kind
        self.extra = extra


def not_found(what: str) -> ServiceRefusal:
    """The refusal for what is not there, and for what you may not know is there."""
    return ServiceRefusal(
        Kind.NOT_FOUND, f"{what}.not_found", f"There is no such {what}."
    )
