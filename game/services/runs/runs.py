"""Starts runs, and ends those that break off. Moves have a way in of their own."""

from datetime import datetime, timedelta
from typing import Any, cast

from django.db import transaction
from django.db.models import Q

from game.models import Account, Dungeon, Move, Run
from game.rules import DEFAULT_RULESET, broken_off_score, find_ruleset, start, steps
from game.rules.effects import as_json
from game.rules.observation import observe_breakdown, observe_table
from game.rules.record import BROKEN_OFF, format_record, make_record
from game.rules.schemas import RunStatus
from game.rules.snapshot import to_text
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.runs import schemas as runs_schemas
from game.selectors.runs.runs import RunRow, may_see_seed, row_of, run_show, state_of
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.restrictions import Activity, require_allowed
from game.services.runs.daily_lock import daily_hold_for
from game.services.runs.dungeons import deck_open, dungeon_draw, seed_open

IDLE_FOR = timedelta(days=7)


def practice_start(
    *,
    account: Account,
    at: datetime,
    ruleset: str = DEFAULT_RULESET,
    difficulty: str = "normal",
    seed: str | None = None,
) -> Run:
    """A practice run of the seed given, or of a secret one.

    Raises UnknownRuleset, InvalidSeed, account.banned, account.suspended.
    """
    require_allowed(account, Activity.PLAY, at=at)
    find_ruleset(ruleset).difficulty(difficulty)
    with transaction.atomic():
        dungeon = dungeon_draw(
            ruleset=ruleset, origin=Dungeon.Origin.PRACTICE, at=at, seed=seed
        )
        return run_create(
            account=account,
            dungeon=dungeon,
            kind=Run.Kind.PRACTICE,
            difficulty=difficulty,
            at=at,
        )


def run_create(
    *,
    account: Account,
    dungeon: Dungeon,
    kind: Run.Kind,
    difficulty: str,
    at: datetime,
    **more: Any,
) -> Run:
    """A run at its first room; `more` is what its kind adds (a daily, a deadline)."""
    deck = deck_open(dungeon.id, dungeon.seed_sealed)
    state = start(find_ruleset(dungeon.ruleset), deck, difficulty)
    return Run.objects.create(
        account=account,
        dungeon=dungeon,
        kind=kind,
        ruleset=dungeon.ruleset,
        difficulty=difficulty,
        snapshot=to_text(state),
        health=state.health,
        started_at=at,
        moved_at=at,
        **more,
    )


def run_of(*, account_id: str, run_id: str) -> Run:
    """An account's own run. Raises run.not_found, also for somebody else's."""
    found = (
        Run.objects.select_related("account", "dungeon", "daily")
        .filter(id=run_id, account_id=account_id)
        .first()
    )
    if found is None:
        raise not_found("run")
    return found


def run_to_watch(*, viewer_id: str | None, run_id: str) -> Run:
    """A run whose replay the viewer (None: nobody) may ask for: his own, or one that
    is over and whose dungeon is revealed to all.

    Raises run.not_found for any other, so that nobody learns of it.
    """
    found = (
        Run.objects.select_related("account", "dungeon", "daily")
        .filter(
            Q(account_id=viewer_id)
            | Q(dungeon__revealed_at__isnull=False) & ~Q(status=Run.Status.PLAYING),
            id=run_id,
        )
        .first()
    )
    if found is None:
        raise not_found("run")
    return found


def run_json(row: RunRow, *, at: datetime) -> runs_schemas.Run:
    """The run as its owner may see it now."""
    state = state_of(row, deck_open(row.dungeon_id, row.seed_sealed))
    return run_show(row, state, at=at, seed=shown_seed(row))


def shown_seed(row: RunRow) -> str | None:
    """The seed where the owner may read it."""
    return seed_open(row.dungeon_id, row.seed_sealed) if may_see_seed(row) else None


def run_abandon(*, account_id: str, run_id: str, at: datetime) -> Run:
    """End an own run here and now. Raises run.not_found, run.in_race, run.over."""
    if run_of(account_id=account_id, run_id=run_id).race_id is not None:
        raise ServiceRefusal(
            Kind.CONFLICT, "run.in_race", "A race is given up by forfeiting it."
        )
    run = run_break_off(run_id=run_id, how=Run.Status.ABANDONED, at=at)
    if run is None:
        over = run_of(account_id=account_id, run_id=run_id)
        raise run_over(run_json(row_of(over), at=at))
    return run


