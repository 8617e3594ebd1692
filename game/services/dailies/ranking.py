"""Decides which attempts at dailies are ranked, until their board is settled.

`game.contest.ranked_attempts` has the rule, `deck_views` what was seen by whom. A
decision is written to the attempt, and corrects the provisional board.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from game.contest.ranked_attempts import (
    AttemptFacts,
    DeckView,
    HistoryClaim,
    Sightings,
    UnrankedReason,
    history_claims_refused,
    needs_history,
    why_unranked,
)
from game.models import Account, Daily, Run
from game.services.accounts.browsers import Browser
from game.services.boards.leaderboards import daily_board_correct
from game.services.boards.records import chunked
from game.services.dailies.deck_views import (
    accounts_at,
    accounts_with_mailboxes_of,
    deck_view_of,
    deck_view_record,
    mailboxes_of,
    mailboxes_record,
    recorded_mailboxes_of,
    sightings_like,
    sightings_of_all,
    views_of,
)
from game.services.dailies.qualification import attempt_facts, closed_without_mailbox
from game.services.runs.daily_lock import daily_lock_shared

_CHUNK = 500


def why_unranked_before_start(
    daily: Daily, account: Account | None, browser: Browser | None, *, at: datetime
) -> UnrankedReason | None:
    """Why an attempt of this account (None: a new guest) would be unranked now."""
    account_id = account.id if account else ""
    views = [deck_view_of(daily, account, browser, at=at)] if browser else []
    boxes = mailboxes_of([account_id])[account_id] if account else []
    seen = sightings_like(daily, views, boxes, at=at).reason_for(
        account_id, views, boxes, until=at
    )
    if account is None:
        return why_unranked(AttemptFacts(is_guest=True), seen)
    facts = attempt_facts([account], at=at)[account.id]
    reason = why_unranked(facts, seen)
    if reason is None and needs_history(facts):
        addresses = frozenset(view.address for view in views)
        claim = HistoryClaim(account_id, addresses, was_ranked=False, started_at=at)
        if account_id in _claims_refused(daily, [claim], at):
            return UnrankedReason.HISTORY_TAKEN
    return reason


def attempt_show_deck(
    daily: Daily, account: Account, browser: Browser | None, *, at: datetime
) -> None:
    """Record that the account's attempt is shown in this browser, and decide.

    Decides the account's attempt, and those of others that are seen before their end
    by this one. Does nothing if the browser is known, or once the daily is settled.
    """
    if daily.settled_at is not None:
        return
    others: set[str] | None = set()
    if browser is not None:
        others = deck_view_record(daily, account, browser, at=at)
    if others is not None:
        attempts_decide(daily, accounts={account.id, *others}, at=at)


def attempts_show_decks(
    runs: Iterable[Run], browser: Browser | None, *, at: datetime
) -> None:
    """Record that these runs are shown in this browser to their player.

    A response with an attempt at a daily shows its deck. Runs of other kinds, and those
    of settled dailies, are left out. Fetch the runs with their daily and account.
    """
    for run in runs:
        if run.kind == Run.Kind.DAILY and run.daily is not None:
            attempt_show_deck(run.daily, run.account, browser, at=at)


def account_show_decks(
    account_id: str, browser: Browser | None, *, at: datetime
) -> None:
    """Record that all attempts of the account at open dailies are shown there."""
    attempts_show_decks(_open_attempts(account_id), browser, at=at)


def attempt_show_deck_of_run(
    *, account_id: str, run_id: str, browser: Browser, at: datetime
) -> None:
    """Record that the account's open attempt with this run's id is shown there."""
    attempts = _open_attempts(account_id).filter(id=run_id)
    attempts_show_decks(attempts, browser, at=at)


def _open_attempts(account_id: str) -> QuerySet[Run]:
    rows = Run.objects.select_related("account", "daily")
    return rows.filter(
        account_id=account_id, kind=Run.Kind.DAILY, daily__settled_at=None
    )


def account_attempts_decide(account_id: str, *, at: datetime) -> int:
    """Decide the account's attempts at unsettled dailies again; how many changed.

    Call it when the account has signed up, or has a new e-mail or passkey.
    """
    open_dailies = Daily.objects.filter(
        runs__account_id=account_id, runs__kind=Run.Kind.DAILY, settled_at=None
    )
    return sum(
        attempts_decide(daily, accounts=[account_id], at=at) for daily in open_dailies
    )


@transaction.atomic
def attempts_decide(
    daily: Daily, *, at: datetime, accounts: Collection[str] | None = None
) -> int:
    """Decide which attempts at an unsettled daily are ranked; how many changed.

    `accounts`: only their attempts and those with the same mailboxes, otherwise all.
    Repeating it changes nothing.
    """
    if not daily_lock_shared(daily.id):
        return 0
    runs = Run.objects.filter(daily=daily, kind=Run.Kind.DAILY)
    if accounts is not None:
        mailboxes_record(daily, list(runs.filter(account_id__in=accounts)))
        same_mailbox = accounts_with_mailboxes_of(daily, accounts)
        runs = runs.filter(account_id__in={*accounts, *same_mailbox})
    attempts = list(runs.select_related("account").order_by("id"))
    parts = list(chunked(attempts, _CHUNK))
    for part in parts:
        mailboxes_record(daily, part)
    every = sightings_of_all(daily, at=at) if accounts is None else None
    decisions = [
        decision for part in parts for decision in _decide(daily, part, every, at)
    ]
    claims = [each.claim for each in decisions if each.claim is not None]
    refused = _claims_refused(daily, claims, at)
    changed = [each.run for each in decisions if _write(each, refused)]
    daily_board_correct(daily, changed)
    return len(changed)


class _Decision(NamedTuple):
    """Why an attempt is unranked, how its deck was seen, and whether it is ranked only
    if no other account at its addresses needs its history too.
    """

    run: Run
    reason: UnrankedReason | None
    seen: UnrankedReason | None
    claim: HistoryClaim | None


def _decide(
    daily: Daily, attempts: Sequence[Run], every: Sightings | None, at: datetime
) -> list[_Decision]:
    """Decide these attempts, in the order of their ids."""
    ids = [run.account_id for run in attempts]
    views, boxes = views_of(daily, ids), recorded_mailboxes_of(daily, ids)
    sightings = (
        every
        if every is not None
        else sightings_like(
            daily,
            [view for account_views in views.values() for view in account_views],
            {box for account_boxes in boxes.values() for box in account_boxes},
            at=at,
        )
    )
    facts_by_account = attempt_facts([run.account for run in attempts], at=at)
    closed = closed_without_mailbox(daily, ids)
    decisions = []
    for run in attempts:
        own_views = views[run.account_id]
        seen = sightings.reason_for(
            run.account_id,
            own_views,
            boxes[run.account_id],
            until=run.finished_at or at,
        )
        facts = facts_by_account[run.account_id]
        facts = facts._replace(
            is_bot=facts.is_bot or run.by_program,
            is_cut_off=run.cut_off_at is not None,
            was_ranked=run.ranked,
        )
        reason = why_unranked(facts, seen)
        is_closed = not run.account.is_active
        claims = run.account_id in closed if is_closed else needs_history(facts)
        claim = _claim_of(run, own_views, at) if reason is None and claims else None
        decisions.append(_Decision(run, reason, seen, claim))
    return decisions


def _claim_of(run: Run, views: Sequence[DeckView], at: datetime) -> HistoryClaim:
    until = run.finished_at or at
    return HistoryClaim(
        run.account_id,
        frozenset(view.address for view in views if view.at <= until),
        was_ranked=run.ranked,
        started_at=run.started_at,
        is_closed=not run.account.is_active,
    )


def _claims_refused(
    daily: Daily, claims: Sequence[HistoryClaim], at: datetime
) -> frozenset[str]:
    """Those of the claims that another ranked attempt at their address precludes."""
    addresses = {address for claim in claims for address in claim.addresses} - {""}
    if not addresses:
        return frozenset()
    ids = accounts_at(daily, addresses) - {claim.account_id for claim in claims}
    ranked = Run.objects.filter(
        daily=daily, kind=Run.Kind.DAILY, ranked=True, account_id__in=ids
    )
    runs = {run.account_id: run for run in ranked.select_related("account")}
    facts = attempt_facts([run.account for run in runs.values()], at=at)
    closed = closed_without_mailbox(daily, runs)
    views = views_of(daily, runs)
    others = [
        _claim_of(run, views[account_id], at)
        for account_id, run in runs.items()
        if account_id in closed
        or (run.account.is_active and needs_history(facts[account_id]))
    ]
    return history_claims_refused([*claims, *others])


def _write(decision: _Decision, refused: Collection[str]) -> bool:
    """Store the decision; whether the attempt is ranked or unranked differently now."""
    run, reason, seen, claim = decision
    if claim is not None and run.account_id in refused:
        reason = UnrankedReason.HISTORY_TAKEN
    before = (run.ranked, run.unranked)
    decided = (reason is None, reason or "")
    if (*before, run.deck_seen) != (*decided, seen or ""):
        run.ranked, run.unranked = decided
        run.deck_seen = seen or ""
        run.save(update_fields=["ranked", "unranked", "deck_seen"])
    return before != decided
