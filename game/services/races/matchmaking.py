"""Matchmaking: a queue, offers that both players must accept, then a race.

No request waits: every request for a ticket, and the tick, update the queue. A ticket
that its owner does not refresh for 45 s is dropped.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

from django.db import transaction

from game.contest.pairing import (
    BOT_OFFER_AFTER,
    OFFER_LIFETIME,
    QueuedPlayer,
    find_pairs,
)
from game.contest.rating import INITIAL_SKILL
from game.models import (
    Account,
    MatchTicket,
    Race,
    Rating,
    RatingPool,
    new_id,
)
from game.selectors.accounts.blocks import blocks_against, unpairable
from game.selectors.accounts.links import links_among
from game.selectors.races.loading import rating_pool_of
from game.selectors.races.match_declines import kept_apart, pauses_of
from game.selectors.races.match_tickets import recent_opponents
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction
from game.services.races.create import (
    RaceTerms,
    race_make_matched,
    race_make_of_search,
)
from game.services.races.leaver_penalty import require_no_leaver_penalty
from game.services.races.live_seats import (
    accounts_live,
    live_seats_release,
    require_no_live_seat,
)
from game.services.races.match_tickets import (
    NO_OFFER,
    decline_record,
    offer_decline,
    offer_withdraw,
    searches_end,
    tickets_lock,
)

TICKET_TIMEOUT = timedelta(seconds=45)
MATCHED_TICKET_KEPT_FOR = timedelta(minutes=5)


def match_ticket_join(
    *, account_id: str, ruleset: str, form: str, at: datetime
) -> MatchTicket:
    """Join the queue or stay in it; another ruleset or format rejoins at its end.

    Matches are rated. Raises race.one_live or race.one_rated if the account is in a
    race now, race.wait, and what `require_allowed` does.
    """
    require_allowed(account_id, Activity.RATED, at=at)
    live_seats_release([account_id], at=at)
    require_no_live_seat(account_id)
    require_no_leaver_penalty(account_id, at=at)
    _queue(account_id, ruleset, form, at)
    matchmaking_advance(at=at)
    return MatchTicket.objects.get(account_id=account_id)


@retry_transaction
@transaction.atomic
def _queue(account_id: str, ruleset: str, form: str, at: datetime) -> None:
    same = MatchTicket.objects.filter(
        account_id=account_id, race=None, ruleset=ruleset, format=form
    )
    if same.update(seen_at=at):
        return
    _leave(account_id, at)
    account = Account.objects.get(id=account_id)
    pool = RatingPool.BOT if account.is_bot else RatingPool.LIVE
    MatchTicket.objects.create(
        account=account,
        ruleset=ruleset,
        format=form,
        pool=pool,
        is_rateable=bool(rating_pool_of(account)),
        rating=_rating(account_id, ruleset, pool),
        made_at=at,
        seen_at=at,
    )


def _rating(account_id: str, ruleset: str, pool: str) -> float:
    ratings = Rating.objects.filter(account_id=account_id, ruleset=ruleset, pool=pool)
    return ratings.values_list("rating", flat=True).first() or INITIAL_SKILL.rating


def match_ticket_refresh(*, account_id: str, at: datetime) -> MatchTicket | None:
    """Update the queue; return the account's ticket, or None if it has none."""
    MatchTicket.objects.filter(account_id=account_id, seen_at__lt=at).update(seen_at=at)
    matchmaking_advance(at=at)
    return (
        MatchTicket.objects.select_related("account")
        .filter(account_id=account_id)
        .first()
    )


@retry_transaction
@transaction.atomic
def match_ticket_leave(*, account_id: str, at: datetime) -> None:
    """Leave the queue or decline an offer; the other player stays in the queue."""
    _leave(account_id, at)


def _leave(account_id: str, at: datetime) -> None:
    searches_end([account_id], at=at)
    # A ticket whose match has been made.
    MatchTicket.objects.filter(account_id=account_id).delete()


def match_offer_accept(*, account_id: str, at: datetime) -> MatchTicket | None:
    """Accept the offer; once both players have, their race is created.

    Raises match.no_offer. None if the account has entered a race meanwhile.
    """
    matchmaking_advance(at=at)
    _accept(account_id, at)
    return MatchTicket.objects.filter(account_id=account_id).first()


@retry_transaction
@transaction.atomic
def _accept(account_id: str, at: datetime) -> None:
    own = MatchTicket.objects.filter(account_id=account_id).exclude(offer="")
    locked = MatchTicket.objects.filter(offer__in=own.values("offer")).order_by("id")
    tickets = list(locked.select_for_update(of=("self",)).select_related("account"))
    own_ticket = next(
        (ticket for ticket in tickets if ticket.account_id == account_id), None
    )
    if own_ticket is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "match.no_offer", "There is no offer to accept."
        )
    if own_ticket.accepted_at is None:
        own_ticket.accepted_at = at
        own_ticket.save(update_fields=["accepted_at"])
    accepted = len(tickets) == 2 and all(ticket.accepted_at for ticket in tickets)
    if accepted and not own_ticket.race_id and _can_still_race(tickets, at):
        result = race_make_matched(
            accounts=[ticket.account for ticket in tickets],
            terms=RaceTerms(
                ruleset=own_ticket.ruleset,
                format=own_ticket.format,
                visibility=Race.Visibility.PUBLIC,
                rated=not own_ticket.is_linked
                and all(ticket.is_rateable for ticket in tickets),
            ),
            at=at,
            is_linked=own_ticket.is_linked,
        )
        MatchTicket.objects.filter(offer=own_ticket.offer).update(
            race=result["race_id"]
        )


