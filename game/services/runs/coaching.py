"""What the coach may do in practice: undo moves, and mark the run as helped.

A helped run is never ranked, counted or measured. Runs of dailies and races have no
coach: others play the same deck.
"""

from datetime import datetime

from django.db import transaction

from game.models import Move, Run
from game.rules import find_ruleset, fold
from game.rules.observation import faced_count
from game.rules.snapshot import to_text
from game.selectors.runs.runs import run_row
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.runs.dungeons import dungeon_deck
from game.services.runs.runs import run_json, run_over_refusal


def require_coachable(run: Run, *, at: datetime) -> None:
    """Refuse help for a run. Raises coach.not_practice, run.over (with the run)."""
    if run.kind != Run.Kind.PRACTICE:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "coach.not_practice",
            "Only practice runs have a coach. Others play this deck too.",
        )
    if run.status != Run.Status.PLAYING:
        raise run_over_refusal(run_json(run_row(run), at=at))


def run_mark_coached(run: Run) -> None:
    """Mark a practice run as helped."""
    if not run.coached:
        Run.objects.filter(id=run.id, kind=Run.Kind.PRACTICE).update(coached=True)
        run.coached = True


@transaction.atomic
def run_undo(*, account_id: str, run_id: str, index: int, at: datetime) -> Run:
    """Undo the last move of a practice run and mark the run.

    `index` is the number of moves that the client believes were played, so a repeated
    request undoes nothing more. The move is deleted with its idempotency key.

    Raises run.not_found, coach.not_practice, run.over and run.stale_index (both carry
    the run), undo.first_room.
    """
    run = (
        Run.objects.select_for_update(of=("self",))
        .select_related("account", "dungeon", "daily")
        .filter(id=run_id, account_id=account_id)
        .first()
    )
    if run is None:
        raise not_found("run")
    require_coachable(run, at=at)
    if run.index != index:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "run.stale_index",
            f"The run is at move {run.index}.",
            {"index": run.index},
            run=run_json(run_row(run), at=at),
        )
    moves = list(Move.objects.filter(run=run).order_by("index"))
    if not moves:
        raise ServiceRefusal(
            Kind.CONFLICT, "undo.first_room", "No move has been played yet."
        )
    moves.pop().delete()
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    codes = [move.code for move in moves]
    state = fold(find_ruleset(run.ruleset), deck, codes, run.difficulty)
    run.index, run.snapshot = len(moves), to_text(state)
    run.health, run.faced = state.health, faced_count(state)
    run.moved_at = moves[-1].at if moves else run.started_at
    run.coached = True
    run.save(
        update_fields=["index", "snapshot", "health", "faced", "moved_at", "coached"]
    )
    return run
