"""How a run is shown: the JSON of protocol.md "Run".

Every run that is sent to a client is built by `run_show`, which takes cards only from
`game.rules.observe`.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple, cast

from game.contest.ranking import run_pool
from game.models import Run
from game.rules import Card, State, find_ruleset, observe
from game.rules.observation import observe_breakdown
from game.rules.schemas import RunStatus
from game.rules.scoring import broken_off_score
from game.rules.snapshot import from_text
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.runs import schemas as runs_schemas


class RunRow(NamedTuple):
    """The columns of a run and its dungeon that `run_show` and a move need."""

    id: str
    account_id: str
    player: str
    kind: str
    ruleset: str
    difficulty: str
    status: str
    index: int  # type: ignore[assignment]  # hides tuple.index
    snapshot: str
    score: int | None
    started_at: datetime
    moved_at: datetime
    finished_at: datetime | None
    deadline_at: datetime | None
    dungeon_id: str
    seal: str
    seed_sealed: str
    is_seed_given: bool
    revealed_at: datetime | None
    daily: date | None = None
    race_id: str | None = None
    by_program: bool = False
    paused_ms: int = 0
    coached: bool = False


def run_row(run: Run) -> RunRow:
    """The row of a run that was fetched with its account and dungeon."""
    dungeon = run.dungeon
    return RunRow(
        run.id,
        run.account_id,
        run.account.name,
        run.kind,
        run.ruleset,
        run.difficulty,
        run.status,
        run.index,
        run.snapshot,
        run.score,
        run.started_at,
        run.moved_at,
        run.finished_at,
        run.deadline_at,
        dungeon.id,
        dungeon.seal,
        dungeon.seed_sealed,
        dungeon.seed_given,
        dungeon.revealed_at,
        run_daily_date(run),
        run.race_id,
        run.by_program,
        run.paused_ms,
        run.coached,
    )


def run_elapsed_ms(run: Run) -> int:
    """The time that a finished run took, without outages during an attempt at a daily.

    It ranks runs of equal score.
    """
    assert run.finished_at is not None
    return elapsed_ms(run.started_at, run.finished_at) - run.paused_ms


def run_daily_date(run: Run) -> date | None:
    """The day of a run of a daily, else None. Reads the daily if it was not fetched."""
    return run.daily.on if run.daily_id and run.daily else None


def run_state(row: RunRow, deck: Sequence[Card]) -> State:
    """The position of a run; `deck` is the deck of its dungeon."""
    return from_text(row.snapshot, find_ruleset(row.ruleset), row.difficulty, deck)


def run_show(
    row: RunRow, state: State, *, at: datetime, seed: str | None
) -> runs_schemas.Run:
    """A run as its own player may see it at that time.

    `seed` is the seed if the player may see it (`can_see_seed`), else None.
    """
    observation = observe(state)
    playing = row.status == Run.Status.PLAYING
    if not playing:
        # To the rules an abandoned or expired run is still being played.
        observation["legal"], observation["blocked"] = [], []
        observation["status"], observation["score"] = (
            cast("RunStatus", row.status),
            row.score,
        )
        observation["breakdown"] = observe_breakdown(state)
        observation["potential_score"] = broken_off_score(state)
    return {
        "id": row.id,
        "kind": row.kind,
        "player": row.player,
        "ruleset": row.ruleset,
        "difficulty": row.difficulty,
        **observation,
        "seal": row.seal,
        "seed": seed,
        "started_at": as_text(row.started_at),
        "finished_at": as_text(row.finished_at),
        "elapsed_ms": elapsed_ms(row.started_at, row.finished_at or at) - row.paused_ms,
        "race": row.race_id,
        "pool": run_pool(by_program=row.by_program),
        "coached": row.coached,
        "daily": row.daily.isoformat() if row.daily else None,
    }


def can_see_seed(row: RunRow) -> bool:
    """Whether the owner may see the seed: they gave it, or the dungeon is revealed."""
    return row.is_seed_given or row.revealed_at is not None
