"""Reads a race with its entrants and runs, and converts it to `game.contest` values.

One query, so that the event counter, the entrants and the runs are consistent.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import connection

from game.contest.horizon import Viewpoint, viewpoint
from game.contest.race import (
    EntrantFacts,
    EntrantKind,
    Format,
    RaceFacts,
    shown_kind,
)
from game.models import Account, Entrant, Race, RatingPool, Run
from game.rules.cards import DECK
from game.rules.snapshot import unseen_in
from game.selectors.races.rows import race_rows


class LoadedRace(NamedTuple):
    """A race and all its entrants, including those who left, in order of seat."""

    race: Race
    entrants: tuple[Entrant, ...]

    @property
    def facts(self) -> RaceFacts:
        """The race as a `game.contest` value."""
        return race_facts(self.race, self.entrants)

    def entrant(self, account_id: str | None) -> Entrant | None:
        """The account's entrant; None if it has none or has left."""
        for entrant in self.entrants:
            if entrant.account_id == account_id and entrant.left_at is None:
                return entrant
        return None


def race_load(race_id: str) -> LoadedRace | None:
    """The race with its entrants, accounts and runs; None if it does not exist."""
    rows = tuple(_rows(race_id))
    if not rows:
        return None
    race = rows[0].race
    for entrant in rows:
        entrant.race = race
        if entrant.run is not None and race.dungeon is not None:
            entrant.run.account, entrant.run.dungeon, entrant.run.race = (
                entrant.account,
                race.dungeon,
                race,
            )
    return LoadedRace(race, rows)


def _rows(race_id: str) -> Iterable[Entrant]:
    if connection.vendor == "postgresql":
        return race_rows(race_id)
    return race_rows_by_orm(race_id)


def race_rows_by_orm(race_id: str) -> Iterable[Entrant]:
    """The same as `race_rows`, on any database."""
    return (
        Entrant.objects.filter(race_id=race_id)
        .select_related(
            "race", "race__dungeon", "race__rematch", "account", "run", "ghost__account"
        )
        .order_by("seat")
    )


def race_facts(race: Race, entrants: Sequence[Entrant]) -> RaceFacts:
    """The race as a `game.contest` value; accounts and runs must be fetched."""
    return RaceFacts(
        host=race.host_id,
        made_at=race.made_at,
        expires_at=race.expires_at,
        format=Format(race.format),
        seats=race.seats,
        rated=race.rated,
        is_paired=race.is_paired,
        is_listed=race.visibility == Race.Visibility.PUBLIC,
        time_limit=race.time_limit,
        starts_at=race.starts_at,
        deadline_at=race.deadline_at,
        started_at=race.started_at,
        closed_at=race.closed_at,
        settled_at=race.settled_at,
        cancelled_at=race.cancelled_at,
        held_at=race.held_at,
        voided_at=race.voided_at,
        paused_to=race.paused_to,
        unrated_at=race.unrated_at,
        entrants=tuple(_entrant_facts(entrant) for entrant in entrants),
    )


def _entrant_facts(entrant: Entrant) -> EntrantFacts:
    run: Run | None = entrant.run
    is_ready_or_gone = entrant.is_ready or entrant.left_at is not None
    return EntrantFacts(
        account=entrant.account_id,
        seat=entrant.seat,
        kind=EntrantKind(entrant.kind),
        pool=rating_pool_of(entrant.account)
        if entrant.kind == Entrant.Kind.PLAYER
        else "",
        is_ready=entrant.is_ready,
        has_left=entrant.left_at is not None,
        is_removed=entrant.is_removed,
        is_invited=entrant.is_invited,
        joined_at=entrant.joined_at,
        unready_since=None
        if is_ready_or_gone
        else entrant.unready_at or entrant.joined_at,
        status=run.status if run else None,
        moves=run.index if run else 0,
        ended_at=run.finished_at if run else None,
        forfeits_at=entrant.forfeits_at,
        is_disqualified=entrant.is_disqualified,
    )


def rating_pool_of(account: Account) -> str:
    """The account's rating pool; "" for guests, who are never rated."""
    if account.is_guest:
        return ""
    return str(RatingPool.BOT if account.is_bot else RatingPool.LIVE)


def entrant_kind(entrant: Entrant) -> str:
    """Who plays, as clients see it; account and run must be fetched."""
    by_program = (
        entrant.run.by_program if entrant.run is not None else entrant.account.is_bot
    )
    return str(shown_kind(EntrantKind(entrant.kind), by_program=by_program))


def positions_shown(run: Run) -> int:
    """How many deck positions the run's player has been shown."""
    return len(DECK) - unseen_in(run.snapshot)


def race_viewpoint(loaded: LoadedRace, account_id: str | None) -> Viewpoint:
    """The account's viewpoint of the race now; None: an anonymous viewer."""
    own = loaded.entrant(account_id) if account_id is not None else None
    active = [entrant for entrant in loaded.entrants if entrant.left_at is None]
    shown_counts = {
        entrant.seat: positions_shown(entrant.run)
        for entrant in active
        if entrant.run is not None
    }
    playing = [
        entrant.seat
        for entrant in active
        if entrant.run is not None and entrant.run.status == Run.Status.PLAYING
    ]
    return viewpoint(
        seat=own.seat if own else None,
        shown=shown_counts,
        playing=playing,
        is_closed=loaded.race.closed_at is not None,
    )
