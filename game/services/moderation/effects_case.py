"""Acts on cases and on what is said: dismiss, close, delete a line; and back."""

from datetime import datetime

from django.db import IntegrityError, transaction

from game.contest.events import Event, EventKind
from game.models import Act, Case, ChatMessage, Report
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.moderation.effect_context import Effected
from game.services.races.locking import race_lock, race_write


def dismiss(it: Effected) -> None:
    """Nothing needs a moderator: the reports count against their reporters."""
    _end(it.act, Case.Outcome.DISMISSED, it.at)


def close(it: Effected) -> None:
    """It has been seen to: the reports speak for their reporters."""
    _end(it.act, Case.Outcome.UPHELD, it.at)


def _end(act: Act, outcome: Case.Outcome, at: datetime) -> None:
    rows = Case.objects.filter(id=act.case_id, closed_at=None)
    if not rows.update(closed_at=at, touched_at=at, outcome=outcome):
        raise ServiceRefusal(Kind.CONFLICT, "case.closed", "That case is closed.")
    Report.objects.filter(case_id=act.case_id).update(outcome=outcome)


def reopen(it: Effected) -> None:
    """Open the case again, unless a new one of the kind has been opened since."""
    rows = Case.objects.filter(id=it.act.case_id)
    try:
        with transaction.atomic():
            rows.update(closed_at=None, touched_at=it.at, outcome="")
    except IntegrityError as error:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "case.opened_since",
            "Another case of that kind has been opened since.",
        ) from error
    Report.objects.filter(case_id=it.act.case_id).update(outcome="")


def message_of(target: str) -> ChatMessage:
    """The chat line that "race:number" names. Raises message.not_found."""
    race_id, _, number = target.partition(":")
    if number.isdecimal() and len(number) < 10:
        rows = ChatMessage.objects.filter(race_id=race_id, number=int(number))
        found = rows.select_related("account", "race").first()
        if found is not None:
            return found
    raise not_found("message")


def delete_text(it: Effected) -> None:
    """Take the line out of the chat; it is kept for an appeal."""
    _set_deleted(it.act, it.at, it.at)


def restore_text(it: Effected) -> None:
    """Put it back."""
    _set_deleted(it.act, None, it.at)


def _set_deleted(act: Act, deleted_at: datetime | None, at: datetime) -> None:
    message = message_of(act.target)
    work = race_lock(message.race_id)
    message.deleted_at = deleted_at
    message.save(update_fields=["deleted_at"])
    # Pages that show it drop the line; what is put back is there when they ask anew.
    events = (Event(EventKind.UNSAID, None, {"number": message.number}),)
    race_write(work, work.facts, events if deleted_at else (), at)