def run_over(run: runs_schemas.Run) -> ServiceRefusal:
    """The refusal of an act on a run that has ended; it carries the run."""
    return ServiceRefusal(
        Kind.CONFLICT, "run.over", f"That run is over: {run['status']}.", run=run
    )


@transaction.atomic
def run_break_off(*, run_id: str, how: Run.Status, at: datetime) -> Run | None:
    """End a run that is still being played, scored as a death with health 0.

    None where it is over already. Its end is never before its last move.
    """
    daily_hold_for(run_id)
    run = (
        Run.objects.select_for_update(of=("self",))
        .select_related("account", "dungeon", "daily")
        .filter(id=run_id, status=Run.Status.PLAYING)
        .first()
    )
    if run is None:
        return None
    deck = deck_open(run.dungeon_id, run.dungeon.seed_sealed)
    run.status, run.finished_at = how, max(at, run.moved_at)
    run.score = broken_off_score(state_of(row_of(run), deck))
    run.save(update_fields=["status", "finished_at", "score"])
    # The deck of a daily is others' too: practice on it shows it to nobody.
    if run.kind == Run.Kind.PRACTICE and run.daily_id is None:
        run.dungeon.revealed_at = run.finished_at
        run.dungeon.save(update_fields=["revealed_at"])
    return run


def runs_expire(*, at: datetime, most: int = 200) -> int:
    """End runs idle for seven days, or past their deadline; how many it ended.

    Runs of races are ended by their race (`services.races_due`).

    Each run ends in a transaction of its own and only while it is still being played,
    so two callers at once, or a call twice, do no harm.
    """
    due = Run.objects.filter(
        Q(moved_at__lte=at - IDLE_FOR) | Q(deadline_at__lte=at),
        status=Run.Status.PLAYING,
        race=None,
    ).order_by("moved_at")
    ended = 0
    for run_id, deadline in due.values_list("id", "deadline_at")[:most]:
        when = min(at, deadline) if deadline else at
        ended += (
            run_break_off(run_id=run_id, how=Run.Status.EXPIRED, at=when) is not None
        )
    return ended


def replay_json(*, run: Run) -> runs_schemas.Replay:
    """Every move with its effects and the table after it, once it may be seen.

    Raises replay.not_yet while the dungeon is not revealed.
    """
    row = _revealed(run)
    moves = list(Move.objects.filter(run=run).order_by("index"))
    deck = deck_open(row.dungeon_id, row.seed_sealed)
    rules = find_ruleset(row.ruleset)
    first = start(rules, deck, row.difficulty)
    played = steps(rules, deck, [move.code for move in moves], row.difficulty)
    last = played[-1].after if played else first
    assert row.score is not None
    assert row.finished_at is not None
    return {
        "run": row.id,
        "player": row.player,
        "kind": row.kind,
        "ruleset": row.ruleset,
        "difficulty": row.difficulty,
        "seed": seed_open(row.dungeon_id, row.seed_sealed),
        "seal": row.seal,
        "deck": list(deck),
        "status": cast("RunStatus", row.status),
        "score": row.score,
        "breakdown": observe_breakdown(last),
        "started_at": as_text(row.started_at),
        "finished_at": as_text(row.finished_at),
        "elapsed_ms": elapsed_ms(row.started_at, row.finished_at),
        "start": observe_table(first),
        "moves": [
            {
                "index": stored.index,
                "move": stored.code,
                "at_ms": elapsed_ms(row.started_at, stored.at),
                "effects": [as_json(effect) for effect in step.effects],
                "after": observe_table(step.after),
            }
            for stored, step in zip(moves, played, strict=True)
        ],
    }


def replay_text(*, run: Run) -> str:
    """The run as one pasteable record. Raises replay.not_yet."""
    row = _revealed(run)
    codes = (
        Move.objects.filter(run=run).order_by("index").values_list("code", flat=True)
    )
    record = make_record(
        row.ruleset,
        row.difficulty,
        seed_open(row.dungeon_id, row.seed_sealed),
        list(codes),
        row.status if row.status in BROKEN_OFF else None,
        {
            "Player": row.player,
            "Run": row.id,
            "Seal": row.seal,
            "Started": as_text(row.started_at),
            "Finished": as_text(row.finished_at) or "",
        },
    )
    return format_record(record)


def _revealed(run: Run) -> RunRow:
    row = row_of(run)
    if row.status == Run.Status.PLAYING or row.revealed_at is None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "replay.not_yet",
            "This run can be replayed once it is over and its dungeon is revealed.",
        )
    return row
