"""Starts, ends, expires and replays runs. `game.services.runs.moves` plays them."""

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
from game.selectors.runs.runs import RunRow, run_row, run_show, run_state
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.restrictions import Activity, require_allowed
from game.services.runs.daily_lock import daily_lock_shared_for_run
from game.services.runs.dungeons import (
    dungeon_create,
    dungeon_deck,
    is_secret_seed,
    seed_decrypt,
    visible_seed,
)
from game.services.runs.outages import site_is_up

IDLE_FOR = timedelta(days=7)


def practice_start(
    *,
    account: Account,
    at: datetime,
    ruleset: str = DEFAULT_RULESET,
    difficulty: str = "normal",
    seed: str | None = None,
) -> Run:
    """Start a practice run of the given seed, or of a new secret one.

    Raises UnknownRuleset, InvalidSeed, run.seed_secret if the seed is that of a
    dungeon that is not revealed yet, account.banned, account.suspended.
    """
    require_allowed(account, Activity.PLAY, at=at)
    find_ruleset(ruleset).difficulty(difficulty)
    if seed is not None and is_secret_seed(seed):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "run.seed_secret",
            "This is the seed of a dungeon that is still secret.",
        )
    with transaction.atomic():
        dungeon = dungeon_create(
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
    """Create a run at its first room; `more` has further columns, such as `daily`."""
    deck = dungeon_deck(dungeon.id, dungeon.seed_sealed)
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
        by_program=account.is_bot,
        **more,
    )


def run_of_account(*, account_id: str, run_id: str) -> Run:
    """A run of the account. Raises run.not_found, also for another account's run."""
    run = (
        Run.objects.select_related("account", "dungeon", "daily")
        .filter(id=run_id, account_id=account_id)
        .first()
    )
    if run is None:
        raise not_found("run")
    return run


def run_for_replay(*, viewer_id: str | None, run_id: str) -> Run:
    """A run whose replay the viewer may ask for (None: a viewer without an account).

    Those are the viewer's own runs, and finished runs of revealed dungeons. Raises
    run.not_found for any other, so that its existence is not revealed.
    """
    run = (
        Run.objects.select_related("account", "dungeon", "daily")
        .filter(
            Q(account_id=viewer_id)
            | Q(dungeon__revealed_at__isnull=False) & ~Q(status=Run.Status.PLAYING),
            id=run_id,
        )
        .first()
    )
    if run is None:
        raise not_found("run")
    return run


def run_json(row: RunRow, *, at: datetime) -> runs_schemas.Run:
    """The run as its owner may see it at that time."""
    state = run_state(row, dungeon_deck(row.dungeon_id, row.seed_sealed))
    return run_show(row, state, at=at, seed=visible_seed(row))


def run_abandon(*, account_id: str, run_id: str, at: datetime) -> Run:
    """Abandon a run of the account. Raises run.not_found, run.in_race, run.over."""
    if run_of_account(account_id=account_id, run_id=run_id).race_id is not None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "run.in_race",
            "To end a run in a race, forfeit the race.",
        )
    run = run_break_off(run_id=run_id, how=Run.Status.ABANDONED, at=at)
    if run is None:
        over = run_of_account(account_id=account_id, run_id=run_id)
        raise run_over_refusal(run_json(run_row(over), at=at))
    return run


def run_over_refusal(run: runs_schemas.Run) -> ServiceRefusal:
    """The refusal of an action on a run that has ended; it carries the run."""
    return ServiceRefusal(
        Kind.CONFLICT, "run.over", f"That run is over: {run['status']}.", run=run
    )


@transaction.atomic
def run_break_off(*, run_id: str, how: Run.Status, at: datetime) -> Run | None:
    """End a run that is still being played; it scores as a death with health 0.

    `how` is its status, `at` its end, or its last move if that is later. Returns None
    if the run has ended already.
    """
    daily_lock_shared_for_run(run_id)
    run = (
        Run.objects.select_for_update(of=("self",))
        .select_related("account", "dungeon", "daily")
        .filter(id=run_id, status=Run.Status.PLAYING)
        .first()
    )
    if run is None:
        return None
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    run.status, run.finished_at = how, max(at, run.moved_at)
    run.score = broken_off_score(run_state(run_row(run), deck))
    run.save(update_fields=["status", "finished_at", "score"])
    # Practice on a daily does not reveal it: others may still play that deck.
    if run.kind == Run.Kind.PRACTICE and run.daily_id is None:
        run.dungeon.revealed_at = run.finished_at
        run.dungeon.save(update_fields=["revealed_at"])
    return run


def run_expire(run_id: str, *, at: datetime) -> bool:
    """End a run at its deadline, if that has passed; whether it ended."""
    late = Run.objects.filter(id=run_id, deadline_at__lte=at)
    deadline = late.values_list("deadline_at", flat=True).first()
    if deadline is None:
        return False
    run = run_break_off(run_id=run_id, how=Run.Status.EXPIRED, at=deadline)
    return run is not None


def runs_expire(*, at: datetime, most: int = 200) -> int:
    """End runs that are idle for seven days or past their deadline. Return how many.

    Runs in races are ended by `services.races.timeouts`. Each run is ended in its own
    transaction and only if it is still being played, so concurrent and repeated calls
    are safe. At most `most` runs a call; none while the site is down for players.
    """
    if not site_is_up(at=at):
        return 0
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
    """The replay: every move with its effects and the table after it.

    Raises replay.not_yet until the run is over and its dungeon is revealed.
    """
    row = _require_replayable(run)
    moves = list(Move.objects.filter(run=run).order_by("index"))
    deck = dungeon_deck(row.dungeon_id, row.seed_sealed)
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
        "seed": seed_decrypt(row.dungeon_id, row.seed_sealed),
        "seal": row.seal,
        "deck": list(deck),
        "status": cast("RunStatus", row.status),
        "score": row.score,
        "breakdown": observe_breakdown(last),
        "started_at": as_text(row.started_at),
        "finished_at": as_text(row.finished_at),
        "elapsed_ms": elapsed_ms(row.started_at, row.finished_at) - row.paused_ms,
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
    """The run as one text record, see `game.rules.record`. Raises replay.not_yet."""
    row = _require_replayable(run)
    codes = (
        Move.objects.filter(run=run).order_by("index").values_list("code", flat=True)
    )
    record = make_record(
        row.ruleset,
        row.difficulty,
        seed_decrypt(row.dungeon_id, row.seed_sealed),
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


def _require_replayable(run: Run) -> RunRow:
    row = run_row(run)
    if row.status == Run.Status.PLAYING or row.revealed_at is None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "replay.not_yet",
            "This run can be replayed once it is over and its dungeon is revealed.",
        )
    return row
