"""Plays the due moves of bots and ghosts.

`Entrant.turn_at` says when the next move is due, so a restart in mid-race loses
nothing. A process claims a move by setting `turn_at` a little ahead; if it dies, the
move falls due again, and the move's key makes sure that it is stored once.
"""

from datetime import datetime, timedelta

from game.analysis.players import PLAYERS, SeededRandom, view_of
from game.models import Entrant, Move, Run
from game.rules import IllegalMove, State
from game.rules.state import PLAYING
from game.selectors.runs.runs import run_row, run_state
from game.services.core.errors import ServiceRefusal
from game.services.races.bot_pacing import (
    CLOCK_SLACK,
    next_move_at,
    turn_after_set_back,
)
from game.services.races.bots import PLAYER_KEYS
from game.services.runs.dungeons import dungeon_deck
from game.services.runs.moves.play import move_play

# Longer than choosing a move takes, and short enough to wait for.
CLAIM_DURATION = timedelta(seconds=20)


def bot_moves_play(*, at: datetime, most: int = 20) -> int:
    """Play at most `most` of the moves that are due; how many this call claimed."""
    _correct_turns(at)
    due = Entrant.objects.filter(turn_at__lte=at).order_by("turn_at")
    turns = list(due.values_list("id", "turn_at")[:most])
    return sum(_claim_and_play(entrant_id, due_at, at) for entrant_id, due_at in turns)


def _correct_turns(at: datetime) -> None:
    """Bring turns forward that a clock computed which has been set back since."""
    ahead = Entrant.objects.filter(turn_at__gt=at + CLOCK_SLACK, run__isnull=False)
    for entrant in ahead.select_related("run", "ghost"):
        assert entrant.run is not None
        turn_at = turn_after_set_back(entrant, entrant.run.index, at)
        if turn_at is not None:
            same = Entrant.objects.filter(id=entrant.id, turn_at=entrant.turn_at)
            same.update(turn_at=turn_at)


def _claim_and_play(entrant_id: int, due_at: datetime | None, at: datetime) -> bool:
    claimed_until = at + CLAIM_DURATION
    unclaimed = Entrant.objects.filter(id=entrant_id, turn_at=due_at)
    if not unclaimed.update(turn_at=claimed_until):
        return False
    entrant = Entrant.objects.select_related(
        "run__account", "run__dungeon", "run__race", "ghost"
    ).get(id=entrant_id)
    following = _play(entrant, at)
    Entrant.objects.filter(id=entrant_id, turn_at=claimed_until).update(
        turn_at=following
    )
    return True


def _play(entrant: Entrant, at: datetime) -> datetime | None:
    """Play one move; when the next is due, None if the run is over."""
    run: Run | None = entrant.run
    if run is None or run.status != Run.Status.PLAYING:
        return None
    code = _choose_move(entrant, run)
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
        # The run or the race has ended meanwhile.
        return None
    if answer["run"]["status"] != PLAYING:
        return None
    return next_move_at(entrant, answer["run"]["index"], at, run.started_at)


def _choose_move(entrant: Entrant, run: Run) -> str | None:
    if entrant.ghost_id is not None:
        recorded = Move.objects.filter(run_id=entrant.ghost_id, index=run.index)
        return recorded.values_list("code", flat=True).first()
    state: State = run_state(
        run_row(run), dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    )
    # The bot chooses from the view of a player, never from the full state.
    player = PLAYERS[PLAYER_KEYS[entrant.account_id]]
    return player.plan(view_of(state), SeededRandom(f"{run.id}:{run.index}"))[0]