def _can_still_race(tickets: Sequence[MatchTicket], at: datetime) -> bool:
    """Whether the offer holds; if not, end it.

    A player in a running race leaves the queue. Two players who by now block each
    other, or are linked after a rated match was offered, return to it.
    """
    accounts = [ticket.account_id for ticket in tickets]
    busy = accounts_live(accounts)
    if not busy and not unpairable(accounts) and not _is_rated_for_linked(tickets, at):
        return True
    blocks = blocks_against(accounts)
    for ticket in tickets:
        # Blocking a stranger must not be a free way to decline them.
        if any((ticket.account_id, other) in blocks for other in accounts):
            decline_record(ticket, at=at)
    for ticket in tickets:
        offer_withdraw(ticket)
    MatchTicket.objects.filter(account__in=busy).delete()
    return False


def _is_rated_for_linked(tickets: Sequence[MatchTicket], at: datetime) -> bool:
    if not all(ticket.is_rateable and not ticket.is_linked for ticket in tickets):
        return False
    accounts = [ticket.account_id for ticket in tickets]
    return bool(links_among(accounts, at=at).among(accounts))


def match_race_bot(*, account_id: str, house: str, at: datetime) -> MatchTicket:
    """Race a bot instead of waiting. Raises match.not_queued, match.house_not_yet,
    race.no_such_house, race.one_live, race.one_rated, and what `require_allowed` does.
    """
    require_allowed(account_id, Activity.PLAY, at=at)
    ticket = MatchTicket.objects.filter(account_id=account_id, race=None).first()
    if ticket is None:
        raise _not_queued()
    if at < ticket.made_at + BOT_OFFER_AFTER:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "match.house_not_yet",
            "You can race a bot after 20 s in the queue.",
        )
    return _race_bot(ticket, house, at)


def _not_queued() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.CONFLICT, "match.not_queued", "You are not waiting for a match."
    )


@retry_transaction
@transaction.atomic
def _race_bot(ticket: MatchTicket, house: str, at: datetime) -> MatchTicket:
    locked = next(iter(tickets_lock([ticket.account_id])), None)
    if locked is None:
        raise _not_queued()
    if locked.race_id is None:
        offer_decline(locked, at=at)
        require_no_live_seat(locked.account_id)
        terms = RaceTerms(
            ruleset=locked.ruleset,
            format=locked.format,
            visibility=Race.Visibility.LINK,
            house=house,
            ready=True,
        )
        result = race_make_of_search(account=locked.account, terms=terms, at=at)
        locked.race_id = result["race_id"]
        _clear_offer(locked)
    return locked


def matchmaking_advance(*, at: datetime) -> int:
    """Update every queue: expire offers, drop old tickets, pair players.

    Returns the number of tickets and pairs changed.
    """
    return _expire_offers(at) + _drop_tickets(at) + _pair_waiting(at)


@retry_transaction
@transaction.atomic
def _expire_offers(at: datetime) -> int:
    """Return tickets that accepted to the queue; delete those that did not.

    Letting an offer run out is declining it.
    """
    late = (
        MatchTicket.objects.filter(accept_by__lte=at, race=None)
        .exclude(offer="")
        .order_by("id")
    )
    locked = list(late.select_for_update(skip_locked=True))
    for ticket in locked:
        if ticket.accepted_at is None:
            decline_record(ticket, at=at)
    for ticket in locked:
        if ticket.accepted_at is None:
            ticket.delete()
        else:
            _clear_offer(ticket)
    return len(locked)


def _clear_offer(ticket: MatchTicket) -> None:
    for name, value in NO_OFFER.items():
        setattr(ticket, name, value)
    ticket.save()


def _drop_tickets(at: datetime) -> int:
    gone = MatchTicket.objects.filter(
        race=None, offer="", seen_at__lt=at - TICKET_TIMEOUT
    )
    matched = MatchTicket.objects.filter(
        race__isnull=False, seen_at__lt=at - MATCHED_TICKET_KEPT_FOR
    )
    return gone.delete()[0] + matched.delete()[0]


@retry_transaction
@transaction.atomic
def _pair_waiting(at: datetime) -> int:
    waiting = MatchTicket.objects.filter(
        offer="", race=None, seen_at__gte=at - TICKET_TIMEOUT
    ).order_by("ruleset", "format", "pool", "id")
    pairs = 0
    locked = list(waiting.select_for_update(skip_locked=True))
    paused = pauses_of([ticket.account_id for ticket in locked], at=at)
    locked = [ticket for ticket in locked if ticket.account_id not in paused]
    for _, queue in groupby(
        locked, key=lambda ticket: (ticket.ruleset, ticket.format, ticket.pool)
    ):
        pairs += _offer_pairs(list(queue), at)
    return pairs


def _offer_pairs(tickets: Sequence[MatchTicket], at: datetime) -> int:
    if len(tickets) < 2:
        return 0
    accounts = [ticket.account_id for ticket in tickets]
    recent, blocked = recent_opponents(accounts, at), unpairable(accounts)
    rateable = {ticket.account_id for ticket in tickets if ticket.is_rateable}
    links = links_among(rateable, at=at)
    declined = kept_apart(accounts, at=at)
    queue = [
        QueuedPlayer(
            ticket.id,
            ticket.account_id,
            ticket.rating,
            (at - ticket.made_at).total_seconds(),
            recent.get(ticket.account_id, frozenset()),
            blocked.get(ticket.account_id, frozenset())
            | declined.get(ticket.account_id, frozenset()),
            ticket.is_first,
            links.linked_to(ticket.account_id),
        )
        for ticket in tickets
    ]
    pairs = find_pairs(queue)
    for first, second in pairs:
        MatchTicket.objects.filter(id__in=[first.ticket, second.ticket]).update(
            offer=new_id(),
            accept_by=at + OFFER_LIFETIME,
            is_linked=second.account in first.linked,
        )
    return len(pairs)
