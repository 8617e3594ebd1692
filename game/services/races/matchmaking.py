"""Quick matches: a queue, offers that both must accept, then a race that counts down.

Nothing here waits: whoever asks about his own ticket, and the tick, bring the queue up
to date. A ticket that nobody asks about any more is dropped.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

from django.db import transaction

from game.contest.pairing import (
    BOT_OFFER_AFTER,
    OFFER_LIFETIME,
    REPEAT_COOLDOWN,
    QueuedPlayer,
    find_pairs,
)
from game.contest.rating import INITIAL_SKILL
from game.models import Account, Entrant, MatchTicket, Race, Rating, RatingPool, new_id
from game.selectors.accounts.blocks import unpairable
from game.selectors.races.tables import rating_pool_of
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction
from game.services.races.commands import RaceAsked, race_make, race_matched
from game.services.races.leaver_penalty import wait_refuse

ASKED_WITHIN = timedelta(seconds=45)
KEPT_AFTER_MATCH = timedelta(minutes=5)


def match_seek(
    *, account_id: str, ruleset: str, form: str, at: datetime
) -> MatchTicket:
    """Queue up, or stay queued; another ruleset or format begins the wait anew.

    Raises race.one_rated where the account is in a rated race right now, and what
    `require_allowed` does: quick matches are rated.
    """
    require_allowed(account_id, Activity.RATED, at=at)
    if Entrant.objects.filter(account_id=account_id, is_rated_live=True).exists():
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.one_rated",
            "You are in a rated race; finish that one first.",
        )
    wait_refuse(account_id, at=at)
    _queue(account_id, ruleset, form, at)
    match_due(at=at)
    return MatchTicket.objects.get(account_id=account_id)


@retry_transaction
@transaction.atomic
def _queue(account_id: str, ruleset: str, form: str, at: datetime) -> None:
    known = MatchTicket.objects.select_for_update().filter(account_id=account_id)
    ticket = known.first()
    if ticket is not None:
        if ticket.race_id is None and (ticket.ruleset, ticket.format) == (
            ruleset,
            form,
        ):
            known.update(seen_at=at)
            return
        if ticket.offer and ticket.race_id is None:
            _withdraw(ticket)
        ticket.delete()
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
    found = Rating.objects.filter(account_id=account_id, ruleset=ruleset, pool=pool)
    return found.values_list("rating", flat=True).first() or INITIAL_SKILL.rating


def match_show(*, account_id: str, at: datetime) -> MatchTicket | None:
    """The account's own ticket, brought up to date; None: it is not queued."""
    MatchTicket.objects.filter(account_id=account_id, seen_at__lt=at).update(seen_at=at)
    match_due(at=at)
    return (
        MatchTicket.objects.select_related("account")
        .filter(account_id=account_id)
        .first()
    )


@retry_transaction
@transaction.atomic
def match_leave(*, account_id: str) -> None:
    """Leave the queue, or decline an offer: the other goes on waiting."""
    ticket = (
        MatchTicket.objects.select_for_update().filter(account_id=account_id).first()
    )
    if ticket is None:
        return
    if ticket.offer and ticket.race_id is None:
        _withdraw(ticket)
    ticket.delete()


def _withdraw(ticket: MatchTicket) -> None:
    """Set the other of an offer free again, with the wait he has behind him."""
    MatchTicket.objects.filter(offer=ticket.offer).exclude(id=ticket.id).update(
        offer="", accept_by=None, accepted_at=None
    )


def match_accept(*, account_id: str, at: datetime) -> MatchTicket:
    """Accept the offer; once both have, the race counts down.

    Raises match.no_offer.
    """
    match_due(at=at)
    _accept(account_id, at)
    return MatchTicket.objects.get(account_id=account_id)


@retry_transaction
@transaction.atomic
def _accept(account_id: str, at: datetime) -> None:
    own = MatchTicket.objects.filter(account_id=account_id).exclude(offer="").first()
    if own is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "match.no_offer", "There is no offer to accept."
        )
    locked = MatchTicket.objects.filter(offer=own.offer).order_by("id")
    both = list(locked.select_for_update(of=("self",)).select_related("account"))
    mine = next((one for one in both if one.account_id == account_id), None)
    if mine is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "match.no_offer", "There is no offer to accept."
        )
    if mine.accepted_at is None:
        mine.accepted_at = at
        mine.save(update_fields=["accepted_at"])
    if len(both) == 2 and all(one.accepted_at for one in both) and not mine.race_id:
        made = race_matched(
            accounts=[one.account for one in both],
            asked=RaceAsked(
                ruleset=mine.ruleset,
                format=mine.format,
                visibility=Race.Visibility.PUBLIC,
                rated=all(one.is_rateable for one in both),
            ),
            at=at,
        )
        locked.update(race=made["race_id"])


