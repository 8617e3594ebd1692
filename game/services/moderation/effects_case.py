"""Effects of acts on cases and chat lines."""

from datetime import datetime

from django.db import IntegrityError, transaction

from game.contest.events import Event, EventKind
from game.models import Act, Case, ChatMessage, Report
from game.selectors.core.numbers import parse_whole
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.races.locking import race_lock, race_write


def dismiss(act: Act) -> None:
    """Close the case; its reports count against their reporters."""
    _close(act, Case.Outcome.DISMISSED)


def close(act: Act) -> None:
    """Close the case; its reports count in favour of their reporters."""
    _close(act, Case.Outcome.UPHELD)


def _close(act: Act, outcome: Case.Outcome) -> None:
    rows = Case.objects.filter(id=act.case_id, closed_at=None)
    closed_at = act.changed_at
    if not rows.update(closed_at=closed_at, touched_at=closed_at, outcome=outcome):
        raise ServiceRefusal(Kind.CONFLICT, "case.closed", "That case is closed.")
    Report.objects.filter(case_id=act.case_id).update(outcome=outcome)


def reopen(act: Act) -> None:
    """Open the case again. Raises case.opened_since if another of its kind is open."""
    rows = Case.objects.filter(id=act.case_id)
    try:
        with transaction.atomic():
            rows.update(closed_at=None, touched_at=act.changed_at, outcome="")
    except IntegrityError as error:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "case.opened_since",
            "Another case of that kind has been opened since.",
        ) from error
    Report.objects.filter(case_id=act.case_id).update(outcome="")


def message_get(target: str) -> ChatMessage:
    """Return the chat line of "race:number". Raises message.not_found."""
    race_id, _, text = target.partition(":")
    number = parse_whole(text, at_most=999_999_999)
    if number is not None:
        rows = ChatMessage.objects.filter(race_id=race_id, number=number)
        message = rows.select_related("account", "race").first()
        if message is not None:
            return message
    raise not_found("message")


def delete_text(act: Act) -> None:
    """Hide the line from the chat. Its text is kept for an appeal."""
    _set_deleted(act, act.changed_at)


def restore_text(act: Act) -> None:
    """Show the line again."""
    _set_deleted(act, None)


def _set_deleted(act: Act, deleted_at: datetime | None) -> None:
    message = message_get(act.target)
    work = race_lock(message.race_id)
    message.deleted_at = deleted_at
    message.save(update_fields=["deleted_at"])
    # Open pages remove a deleted line at the event. A restored line appears when the
    # chat is loaded again.
    events = (Event(EventKind.UNSAID, None, {"number": message.number}),)
    race_write(work, work.facts, events if deleted_at else (), act.changed_at)
