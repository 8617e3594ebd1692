"""Matchmaking tickets: their JSON for the owner, and recent opponents."""

from collections.abc import Sequence
from datetime import datetime

from game.contest.pairing import BOT_OFFER_AFTER, REPEAT_COOLDOWN, rating_window
from game.models import Entrant, MatchTicket
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.races import schemas as races_schemas


def match_json(
    ticket: MatchTicket | None,
    at: datetime,
    wait: races_schemas.Wait | None = None,
    paused_until: datetime | None = None,
) -> races_schemas.Match:
    """The state of a player's search.

    idle, waiting, offered (they can accept), accepted (the other has not yet) or
    matched (`race` is the race's id).
    """
    if ticket is None:
        return {
            "state": "idle",
            "ruleset": None,
            "format": None,
            "since": None,
            "waited_ms": 0,
            "window": None,
            "offer": None,
            "house": False,
            "race": None,
            "wait": wait,
            "pause": _pause(paused_until, at),
        }
    waited_ms = elapsed_ms(ticket.made_at, at)
    width = rating_window(waited_ms / 1000)
    alone = ticket.race_id is None and not ticket.offer
    return {
        "state": _state(ticket),
        "ruleset": ticket.ruleset,
        "format": ticket.format,
        "since": as_text(ticket.made_at),
        "waited_ms": waited_ms,
        "window": None if width == float("inf") else round(width),
        "offer": _offer(ticket),
        "house": alone and at >= ticket.made_at + BOT_OFFER_AFTER,
        "race": ticket.race_id,
        "wait": wait,
        "pause": _pause(paused_until, at),
    }


def _pause(until: datetime | None, at: datetime) -> races_schemas.MatchPause | None:
    if until is None:
        return None
    seconds = -(-elapsed_ms(at, until) // 1000)
    return {"until": as_text(until), "retry_after_s": seconds}


def _state(ticket: MatchTicket) -> str:
    if ticket.race_id is not None:
        return "matched"
    if not ticket.offer:
        return "waiting"
    return "accepted" if ticket.accepted_at else "offered"


def _offer(ticket: MatchTicket) -> races_schemas.MatchOffer | None:
    if not ticket.offer or ticket.accept_by is None or ticket.race_id is not None:
        return None
    others = MatchTicket.objects.filter(offer=ticket.offer).exclude(id=ticket.id)
    other = others.select_related("account").first()
    if other is None:
        return None
    return {
        "accept_by": as_text(ticket.accept_by),
        "opponent": other.account.name,
        "rating": round(other.rating),
        "rated": ticket.is_rateable and other.is_rateable and not ticket.is_linked,
        "linked": ticket.is_linked,
        "opponent_accepted": other.accepted_at is not None,
    }


def recent_opponents(
    accounts: Sequence[str], at: datetime
) -> dict[str, frozenset[str]]:
    """Return, for each account, which others it raced within REPEAT_COOLDOWN."""
    seats = Entrant.objects.filter(
        account__in=accounts, race__made_at__gt=at - REPEAT_COOLDOWN, left_at=None
    ).values_list("race_id", "account_id")
    by_race: dict[str, set[str]] = {}
    for race_id, account_id in seats:
        by_race.setdefault(race_id, set()).add(account_id)
    met: dict[str, set[str]] = {}
    for people in by_race.values():
        for account_id in people:
            met.setdefault(account_id, set()).update(people - {account_id})
    return {account_id: frozenset(others) for account_id, others in met.items()}
