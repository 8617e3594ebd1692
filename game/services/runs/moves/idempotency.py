"""Answers a move that was played before, as it was answered then.

Its key says that it was. Nothing is written.
"""

from typing import Any

from game.models import Move, RaceEvent, Run
from game.rules import apply
from game.rules.effects import as_json
from game.rules.replay import fold
from game.rules.rulesets import find_ruleset
from game.selectors.runs.runs import RunRow, run_show
from game.services.core.errors import Kind, ServiceRefusal
from game.services.runs.dungeons import deck_open
from game.services.runs.moves.sql import MoveRead
from game.services.runs.runs import shown_seed


def answered_before(read: MoveRead, index: int, code: str) -> dict[str, Any]:
    """The first answer again, folded from the moves up to the one that has the key.

    `index` and `code` are what is asked now. Raises move.key_reused.
    """
    if (index, code) != (read.key_index, read.key_code):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "move.key_reused",
            "That key already names another move of this run.",
            {"index": read.key_index, "move": read.key_code},
        )
    row = read.row
    stored = list(
        Move.objects.filter(run_id=row.id, index__lte=index).order_by("index")
    )
    rules, deck = find_ruleset(row.ruleset), deck_open(row.dungeon_id, row.seed_sealed)
    before = fold(rules, deck, [move.code for move in stored[:-1]], row.difficulty)
    after, effects = apply(before, code)
    then = _row_then(row, after.status, stored[-1])
    shown = run_show(then, after, at=stored[-1].at, seed=shown_seed(then))
    answer = {
        "run": shown,
        "effects": [as_json(effect) for effect in effects],
        "replayed": True,
    }
    if row.race_id is not None:
        # One event a move, in their order.
        moves = RaceEvent.objects.filter(
            race_id=row.race_id, seat=read.seat, kind="moved"
        ).order_by("seq")
        answer["seq"] = moves.values_list("seq", flat=True)[index]
    return answer


def _row_then(row: RunRow, status: str, move: Move) -> RunRow:
    """The run's row as it was when that move had just been answered."""
    over = status != Run.Status.PLAYING
    revealed = row.revealed_at
    if revealed is not None and revealed > move.at:
        revealed = None
    return row._replace(
        status=status,
        finished_at=move.at if over else None,
        revealed_at=revealed,
    )
