"""Says things in a race. Entrants have fixed phrases alone while it runs: free words
there would carry news of the dungeon past the horizon.
"""

import unicodedata
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from game.contest.horizon import Role, may_write_freely
from game.contest.phrases import PHRASES, phrase_key
from game.models import ChatMessage, Race
from game.models.race import CHAT_LENGTH
from game.selectors.chats import chat_role, is_running, message_show
from game.selectors.race_tables import race_table
from game.services.again import tried_again
from game.services.bars import Doing, not_barred
from game.services.doorbell import ring
from game.services.errors import Kind, ServiceRefusal, not_found

# Of one account in one race.
MOST, WITHIN = 6, timedelta(seconds=10)


def race_say(
    *, account_id: str, race_id: str, text: str, at: datetime
) -> dict[str, Any]:
    """Say a phrase (by key or words) or, where that is allowed, free text.

    Answers with the message. Raises race.not_found, chat.empty, chat.too_long,
    chat.phrases_only, chat.too_fast.
    """
    words = _clean(text)
    not_barred(account_id, Doing.CHAT, at=at)
    return _say(account_id, race_id, words, at)


@tried_again
@transaction.atomic
def _say(account_id: str, race_id: str, words: str, at: datetime) -> dict[str, Any]:
    race = Race.objects.select_for_update(no_key=True).filter(id=race_id).first()
    table = race_table(race_id)
    if race is None or table is None:
        raise not_found("race")
    role = chat_role(table, account_id)
    phrase = phrase_key(words)
    running = is_running(table, at)
    if phrase is None and not may_write_freely(role, running=running):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "chat.phrases_only",
            "While the race runs, entrants have the fixed phrases.",
            {"phrases": list(PHRASES)},
        )
    _not_too_fast(account_id, race_id, at)
    race.chat_count += 1
    race.save(update_fields=["chat_count"])
    message = ChatMessage.objects.create(
        race=race,
        number=race.chat_count,
        account_id=account_id,
        room=ChatMessage.Room.ENTRANTS
        if role is Role.ENTRANT
        else ChatMessage.Room.SPECTATORS,
        phrase=phrase or "",
        text="" if phrase else words,
        at=at,
    )
    seq = race.seq
    transaction.on_commit(lambda: ring(race_id, seq))
    return message_show(message)


def _clean(text: str) -> str:
    """The words on one line. Raises chat.empty, chat.too_long."""
    printable = "".join(
        " " if unicodedata.category(c)[0] in "ZC" and c != "\u200d" else c for c in text
    )
    words = " ".join(printable.split())
    if not words:
        raise ServiceRefusal(Kind.MALFORMED, "chat.empty", "Say something.")
    if len(words) > CHAT_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "chat.too_long",
            f"At most {CHAT_LENGTH} characters.",
            {"most": CHAT_LENGTH},
        )
    return words


def _not_too_fast(account_id: str, race_id: str, at: datetime) -> None:
    lately = ChatMessage.objects.filter(
        race_id=race_id, account_id=account_id, at__gt=at - WITHIN
    )
    if lately.count() >= MOST:
        raise ServiceRefusal(
            Kind.THROTTLED,
            "chat.too_fast",
            f"At most {MOST} messages in {WITHIN.seconds} s.",
            {"limit": f"{MOST} in {WITHIN.seconds} s", "retry_after_s": WITHIN.seconds},
        )
