"""Sends chat messages of a race.

While a race runs, its entrants may only send fixed phrases: free text could tell others
about the dungeon. Free text is checked before it is stored, against the word list of
the moderators and for links of newcomers; phrases are only rate-limited.
"""

import unicodedata
from datetime import datetime, timedelta

from django.db import transaction

from game.contest.horizon import ViewerRole, can_write_free_text
from game.contest.moderation.reasons import FlagKind
from game.contest.phrases import PHRASES, phrase_key
from game.contest.text_matching import has_link, has_visible_character, limit_marks
from game.models import Account, ChatMessage, Entrant, FilterWord, Race
from game.models.races.chat import CHAT_LENGTH
from game.selectors.races.chat import chat_role, is_running, message_show
from game.selectors.races.loading import race_load
from game.selectors.races.schemas import ChatMessage as ChatMessageSchema
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.filter_words import filter_words_in
from game.services.core.flags import flag_raise
from game.services.core.notify import race_changed
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction

# The rate limit of one account in one race.
MAX_MESSAGES, MESSAGE_WINDOW = 6, timedelta(seconds=10)
# A room with BUSY_MESSAGES within BUSY_WINDOW is in slow mode: one message per account
# and interval.
BUSY_MESSAGES, BUSY_WINDOW, SLOW_MODE_INTERVAL = (
    20,
    timedelta(seconds=20),
    timedelta(seconds=10),
)
# What an account needs to post links: this age and this many settled races.
LINKS_MIN_AGE, LINKS_MIN_RACES = timedelta(days=3), 3


def chat_send(
    *, account_id: str, race_id: str, text: str, at: datetime
) -> ChatMessageSchema:
    """Send a phrase (its key or its words) or, where allowed, free text: the message.

    Raises race.not_found, chat.empty, chat.too_long, chat.phrases_only, chat.too_fast,
    chat.slow_mode, chat.no_links, chat.word, and what `require_allowed` does.
    """
    words = _normalize(text)
    require_allowed(account_id, Activity.CHAT, at=at)
    if phrase_key(words) is None:
        _check_text(account_id, race_id, words, at)
    return _send(account_id, race_id, words, at)


def _check_text(account_id: str, race_id: str, words: str, at: datetime) -> None:
    """Raises chat.no_links, chat.word."""
    if has_link(words) and _is_newcomer(account_id, at):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "chat.no_links",
            f"You can post links once your account is {LINKS_MIN_AGE.days} days old and"
            f" you have finished {LINKS_MIN_RACES} races.",
            {"days": LINKS_MIN_AGE.days, "races": LINKS_MIN_RACES},
        )
    listed_words = filter_words_in(words)
    if not listed_words:
        return
    refused = FilterWord.Effect.REFUSE in listed_words
    flag_raise(
        subject_id=account_id,
        kind=FlagKind.CHAT_FILTER,
        key=f"{race_id}:{at:%Y-%m-%dT%H}",  # one flag an hour and race
        evidence={
            "race": race_id,
            "text": words,
            "words": listed_words,
            "refused": refused,
        },
        at=at,
    )
    if refused:
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "chat.word",
            "Your message contains a word that is not allowed. It was not sent.",
        )


def _is_newcomer(account_id: str, at: datetime) -> bool:
    account = Account.objects.get(id=account_id)
    if account.is_guest or account.created_at > at - LINKS_MIN_AGE:
        return True
    raced = Entrant.objects.filter(
        account=account, left_at=None, race__settled_at__isnull=False
    )
    return raced.count() < LINKS_MIN_RACES


@retry_transaction
@transaction.atomic
def _send(account_id: str, race_id: str, words: str, at: datetime) -> ChatMessageSchema:
    race = Race.objects.select_for_update(no_key=True).filter(id=race_id).first()
    loaded = race_load(race_id)
    if race is None or loaded is None:
        raise not_found("race")
    role = chat_role(loaded, account_id)
    phrase = phrase_key(words)
    running = is_running(loaded, at)
    if phrase is None and not can_write_free_text(role, running=running):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "chat.phrases_only",
            "While the race runs, entrants can only send the fixed phrases.",
            {"phrases": list(PHRASES)},
        )
    room = (
        ChatMessage.Room.ENTRANTS
        if role is ViewerRole.ENTRANT
        else ChatMessage.Room.SPECTATORS
    )
    _require_rate(account_id, race_id, room, at)
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


def _normalize(text: str) -> str:
    """The text on one line, without control characters or stacked combining marks.

    Raises chat.empty, chat.too_long.
    """
    printable = "".join(
        " " if unicodedata.category(c)[0] in "ZC" and c != "\u200d" else c for c in text
    )
    words = limit_marks(" ".join(printable.split()))
    if not has_visible_character(words):
        raise ServiceRefusal(Kind.MALFORMED, "chat.empty", "The message is empty.")
    if len(words) > CHAT_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "chat.too_long",
            f"A message has at most {CHAT_LENGTH} characters.",
            {"most": CHAT_LENGTH},
        )
    return words


def _require_rate(account_id: str, race_id: str, room: str, at: datetime) -> None:
    """Raises chat.too_fast, chat.slow_mode."""
    messages = ChatMessage.objects.filter(race_id=race_id)
    own = messages.filter(account_id=account_id)
    if own.filter(at__gt=at - MESSAGE_WINDOW).count() >= MAX_MESSAGES:
        raise _too_fast("chat.too_fast", MAX_MESSAGES, MESSAGE_WINDOW)
    if not own.filter(at__gt=at - SLOW_MODE_INTERVAL).exists():
        return
    recent = messages.filter(room=room, at__gt=at - BUSY_WINDOW)
    if recent.count() >= BUSY_MESSAGES:
        raise _too_fast("chat.slow_mode", 1, SLOW_MODE_INTERVAL)


def _too_fast(code: str, most: int, within: timedelta) -> ServiceRefusal:
    limit = f"{most} in {within.seconds} s"
    slow_mode = "The chat is in slow mode: at most"
    what = slow_mode if code == "chat.slow_mode" else "Too many messages: at most"
    return ServiceRefusal(
        Kind.THROTTLED,
        code,
        f"{what} {limit}.",
        {"limit": limit, "retry_after_s": within.seconds},
    )
