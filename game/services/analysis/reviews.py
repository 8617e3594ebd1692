"""Reviews, solutions and "what if" of runs that are over and whose dungeon is revealed.

Asks the queue of studies, and shows what came of it. Nothing here searches: a worker
does that. Never a word about a dungeon that is not revealed.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from game.analysis import ANALYSIS_VERSION
from game.models import Move, Run, Study
from game.rules import (
    State,
    apply,
    find_ruleset,
    fold,
    observe,
    parse_move,
    score,
)
from game.rules.effects import as_json
from game.services.analysis.job_queue import study_ask
from game.services.core.errors import Kind, ServiceRefusal
from game.services.runs.dungeons import deck_open

# A run has at most 58 moves, so from nowhere does anybody play more.
MOST_MOVES = 60


def review_ask(*, run: Run, at: datetime) -> dict[str, Any]:
    """Ask for a run's review; how far it is, or the review. Raises review.not_yet."""
    _check_revealed(run)
    study = study_ask(
        run_id=run.id,
        kind=Study.Kind.REVIEW,
        version=ANALYSIS_VERSION,
        question="",
        at=at,
    )
    return _shown(run, study)


def review_show(*, run: Run) -> dict[str, Any]:
    """A run's review, or how far it is; status "none" where nobody has asked.

    Raises review.not_yet.
    """
    _check_revealed(run)
    study = Study.objects.filter(
        run=run, kind=Study.Kind.REVIEW, version=ANALYSIS_VERSION
    ).first()
    return _shown(run, study)


def solve_ask(
    *, run: Run, index: int, moves: Sequence[str], at: datetime
) -> dict[str, Any]:
    """The best play of a practice run's dungeon from a position, or how far it is.

    Raises review.not_yet, solve.not_practice, what_if.no_such_index, IllegalMove,
    MalformedMove.
    """
    _check_revealed(run)
    if run.kind != Run.Kind.PRACTICE:
        raise ServiceRefusal(
            Kind.CONFLICT, "solve.not_practice", "Only practice is solved on demand."
        )
    codes = [*_codes(run, index), *(str(parse_move(move)) for move in moves)]
    state = _position(run, codes)
    if score(state) is not None:
        return {
            **_named(run, "done", 1.0),
            "best": score(state),
            "proven": True,
            "bound": score(state),
            "line": [],
        }
    study = study_ask(
        run_id=run.id,
        kind=Study.Kind.SOLVE,
        version=ANALYSIS_VERSION,
        question=" ".join(codes),
        at=at,
    )
    return _shown(run, study)


def what_if(*, run: Run, index: int, moves: Sequence[str]) -> dict[str, Any]:
    """The table after other moves from a position of the run; nothing is kept.

    `effects` are those of the last move. Raises review.not_yet, what_if.no_such_index,
    IllegalMove, MalformedMove.
    """
    _check_revealed(run)
    state = _position(run, _codes(run, index))
    effects: list[dict[str, Any]] = []
    for code in moves:
        state, done = apply(state, parse_move(code))
        effects = [as_json(effect) for effect in done]
    return {
        "run": run.id,
        "seal": run.dungeon.seal,
        "index": index,
        "moves": list(moves),
        "effects": effects,
        "observation": observe(state),
    }


def _codes(run: Run, index: int) -> list[str]:
    if not 0 <= index <= run.index:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "what_if.no_such_index",
            f"That run has the positions 0 to {run.index}.",
            {"last": run.index},
        )
    played = Move.objects.filter(run=run, index__lt=index).order_by("index")
    return list(played.values_list("code", flat=True))


def _position(run: Run, codes: Sequence[str]) -> State:
    deck = deck_open(run.dungeon_id, run.dungeon.seed_sealed)
    return fold(find_ruleset(run.ruleset), deck, codes, run.difficulty)


def _check_revealed(run: Run) -> None:
    if run.status == Run.Status.PLAYING or run.dungeon.revealed_at is None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "review.not_yet",
            "This run can be reviewed once it is over and its dungeon is revealed.",
        )


def _named(run: Run, status: str, progress: float) -> dict[str, Any]:
    return {
        "run": run.id,
        "seal": run.dungeon.seal,
        "version": ANALYSIS_VERSION,
        "status": status,
        "progress": progress,
    }


def _shown(run: Run, study: Study | None) -> dict[str, Any]:
    if study is None:
        return _named(run, "none", 0.0)
    return {**_named(run, study.status, study.progress), **(study.result or {})}
