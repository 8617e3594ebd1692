"""Refusals by services. Codes are stable; entry points map `kind` to a status."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from game.rules import Refusal


class Kind(Enum):
    """The category of a refusal; each entry point has a status for it."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    NOT_FOUND = "not_found"
    FORBIDDEN = "forbidden"
    CONFLICT = "conflict"
    THROTTLED = "throttled"
    UNAVAILABLE = "unavailable"


class ServiceRefusal(Refusal):
    """An action that is not allowed in the present state.

    `detail` has plain values; `extra` has whole objects that the answer carries too,
    such as the run of a stale move.
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
    """The refusal for something that does not exist or that the caller may not see."""
    return ServiceRefusal(
        Kind.NOT_FOUND, f"{what}.not_found", f"There is no such {what}."
    )
