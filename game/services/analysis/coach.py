"""The coach of practice runs: hints in levels, and how many cards are left.

A worker computes the advice (`game.analysis.coach`); the level decides how much of it
is sent. Advice is computed from what the player has seen, also on a known seed.
"""

from collections import Counter
from datetime import datetime
from typing import Any

from game.analysis import COACH_VERSION, view_of
from game.models import Move, Run, Study
from game.rules.cards import Kind as CardKind
from game.rules.cards import monsters_sum
from game.selectors.analysis import schemas
from game.selectors.runs.runs import run_row, run_state
from game.services.analysis.job_queue import queue_position, study_request
from game.services.runs.coaching import require_coachable, run_mark_coached
from game.services.runs.dungeons import dungeon_deck, is_seed_open

MAX_LEVEL = 3


def hint_request(*, run: Run, level: int, requester: str, at: datetime) -> schemas.Hint:
    """Request a hint for a run's position, and mark the run; it, or its progress.

    `level` 0: the chance to clear the dungeon; 1: also what to think about; 2: also the
    card; 3: also the moves. Raises coach.not_practice, run.over, analysis.busy.
    """
    require_coachable(run, at=at)
    run_mark_coached(run)
    codes = (
        Move.objects.filter(run=run).order_by("index").values_list("code", flat=True)
    )
    study = study_request(
        run_id=run.id,
        kind=Study.Kind.HINT,
        version=COACH_VERSION,
        question=" ".join(codes),
        requester=requester,
        at=at,
    )
    advice: dict[str, Any] = study.result or {}
    hint: schemas.Hint = {
        "run": run.id,
        "seal": run.dungeon.seal,
        "version": COACH_VERSION,
        "status": study.status,
        "progress": study.progress,
        "queue_position": queue_position(study),
        "index": run.index,
        "level": level,
    }
    if advice:
        hint |= {"chance": advice["chance"], "chance_error": advice["chance_error"]}
        if level >= 1:
            hint["theme"] = advice["theme"]
        if level >= 2:
            first = advice["plan"][0]
            hint["card"] = None if first == "avoid" else first[:2]
        if level >= MAX_LEVEL:
            hint["plan"] = advice["plan"]
    return hint


def coach_show(*, run: Run, at: datetime) -> schemas.Coach:
    """The cards that the player has not seen yet, counted by suit.

    `may_solve`: the order is known to the player, so that the best line may be shown.
    Raises coach.not_practice, run.over.
    """
    require_coachable(run, at=at)
    state = run_state(
        run_row(run), dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    )
    view = view_of(state)
    suits = Counter(card[1] for card in view.unseen)
    monsters = [card for card in view.unseen if card.kind is CardKind.MONSTER]
    return {
        "run": run.id,
        "seal": run.dungeon.seal,
        "index": run.index,
        "coached": run.coached,
        "unseen": len(view.unseen),
        "clubs": suits["C"],
        "spades": suits["S"],
        "diamonds": suits["D"],
        "hearts": suits["H"],
        "monsters_sum": monsters_sum(monsters),
        "may_solve": is_seed_open(run.dungeon),
    }
