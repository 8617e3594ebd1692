"""Says things in a race. Entrants have fixed phrases alone while it runs: free words
there would carry news of the dungeon past the horizon.

Free text is looked at before it is said: words of staff's list, links of newcomers. Who
is refused is told why; a phrase is never refused but for coming too fast.
"""

import unicodedata
from datetime import datetime, timedelta

from django.db import transaction

from game.contest.horizon import ViewerRole, can_write_free_text
from game.contest.moderation.reasons import FlagKind
from game.contest.phrases import PHRASES, phrase_key
from game.contest.text_matching import has_link, has_visible_character, limit_marks
from game.models import Account, ChatMessage, Entrant, FilterWord, Race
from game.models.races.race import CHAT_LENGTH
from game.selectors.races import schemas as races_schemas
from game.selectors.races.chat import chat_role, is_running, message_show
from game.selectors.races.tables import race_table
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.filter_words import filter_words_in
from game.services.core.flags import flag_raise
from game.services.core.notify import race_changed
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction

# Of one account in one race.
MOST, WITHIN = 6, timedelta(seconds=10)
# A room in which so much is said goes slow: each says one thing in a while.
BUSY, BUSY_WITHIN, SLOW = 20, timedelta(seconds=20), timedelta(seconds=10)
# Who may name an address elsewhere.
LINKS_AFTER, LINKS_AFTER_RACES = timedelta(days=3), 3


def race_say(
    *, account_id: str, race_id: str, text: str, at: datetime
) -> races_schemas.ChatMessage:
    """Say a phrase (by key or words) or, where that is allowed, free text.

    Answers with the message. Raises race.not_found, chat.empty, chat.too_long,
    chat.phrases_only, chat.too_fast, chat.slow_mode, chat.no_links, chat.word.
    """
    words = _clean(text)
    require_allowed(account_id, Activity.CHAT, at=at)
    if phrase_key(words) is None:
        _look_at(account_id, race_id, words, at)
    return _say(account_id, race_id, words, at)


def _look_at(account_id: str, race_id: str, words: str, at: datetime) -> None:
    """Raises chat.no_links, chat.word."""
    if has_link(words) and _is_new(account_id, at):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "chat.no_links",
            f"Links are for players of {LINKS_AFTER.days} days and"
            f" {LINKS_AFTER_RACES} races.",
            {"days": LINKS_AFTER.days, "races": LINKS_AFTER_RACES},
        )
    found = filter_words_in(words)
    if not found:
        return
    refused = FilterWord.Effect.REFUSE in found
    flag_raise(
        subject_id=account_id,
        kind=FlagKind.CHAT_FILTER,
        key=f"{race_id}:{at:%Y-%m-%dT%H}",  # one an hour, however often he tries
        evidence={"race": race_id, "text": words, "words": found, "refused": refused},
        at=at,
    )
    if refused:
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "chat.word",
            "That holds a word that is not said here. Nobody has read it.",
        )


def _is_new(account_id: str, at: datetime) -> bool:
    account = Account.objects.get(id=account_id)
    if account.is_guest or account.created_at > at - LINKS_AFTER:
        return True
    raced = Entrant.objects.filter(
        account=account, left_at=None, race__settled_at__isnull=False
    )
    return raced.count() < LINKS_AFTER_RACES


@retry_transaction
@transaction.atomic
def _say(
    account_id: str, race_id: str, words: str, at: datetime
) -> races_schemas.ChatMessage:
    race = Race.objects.select_for_update(no_key=True).filter(id=race_id).first()
    table = race_table(race_id)
    if race is None or table is None:
        raise not_found("race")
    role = chat_role(table, account_id)
    phrase = phrase_key(words)
    running = is_running(table, at)
    if phrase is None and not can_write_free_text(role, running=running):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "chat.phrases_only",
            "While the race runs, entrants have the fixed phrases.",
            {"phrases": list(PHRASES)},
        )
    room = (
        ChatMessage.Room.ENTRANTS
        if role is ViewerRole.ENTRANT
        else ChatMessage.Room.SPECTATORS
    )
    _not_too_fast(account_id, race_id, room, at)
    race.chat_count += 1
    race.save(update_fields=["chat_count"])
    message = ChatMessage.objects.create(
        race=race,
        number=race.chat_count,
        account_id=account_id,
        room=room,
        phrase=phrase or "",
        text="" if phrase else words,
        at=at,
    )
    seq = race.seq
    transaction.on_commit(lambda: race_changed(race_id, seq))
    return message_show(message)


def _clean(text: str) -> str:
    """The words on one line, no marks piled up. Raises chat.empty, chat.too_long."""
    printable = "".join(
        " " if unicodedata.category(c)[0] in "ZC" and c != "\u200d" else c for c in text
    )
    words = limit_marks(" ".join(printable.split()))
    if not has_visible_character(words):
        raise ServiceRefusal(Kind.MALFORMED, "chat.empty", "Say something.")
    if len(words) > CHAT_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "chat.too_long",
            f"At most {CHAT_LENGTH} characters.",
            {"most": CHAT_LENGTH},
        )
    return words


def _not_too_fast(account_id: str, race_id: str, room: str, at: datetime) -> None:
    """Raises chat.too_fast, chat.slow_mode."""
    said = ChatMessage.objects.filter(race_id=race_id)
    own = said.filter(account_id=account_id)
    if own.filter(at__gt=at - WITHIN).count() >= MOST:
        raise _too_fast("chat.too_fast", MOST, WITHIN)
    if not own.filter(at__gt=at - SLOW).exists():
        return
    busy = said.filter(room=room, at__gt=at - BUSY_WITHIN).order_by("number")[:BUSY]
    if len(busy.values_list("number")) == BUSY:
        raise _too_fast("chat.slow_mode", 1, SLOW)


def _too_fast(code: str, most: int, within: timedelta) -> ServiceRefusal:
    limit = f"{most} in {within.seconds} s"
    what = "The chat is busy: at most" if code == "chat.slow_mode" else "At most"
    return ServiceRefusal(
        Kind.THROTTLED,
        code,
        f"{what} {limit}.",
        {"limit": limit, "retry_after_s": within.seconds},
    )
