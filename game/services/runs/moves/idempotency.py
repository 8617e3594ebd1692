"""Answers a move whose idempotency key was used before, without writing anything."""

from game.models import Move, RaceEvent, Run
from game.rules import apply
from game.rules.effects import as_json
from game.rules.replay import fold
from game.rules.rulesets import find_ruleset
from game.selectors.runs import schemas
from game.selectors.runs.runs import RunRow, run_show
from game.services.core.errors import Kind, ServiceRefusal
from game.services.runs.dungeons import dungeon_deck, visible_seed
from game.services.runs.moves.sql import MoveRead


def first_answer(read: MoveRead, index: int, code: str) -> schemas.MoveAnswer:
    """The answer that the key's move got, derived again from the moves up to it.

    `index` and `code` are those of the new request. Raises move.key_reused if they
    differ from the stored move's.
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
    rules, deck = (
        find_ruleset(row.ruleset),
        dungeon_deck(row.dungeon_id, row.seed_sealed),
    )
    before = fold(rules, deck, [move.code for move in stored[:-1]], row.difficulty)
    after, effects = apply(before, code)
    then = _row_after(row, after.status, stored[-1])
    answer: schemas.MoveAnswer = {
        "run": run_show(then, after, at=stored[-1].at, seed=visible_seed(then)),
        "effects": [as_json(effect) for effect in effects],
        "replayed": True,
    }
    if row.race_id is not None:
        # Each move of a seat is one event, in the same order.
        events = RaceEvent.objects.filter(
            race_id=row.race_id, seat=read.seat, kind="moved"
        ).order_by("seq")
        seq = events.values_list("seq", flat=True)[index]
        in_race: schemas.RaceMoveAnswer = {**answer, "seq": seq}
        return in_race
    return answer


def _row_after(row: RunRow, status: str, move: Move) -> RunRow:
    """The run's row as it was directly after that move."""
    is_over = status != Run.Status.PLAYING
    revealed = row.revealed_at
    if revealed is not None and revealed > move.at:
        revealed = None
    return row._replace(
        status=status,
        finished_at=move.at if is_over else None,
        revealed_at=revealed,
    )
