"""Looks for filtered words in names and chat.

`game.contest.text_matching` says how a text is read; staff edit the list in
`game.services.moderation.filter_words`. A refused text is explained to its author and
flagged; only staff see the list.
"""

from game.contest.text_matching import find_words
from game.models import FilterWord


def filter_words_in(text: str) -> dict[str, list[str]]:
    """The words of the list that a text holds, by effect."""
    listed = dict(FilterWord.objects.values_list("key", "effect"))
    by_effect: dict[str, list[str]] = {}
    for key in find_words(text, listed) if listed else ():
        by_effect.setdefault(listed[key], []).append(key)
    return by_effect
