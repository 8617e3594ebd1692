"""The JSON of a race's entrants."""

from collections.abc import Mapping
from typing import Any, Final

from game.contest.race import EntrantState, entrant_state
from game.models import Entrant, Race, Run
from game.selectors.boards.ratings import RatingMove
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.races import schemas as races_schemas
from game.selectors.races.loading import entrant_kind


def player_name(entrant: Entrant) -> str:
    """The displayed name of an entrant; a ghost has that of its run's player."""
    if entrant.ghost is not None:
        return f"Ghost of {entrant.ghost.account.name}"
    return entrant.account.name


def entrant_show(
    race: Race, entrant: Entrant, change: RatingMove | None, *, own: bool
) -> races_schemas.Entrant:
    """The entrant; `own`: for themselves, `change`: of their rating by the race."""
    run = entrant.run
    is_closed = race.closed_at is not None
    is_here = entrant.is_present or entrant.kind != Entrant.Kind.PLAYER
    state = entrant_state(
        status=run.status if run else None,
        moves=run.index if run else 0,
        is_ready=entrant.is_ready,
        is_disqualified=entrant.is_disqualified,
    )
    return {
        "player": player_name(entrant),
        "seat": entrant.seat,
        "kind": entrant_kind(entrant),
        "state": str(state),
        "depth": run.faced if run else 0,
        "present": entrant.is_present,
        "away_since": None if is_here else as_text(entrant.seen_at),
        "unready_since": None
        if entrant.is_ready or race.started_at is not None
        else as_text(entrant.unready_at or entrant.joined_at),
        "forfeits_at": as_text(entrant.forfeits_at),
        "place": entrant.place,
        # Scores of others are shown once the race has closed.
        "score": run.score if run and (own or is_closed) else None,
        "elapsed_ms": _elapsed(run),
        "run": run.id if run and is_closed else None,
        "rating_before": change.before if change else None,
        "rating_change": change.change if change else None,
    }


_NEW_ENTRANT: Final[Mapping[str, Any]] = {
    "depth": 0,
    "present": False,
    "forfeits_at": None,
    "place": None,
    "score": None,
    "elapsed_ms": None,
    "run": None,
    "rating_before": None,
    "rating_change": None,
}


def new_entrant(entrant: Mapping[str, Any], at: str) -> dict[str, Any]:
    """The fields of somebody who joined at that time, besides player and seat.

    `entrant` has their kind and state.
    """
    is_player = entrant["kind"] not in (Entrant.Kind.BOT, Entrant.Kind.GHOST)
    is_ready = entrant["state"] == EntrantState.READY
    return {
        **_NEW_ENTRANT,
        **entrant,
        "away_since": at if is_player else None,
        "unready_since": None if is_ready else at,
    }


def _elapsed(run: Run | None) -> int | None:
    if run is None or run.finished_at is None:
        return None
    return elapsed_ms(run.started_at, run.finished_at)
