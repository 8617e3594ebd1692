"""Template filters of the admin site: times, labels and evidence."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django import template

from game.admin.core.forms import key_label
from game.admin.core.links import row_url

register = template.Library()
# The models of evidence whose values are ids.
_MODELS = {"run": "run", "runs": "run", "race": "race", "races": "race"}
_MODELS |= {"account": "account", "other": "account"}


@register.filter
def to_minute(value: Any) -> str:
    """Format a datetime or ISO text as "2026-11-30 01:18"; "" for None."""
    return _format_time(value, "%Y-%m-%d %H:%M")


@register.filter
def to_second(value: Any) -> str:
    """Format a datetime or ISO text as "2026-11-30 01:18:05"; "" for None."""
    return _format_time(value, "%Y-%m-%d %H:%M:%S")


def _format_time(value: Any, pattern: str) -> str:
    if not value:
        return ""
    at = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return at.astimezone(UTC).strftime(pattern)


@register.filter
def label(key: Any) -> str:
    """Format a key as a label."""
    return key_label(str(key))


@register.filter
def seconds(ms: float) -> str:
    """Format milliseconds as seconds."""
    return f"{ms / 1000:.1f} s"


@register.filter
def evidence(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the facts of a flag as [{key, values: [{text, href}]}]."""
    return [
        {
            "key": key_label(key),
            "values": [_value(key, item) for item in _as_list(value)],
        }
        for key, value in facts.items()
    ]


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _value(key: str, value: Any) -> dict[str, str]:
    model = _MODELS.get(key)
    href = row_url(model, value) if model and isinstance(value, str) else ""
    return {"text": str(value), "href": href}
