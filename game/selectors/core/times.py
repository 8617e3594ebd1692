"""Times as the protocol writes them: RFC 3339 in UTC, with milliseconds."""

from datetime import UTC, datetime, timedelta
from typing import overload


@overload
def as_text(at: datetime) -> str: ...
@overload
def as_text(at: None) -> None: ...
def as_text(at: datetime | None) -> str | None:
    """A time such as 2026-11-29T08:00:00.123Z; None stays None."""
    if at is None:
        return None
    text = at.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def elapsed_ms(start: datetime, end: datetime) -> int:
    """Whole milliseconds from start to end, never below 0."""
    return max(0, (end - start) // timedelta(milliseconds=1))
