"""The list of filtered words, as staff edit it.

`game.services.core.filter_words` looks for them in names and chat.
"""

from datetime import datetime

from django.db import transaction

from game.contest.text_matching import word_key
from game.models import Account, FilterWord
from game.models.moderation.filter_word import WORD_LENGTH
from game.services.core.errors import Kind, ServiceRefusal
from game.services.moderation.audit import audit_add


@transaction.atomic
def filter_word_add(
    *, word: str, by: Account | None, at: datetime, effect: str = "refuse"
) -> FilterWord:
    """Add a word to the list, or change its effect. A final star matches any ending.

    Raises filter_word.empty, filter_word.too_long.
    """
    text, key = " ".join(word.split()), word_key(word)
    if len(key.rstrip("*")) < 2:
        raise ServiceRefusal(
            Kind.MALFORMED, "filter_word.empty", "A word has at least two letters."
        )
    if len(text) > WORD_LENGTH or len(key) > 2 * WORD_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "filter_word.too_long",
            f"A word has at most {WORD_LENGTH} letters.",
        )
    row, _ = FilterWord.objects.update_or_create(
        key=key,
        defaults={
            "word": text,
            "effect": FilterWord.Effect(effect),
            "made_by": by,
            "made_at": at,
        },
    )
    _log("word_added", row, by, at)
    return row


@transaction.atomic
def filter_word_remove(*, word: str, by: Account | None, at: datetime) -> bool:
    """Remove a word from the list; return whether it was on it."""
    rows = FilterWord.objects.select_for_update().filter(key=word_key(word))
    row = rows.first()
    if row is None:
        return False
    rows.delete()
    _log("word_removed", row, by, at)
    return True


def _log(verb: str, row: FilterWord, by: Account | None, at: datetime) -> None:
    audit_add(
        verb=verb,
        at=at,
        actor_id=by.id if by else None,
        facts={"word": row.key, "effect": str(row.effect)},
    )
