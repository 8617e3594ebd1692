"""Changes of queue tickets that races cause: a search ends, a player returns.

A player whose offer ends by their own act, or runs out, has declined it
(`game.contest.declines`). Tickets are locked in the order of their ids, after the race
and before its entrants are written.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

from django.db.models import Q

from game.models import MatchDecline, MatchTicket

# The fields of a ticket without an offer.
NO_OFFER: Final[Mapping[str, Any]] = {
    "offer": "",
    "accept_by": None,
    "accepted_at": None,
    "is_linked": False,
}


def tickets_lock(account_ids: Collection[str]) -> list[MatchTicket]:
    """The accounts' tickets, locked together with the other tickets of their offers."""
    own = MatchTicket.objects.filter(account__in=account_ids)
    offers = own.exclude(offer="").values_list("offer", flat=True)
    involved = MatchTicket.objects.filter(
        Q(account__in=account_ids) | Q(offer__in=set(offers))
    )
    locked = involved.order_by("id").select_for_update()
    return [ticket for ticket in locked if ticket.account_id in account_ids]


def searches_end(account_ids: Collection[str], *, at: datetime) -> None:
    """Take the accounts out of the queue; they decline the offers they had."""
    for ticket in tickets_lock(account_ids):
        if ticket.race_id is None:
            offer_decline(ticket, at=at)
            ticket.delete()


def offer_decline(ticket: MatchTicket, *, at: datetime) -> None:
    """Record that the player declines their offer, if they have one; withdraw it."""
    decline_record(ticket, at=at)
    offer_withdraw(ticket)


def decline_record(ticket: MatchTicket, *, at: datetime) -> None:
    """Record that the player does not accept their offer, if they have one."""
    if not ticket.offer:
        return
    others = MatchTicket.objects.filter(offer=ticket.offer).exclude(id=ticket.id)
    MatchDecline.objects.bulk_create(
        MatchDecline(account_id=ticket.account_id, other_id=other, at=at)
        for other in others.values_list("account_id", flat=True)
    )


def offer_withdraw(ticket: MatchTicket) -> None:
    """Return the other player of the offer to the queue, keeping their waiting time."""
    if not ticket.offer:
        return
    others = MatchTicket.objects.filter(offer=ticket.offer).exclude(id=ticket.id)
    others.update(**NO_OFFER)


def ticket_delete_of_leaver(race_id: str, account_id: str) -> None:
    """Delete the ticket with which the account came into the race, if there is one."""
    MatchTicket.objects.filter(race_id=race_id, account_id=account_id).delete()


def tickets_return_to_front(race_id: str, *, at: datetime) -> None:
    """Return everybody who came from the queue into the race to the queue's front."""
    MatchTicket.objects.filter(race_id=race_id).update(
        race=None, is_first=True, seen_at=at, **NO_OFFER
    )
