"""Verifies runs: replaying seed, ruleset and moves must give the stored result."""

from collections.abc import Iterator, Sequence

import structlog
from django.db.models import QuerySet

from game.models import Move, Run
from game.rules import IllegalMove, MalformedMove, broken_off_score, find_ruleset, score
from game.rules.replay import fold
from game.rules.snapshot import to_text
from game.rules.state import PLAYING
from game.services.runs.dungeons import dungeon_deck

log = structlog.get_logger(__name__)
_CHUNK = 500


def verified_runs(runs: QuerySet[Run]) -> Iterator[tuple[Run, list[str]]]:
    """Yield the runs that verify, ordered by id, each with its move codes.

    A run that does not verify is logged as an error and left out, so it counts on no
    board.
    """
    all_runs = list(runs.select_related("account", "dungeon").order_by("id"))
    for start in range(0, len(all_runs), _CHUNK):
        part = all_runs[start : start + _CHUNK]
        moves: dict[str, list[str]] = {run.id: [] for run in part}
        rows = Move.objects.filter(run__in=part).order_by("run_id", "index")
        for run_id, code in rows.values_list("run_id", "code"):
            moves[run_id].append(code)
        for run in part:
            if run_is_verified(run, moves[run.id]):
                yield run, moves[run.id]
            else:
                log.error("run_failed_verification", run=run.id)


def run_is_verified(run: Run, codes: Sequence[str]) -> bool:
    """Whether replaying the moves gives a finished run's position, status and score."""
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    try:
        state = fold(find_ruleset(run.ruleset), deck, codes, run.difficulty)
    except (IllegalMove, MalformedMove):
        return False
    if len(codes) != run.index or to_text(state) != run.snapshot:
        return False
    if state.status is PLAYING:
        is_broken_off = run.status not in (Run.Status.CLEARED, Run.Status.DIED)
        return is_broken_off and broken_off_score(state) == run.score
    return state.status == run.status and score(state) == run.score
