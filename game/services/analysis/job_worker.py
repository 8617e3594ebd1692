"""Computes studies with `game.analysis`; runs in the worker, never in the web process.

Every step has a time budget: a review takes at most a minute and a half, a solution a
few seconds. What was not proved or not measured in time is marked so in the result.
"""

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from game.analysis import (
    ChanceChange,
    Review,
    advise,
    iter_chances,
    review,
    solve,
    view_of,
)
from game.analysis.solver.solve import Budget
from game.models import Move, Study
from game.rules import Card, find_ruleset, fold
from game.selectors.analysis import schemas
from game.services.analysis.job_queue import study_finish, study_report_progress
from game.services.runs.dungeons import dungeon_deck, is_seed_open

REVIEW_S = 40.0
CHANCES_S = 45.0
SOLVE_S = 6.0
# The exact part takes about a third of a review's time.
_EXACT_PART = 0.3
_REPORT_EVERY_S = 0.5

Clock = Callable[[], float]
Report = Callable[[float], None]


def study_compute(study: Study, *, at: datetime, clock: Clock = time.monotonic) -> None:
    """Compute a study that was taken at that instant. Raises Superseded."""
    began = clock()

    def now() -> datetime:
        return at + timedelta(seconds=clock() - began)

    last = began - _REPORT_EVERY_S

    def report(progress: float) -> None:
        nonlocal last
        if clock() - last >= _REPORT_EVERY_S:
            last = clock()
            study_report_progress(study, progress, at=now())

    if study.kind == Study.Kind.SOLVE:
        study_finish(study, _solution(study), None, at=now())
        return
    if study.kind == Study.Kind.HINT:
        study_finish(study, _advice(study), None, at=now())
        return
    result = _review(study, report, clock)
    study_finish(study, result, result["accuracy"], at=now())


def deck_of(study: Study) -> Sequence[Card]:
    """The deck of the study's run, which its player may know (see `reviews`)."""
    dungeon = study.run.dungeon
    assert is_seed_open(dungeon), "only open dungeons are analysed"
    return dungeon_deck(dungeon.id, dungeon.seed_sealed)


def _solution(study: Study) -> schemas.SolutionResult:
    run = study.run
    rules, moves = find_ruleset(run.ruleset), study.question.split()
    state = fold(rules, deck_of(study), moves, run.difficulty)
    solution = solve(state, SOLVE_S)
    return {
        "best": solution.best,
        "proven": solution.is_proven,
        "bound": solution.bound,
        "line": [str(move) for move in solution.line],
    }


def _advice(study: Study) -> schemas.Advice:
    """The coach's advice. Of the deck it gets only what the player has seen."""
    run = study.run
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    moves = study.question.split()
    state = fold(find_ruleset(run.ruleset), deck, moves, run.difficulty)
    advice = advise(view_of(state))
    return {
        "plan": [str(move) for move in advice.plan],
        "theme": advice.theme,
        "chance": round(advice.chance, 4),
        "chance_error": round(advice.error, 4),
    }


def _review(study: Study, report: Report, clock: Clock) -> schemas.ReviewResult:
    run, deck = study.run, deck_of(study)
    rules = find_ruleset(run.ruleset)
    moves = list(
        Move.objects.filter(run=run).order_by("index").values_list("code", flat=True)
    )
    reviewed = review(
        rules,
        deck,
        moves,
        run.difficulty,
        budget=Budget(REVIEW_S),
        progress=lambda known, total: report(_EXACT_PART * known / max(1, total)),
    )
    ends_at = clock() + CHANCES_S
    known: list[ChanceChange] = []
    # The costliest moves first, in case the time runs out.
    order = sorted(range(len(moves)), key=lambda index: -reviewed.moves[index].loss)
    for change in iter_chances(rules, deck, moves, run.difficulty, order=order):
        known.append(change)
        report(_EXACT_PART + (1 - _EXACT_PART) * len(known) / len(moves))
        if clock() > ends_at:
            break
    return _review_json(reviewed, known)


def _review_json(reviewed: Review, chances: list[ChanceChange]) -> schemas.ReviewResult:
    """The review as REST shows it; chances that were not measured in time are null."""
    by_index = {change.index: change for change in chances}
    return {
        "values": list(reviewed.values),
        "moves": [
            {
                "index": move.index,
                "move": str(move.move),
                "value_before": move.before,
                "value_after": move.after,
                "loss": move.loss,
                "better": None if move.better is None else str(move.better),
                "line": [str(move) for move in move.line],
                **_chance_json(by_index.get(move.index)),
            }
            for move in reviewed.moves
        ],
        "turning_points": [
            {"index": point.index, "loss": point.loss, "words": point.text}
            for point in reviewed.turning_points
        ],
        "accuracy": reviewed.accuracy,
        "final_score": reviewed.values[-1],
        "best": reviewed.values[0],
        "given_up": reviewed.given_up,
        "proven": reviewed.proven,
    }


def _chance_json(change: ChanceChange | None) -> schemas.Chances:
    return {
        "chance_before": round(change.before, 4) if change else None,
        "chance_after": round(change.after, 4) if change else None,
        "chance_error": round(change.error, 4) if change else None,
        "chance_change": round(change.change, 4) if change else None,
    }
