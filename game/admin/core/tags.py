"""Words of the desk's pages: moments, keys and evidence as people read them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django import template

from game.admin.core.forms import words_of
from game.admin.core.links import page_of

register = template.Library()
# Keys of evidence that name something with a page of its own.
_PAGES = {"run": "run", "runs": "run", "race": "race", "races": "race"}
_PAGES |= {"account": "account", "other": "account"}


@register.filter
def moment(value: Any) -> str:
    """A moment to the minute, as "2026-11-30 01:18"; nothing for none."""
    return _clock(value, "%Y-%m-%d %H:%M")


@register.filter
def instant(value: Any) -> str:
    """The same to the second."""
    return _clock(value, "%Y-%m-%d %H:%M:%S")


def _clock(value: Any, shape: str) -> str:
    if not value:
        return ""
    at = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return at.astimezone(UTC).strftime(shape)


@register.filter
def words(key: Any) -> str:
    """A key as it is read."""
    return words_of(str(key))


@register.filter
def seconds(ms: float) -> str:
    """Milliseconds as seconds."""
    return f"{ms / 1000:.1f} s"


@register.filter
def evidence(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """[{key, values: [{text, href}]}] of a flag's facts."""
    return [
        {"key": words_of(key), "values": [_value(key, one) for one in _many(value)]}
        for key, value in facts.items()
    ]


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _value(key: str, value: Any) -> dict[str, str]:
    model = _PAGES.get(key)
    href = page_of(model, value) if model and isinstance(value, str) else ""
    return {"text": str(value), "href": href}
