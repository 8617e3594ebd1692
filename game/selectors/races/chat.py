"""Chat messages of a race that a viewer may read."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from game.contest.horizon import ChatRoom, ViewerRole, can_read_room
from game.contest.phrases import PHRASES
from game.contest.race import RacePhase, race_phase
from game.models import ChatMessage
from game.selectors.accounts.blocks import blocked_by
from game.selectors.core.times import as_text
from game.selectors.races import schemas as races_schemas
from game.selectors.races.loading import LoadedRace, race_load
from game.selectors.races.snapshots import Viewer

_RUNNING = (RacePhase.COUNTDOWN, RacePhase.RUNNING)


def chat_role(loaded: LoadedRace, account_id: str | None) -> ViewerRole:
    """The chat role of an account; accounts without a seat are spectators."""
    own = loaded.entrant(account_id) if account_id is not None else None
    return ViewerRole.ENTRANT if own else ViewerRole.SPECTATOR


def is_running(loaded: LoadedRace, at: datetime) -> bool:
    """Whether the chat is restricted now: from the countdown until the close."""
    return race_phase(loaded.facts, at) in _RUNNING


def readable_rooms(loaded: LoadedRace, viewer: Viewer, at: datetime) -> tuple[str, ...]:
    """The rooms that the viewer can read now."""
    role = chat_role(loaded, viewer.account_id)
    running = is_running(loaded, at)
    return tuple(
        room for room in ChatRoom if can_read_room(room, role, running=running)
    )


def race_chat(
    race_id: str, viewer: Viewer, since: int, at: datetime, most: int = 100
) -> list[races_schemas.ChatMessage]:
    """The messages after number `since` that the viewer may read now, in order."""
    loaded = race_load(race_id)
    if loaded is None:
        return []
    rows = chat_rows(race_id, readable_rooms(loaded, viewer, at), since)
    readable = rows.exclude(account__in=blocked_by(viewer.account_id))
    return [message_show(message) for message in readable[:most]]


def chat_rows(race_id: str, rooms: Iterable[str], since: int) -> QuerySet[ChatMessage]:
    """The undeleted messages of the rooms after number `since`, in order."""
    messages = ChatMessage.objects.filter(
        race_id=race_id, number__gt=since, room__in=list(rooms), deleted_at=None
    )
    return messages.select_related("account").order_by("number")


def message_text(message: ChatMessage) -> str:
    """The text of a message; that of the phrase if it is one."""
    return PHRASES.get(message.phrase, message.text)


def message_show(message: ChatMessage) -> races_schemas.ChatMessage:
    """A message; `text` is its text, also if it is a phrase."""
    return {
        "number": message.number,
        "player": message.account.name,
        "room": message.room,
        "phrase": message.phrase or None,
        "text": message_text(message),
        "at": as_text(message.at),
    }
