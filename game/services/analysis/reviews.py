"""Reviews, solutions and "what if" of runs that are over and whose dungeon is revealed.

Requests studies and shows their results; a worker computes them. Refuses everything
about a dungeon that is not revealed.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from game.analysis import ANALYSIS_VERSION
from game.models import Account, Move, Run, Study
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
from game.rules.schemas import Effect
from game.selectors.analysis import schemas
from game.services.analysis.job_queue import queue_position, study_request
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.keyed_hash import keyed_hash
from game.services.runs.coaching import run_mark_coached
from game.services.runs.dungeons import dungeon_deck, is_seed_open

# Of the hash of a network: 128 bits.
REQUESTER_LENGTH = 32


def requester_of(account: Account | None, network: str) -> str:
    """Whom a request counts for: the account, or all guests of a network together.

    Otherwise more guests would get more turns.
    """
    if account is not None and not account.is_guest:
        return str(account.id)
    return keyed_hash("requester", network)[:REQUESTER_LENGTH]


def review_request(*, run: Run, requester: str, at: datetime) -> schemas.Review:
    """Request a run's review; the review or its progress. Raises review.not_yet."""
    _check_revealed(run)
    study = study_request(
        run_id=run.id,
        kind=Study.Kind.REVIEW,
        version=ANALYSIS_VERSION,
        question="",
        requester=requester,
        at=at,
    )
    return _review_json(run, study)


def review_show(*, run: Run) -> schemas.Review:
    """A run's review or its progress; status "none" if it was not requested.

    Raises review.not_yet.
    """
    _check_revealed(run)
    study = Study.objects.filter(
        run=run, kind=Study.Kind.REVIEW, version=ANALYSIS_VERSION
    ).first()
    return _review_json(run, study)


def solution_request(
    *, run: Run, index: int, moves: Sequence[str], requester: str, at: datetime
) -> schemas.Solution:
    """Request the best play from a position of a practice run; it, or its progress.

    The position: the run's first `index` moves, then `moves`. A run that is still being
    played is solved if its seed is open: given by the player, or already revealed. That
    marks it as coached.

    Raises review.not_yet, solve.not_practice, what_if.no_such_index, IllegalMove,
    MalformedMove.
    """
    if run.kind != Run.Kind.PRACTICE:
        _check_revealed(run)
        raise ServiceRefusal(
            Kind.CONFLICT, "solve.not_practice", "Only practice runs can be solved."
        )
    if run.status != Run.Status.PLAYING:
        _check_revealed(run)
    elif not is_seed_open(run.dungeon):
        raise _not_yet()
    else:
        run_mark_coached(run)
    codes = [*_codes_before(run, index), *(str(parse_move(move)) for move in moves)]
    state = _position(run, codes)
    final = score(state)
    if final is not None:
        return {
            **_study_fields(run, None, status="done", progress=1.0),
            "best": final,
            "proven": True,
            "bound": final,
            "line": [],
        }
    study = study_request(
        run_id=run.id,
        kind=Study.Kind.SOLVE,
        version=ANALYSIS_VERSION,
        question=" ".join(codes),
        requester=requester,
        at=at,
    )
    result = cast("schemas.SolutionResult", study.result or {})
    return {**_study_fields(run, study), **result}


def what_if(*, run: Run, index: int, moves: Sequence[str]) -> schemas.WhatIf:
    """The table after other moves from a position of the run; nothing is stored.

    `effects` are those of the last move. Raises review.not_yet, what_if.no_such_index,
    IllegalMove, MalformedMove.
    """
    _check_revealed(run)
    state = _position(run, _codes_before(run, index))
    effects: list[Effect] = []
    for code in moves:
        state, move_effects = apply(state, parse_move(code))
        effects = [as_json(effect) for effect in move_effects]
    return {
        "run": run.id,
        "seal": run.dungeon.seal,
        "index": index,
        "moves": list(moves),
        "effects": effects,
        "observation": observe(state),
    }


def _codes_before(run: Run, index: int) -> list[str]:
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
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    return fold(find_ruleset(run.ruleset), deck, codes, run.difficulty)


def _check_revealed(run: Run) -> None:
    if run.status == Run.Status.PLAYING or run.dungeon.revealed_at is None:
        raise _not_yet()


def _not_yet() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.CONFLICT,
        "review.not_yet",
        "This run can be reviewed once it is over and its dungeon is revealed.",
    )


def _study_fields(
    run: Run, study: Study | None, *, status: str = "none", progress: float = 0.0
) -> schemas.Study:
    """The fields of a study; without a row, its status and progress are given."""
    return {
        "run": run.id,
        "seal": run.dungeon.seal,
        "version": ANALYSIS_VERSION,
        "status": study.status if study else status,
        "progress": study.progress if study else progress,
        "queue_position": queue_position(study) if study else None,
    }


def _review_json(run: Run, study: Study | None) -> schemas.Review:
    fields = _study_fields(run, study)
    if study is None:
        return cast("schemas.Review", fields)
    result = cast("schemas.ReviewResult", study.result or {})
    return {**fields, **result}
