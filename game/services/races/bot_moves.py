"""Plays for those who are no people: house players and ghosts, each at its time.

When a turn is due stands in the database, so a restart in mid-race loses nothing: the
next pass plays what is overdue. A turn is taken by moving its time a little ahead; if
the process dies over it, it falls due again, and the move's key keeps it single.
"""

from datetime import datetime, timedelta

from game.analysis.players import PLAYERS, SeededRandom, view_of
from game.models import Entrant, Move, Run
from game.rules import IllegalMove, State
from game.selectors.runs.runs import row_of, state_of
from game.services.core.errors import ServiceRefusal
from game.services.races.bot_pacing import next_turn
from game.services.races.bots import PLAYER_OF
from game.services.runs.dungeons import deck_open
from game.services.runs.moves.play import move_play

# Longer than any choice takes; shorter than anybody's patience.
TAKEN_FOR = timedelta(seconds=20)


def turns_play(*, at: datetime, most: int = 20) -> int:
    """Play the turns that are due; how many. Two at once play each of them once."""
    due = Entrant.objects.filter(turn_at__lte=at).order_by("turn_at")
    found = list(due.values_list("id", "turn_at")[:most])
    return sum(_turn(entrant_id, turn_at, at) for entrant_id, turn_at in found)


def _turn(entrant_id: int, turn_at: datetime | None, at: datetime) -> bool:
    until = at + TAKEN_FOR
    mine = Entrant.objects.filter(id=entrant_id, turn_at=turn_at).update(turn_at=until)
    if not mine:
        return False
    one = Entrant.objects.select_related(
        "run__account", "run__dungeon", "run__race", "ghost"
    ).get(id=entrant_id)
    following = _play(one, at)
    Entrant.objects.filter(id=entrant_id, turn_at=until).update(turn_at=following)
    return True


def _play(one: Entrant, at: datetime) -> datetime | None:
    """Play one move; when the next is due, None where the run is over."""
    run: Run | None = one.run
    if run is None or run.status != Run.Status.PLAYING:
        return None
    code = _code(one, run)
    if code is None:
        return None
    key = f"house:{run.index}"
    try:
        answer = move_play(
            account_id=run.account_id,
            run_id=run.id,
            index=run.index,
            code=code,
            key=key,
        )
    except (ServiceRefusal, IllegalMove):
        # Over, or the race has closed meanwhile: nothing is left to play.
        return None
    if answer["run"]["status"] != Run.Status.PLAYING:
        return None
    return next_turn(one, answer["run"]["index"], at, run.started_at)


def _code(one: Entrant, run: Run) -> str | None:
    if one.ghost_id is not None:
        recorded = Move.objects.filter(run_id=one.ghost_id, index=run.index)
        return recorded.values_list("code", flat=True).first()
    state: State = state_of(
        row_of(run), deck_open(run.dungeon_id, run.dungeon.seed_sealed)
    )
    # The view holds what a player sees and nothing else; the state goes no further.
    player = PLAYERS[PLAYER_OF[one.account_id]]
    return player.plan(view_of(state), SeededRandom(f"{run.id}:{run.index}"))[0]
