"""A move in a race, by the race's id: the same way in as every other move."""

from typing import Any

from game.models import Race
from game.selectors.races.tables import race_table
from game.services.core.database_time import clock
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.races.timeouts import race_due
from game.services.runs.moves.play import MoveAsked, move_play


def race_move_play(
    *, account_id: str, race_id: str, index: int, code: str, key: str | None = None
) -> dict[str, Any]:
    """Play one move of your run in a race: {run, effects, replayed, seq}.

    Raises what `move_play` raises, and race.not_found, race.not_entrant,
    race.wrong_phase where there is no run of yours to move.
    """
    asked = MoveAsked(account_id, race_id, index, code, key, in_race=True)
    try:
        return move_play(asked)
    except ServiceRefusal as refusal:
        if refusal.code != "run.not_found":
            raise
    # No run yet: the start may be due and nobody has come by.
    if race_due(race_id, at=clock()):
        try:
            return move_play(asked)
        except ServiceRefusal as refusal:
            if refusal.code != "run.not_found":
                raise
    raise _no_run(race_id, account_id)


def _no_run(race_id: str, account_id: str) -> ServiceRefusal:
    table = race_table(race_id)
    if table is None:
        return not_found("race")
    if table.entrant(account_id) is None:
        return ServiceRefusal(
            Kind.FORBIDDEN, "race.not_entrant", "You are not in this race."
        )
    race: Race = table.race
    return ServiceRefusal(
        Kind.CONFLICT,
        "race.wrong_phase",
        "The race has not begun."
        if race.cancelled_at is None
        else "The race was cancelled.",
        {"allowed": ["running"]},
    )