def match_house(*, account_id: str, house: str, at: datetime) -> MatchTicket:
    """Race a house player instead of waiting on. Raises match.not_queued,
    match.house_not_yet, race.no_such_house.
    """
    ticket = MatchTicket.objects.filter(account_id=account_id, race=None).first()
    if ticket is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "match.not_queued", "You are not waiting for a match."
        )
    if at < ticket.made_at + BOT_OFFER_AFTER:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "match.house_not_yet",
            "A house player is offered to whoever has waited 20 s alone.",
        )
    return _against_house(ticket, house, at)


@retry_transaction
@transaction.atomic
def _against_house(ticket: MatchTicket, house: str, at: datetime) -> MatchTicket:
    locked = MatchTicket.objects.select_for_update().get(id=ticket.id)
    if locked.race_id is None:
        if locked.offer:
            _withdraw(locked)
        asked = RaceAsked(
            ruleset=locked.ruleset,
            format=locked.format,
            visibility=Race.Visibility.LINK,
            house=house,
            ready=True,
        )
        made = race_make(account_id=locked.account_id, asked=asked, at=at)
        locked.race_id = made["race_id"]
        locked.offer, locked.accept_by, locked.accepted_at = "", None, None
        locked.save()
    return locked


def match_due(*, at: datetime) -> int:
    """Bring every queue up to date: offers run out, tickets are dropped, pairs made."""
    return _offers_expire(at) + _tickets_drop(at) + _pair(at)


@retry_transaction
@transaction.atomic
def _offers_expire(at: datetime) -> int:
    """Who accepted waits on; who did not has gone away."""
    late = (
        MatchTicket.objects.filter(accept_by__lte=at, race=None)
        .exclude(offer="")
        .order_by("id")
    )
    locked = list(late.select_for_update(skip_locked=True))
    for ticket in locked:
        if ticket.accepted_at is None:
            ticket.delete()
        else:
            ticket.offer, ticket.accept_by, ticket.accepted_at = "", None, None
            ticket.save()
    return len(locked)


def _tickets_drop(at: datetime) -> int:
    gone = MatchTicket.objects.filter(
        race=None, offer="", seen_at__lt=at - ASKED_WITHIN
    )
    done = MatchTicket.objects.filter(
        race__isnull=False, seen_at__lt=at - KEPT_AFTER_MATCH
    )
    return gone.delete()[0] + done.delete()[0]


@retry_transaction
@transaction.atomic
def _pair(at: datetime) -> int:
    waiting = MatchTicket.objects.filter(
        offer="", race=None, seen_at__gte=at - ASKED_WITHIN
    ).order_by("ruleset", "format", "pool", "id")
    made = 0
    locked = list(waiting.select_for_update(skip_locked=True))
    for _, queue in groupby(
        locked, key=lambda one: (one.ruleset, one.format, one.pool)
    ):
        made += _offer(list(queue), at)
    return made


def _offer(tickets: Sequence[MatchTicket], at: datetime) -> int:
    if len(tickets) < 2:
        return 0
    accounts = [one.account_id for one in tickets]
    met, apart = _met_lately(accounts, at), unpairable(accounts)
    queue = [
        QueuedPlayer(
            one.id,
            one.account_id,
            one.rating,
            (at - one.made_at).total_seconds(),
            met.get(one.account_id, frozenset()),
            apart.get(one.account_id, frozenset()),
        )
        for one in tickets
    ]
    found = find_pairs(queue)
    for first, second in found:
        MatchTicket.objects.filter(id__in=[first.ticket, second.ticket]).update(
            offer=new_id(), accept_by=at + OFFER_LIFETIME
        )
    return len(found)


def _met_lately(accounts: Sequence[str], at: datetime) -> dict[str, frozenset[str]]:
    """Whom each has raced in the last minutes, among those who wait."""
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
