"""The fixed chat phrases, the only messages entrants can send while a race runs."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

PHRASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hello": "Hello!",
        "good_luck": "Good luck!",
        "ready": "Ready when you are.",
        "one_moment": "One moment, please.",
        "ouch": "Ouch!",
        "well_played": "Well played!",
        "good_race": "Good race!",
        "thanks": "Thanks!",
        "again": "Again?",
        "bye": "Bye!",
    }
)
_BY_WORDS: Final = {words.casefold(): key for key, words in PHRASES.items()}


def phrase_key(text: str) -> str | None:
    """The key of the phrase, given its key or its words; None if it is not a phrase."""
    if text in PHRASES:
        return text
    return _BY_WORDS.get(text.strip().casefold())
