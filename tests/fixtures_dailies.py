"""A day with its dungeon, people who may rank, and runs played at chosen times.

Moves through the service carry the database's time; these tests move the clock, so
`play_out` writes what a move would have written, at the times it is told.
"""

import random
from datetime import UTC, date, datetime, timedelta
from itertools import count

import pytest
from django.db import transaction

from game.models import Account, Daily, Move, Run
from game.rules import find_ruleset, legal_moves, score, start
from game.rules.observation import faced_count
from game.rules.snapshot import to_text
from game.rules.transition import apply
from game.services import dailies
from game.services.analyses import Found
from game.services.dailies import daily_find
from game.services.daily_runs import daily_run_start
from game.services.dungeons import deck_open
from game.services.runs import run_break_off
from tests.fixtures_accounts import person

DAY = date(2027, 3, 17)
MORNING = datetime(2027, 3, 17, 9, tzinfo=UTC)
SETTLES = datetime(2027, 3, 18, 0, 35, tzinfo=UTC)


def assess_quickly(ruleset: str, difficulty: str, seed: str) -> Found:
    """Stands for the analysis: every seed is winnable, and of a band by its last
    digit, without a second's thought.
    """
    band = ("easy", "medium", "hard")[int(seed[-1], 16) % 3]
    return Found(True, 30, 6, 20, band, "quick")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dungeons are assessed at once, and every test draws the same ones."""
    monkeypatch.setattr(dailies, "seed_assess", assess_quickly)
    monkeypatch.setattr(dailies, "seed_is_winnable", lambda *_: True)
    masters = count(1)
    monkeypatch.setattr(dailies, "token_hex", lambda _: f"{next(masters):064x}")


@pytest.fixture
def one_ruleset(settings: object) -> None:
    """One daily a day."""
    settings.DAILY_RULESETS = ["tavern-1"]  # type: ignore[attr-defined]


@pytest.fixture
def daily(db: None, quick: None, one_ruleset: None) -> Daily:
    """The daily of DAY, open since nine hours."""
    return daily_find(on=DAY, ruleset="tavern-1", at=MORNING)


_names = count()


def member(name: str = "", *, is_bot: bool = False) -> Account:
    """Somebody who signed up and verified his e-mail: he may rank."""
    return person(name or f"Member {next(_names)}", is_bot=is_bot)


@transaction.atomic
def play_out(run: Run, *, chance: int, ends_at: datetime, most: int = 99) -> Run:
    """Play legal moves by chance until the run is over, or `most` moves are made.

    Moves are spread evenly from the start to `ends_at`.
    """
    rnd = random.Random(chance)
    deck = deck_open(run.dungeon_id, run.dungeon.seed_sealed)
    state = start(find_ruleset(run.ruleset), deck, run.difficulty)
    codes: list[str] = []
    while state.status == "playing" and len(codes) < most:
        moves = [str(move) for move in legal_moves(state)]
        code = rnd.choice([m for m in moves if m[-1] != "b"] or moves)
        state, _ = apply(state, code)
        codes.append(code)
    step = (ends_at - run.started_at) / max(1, len(codes))
    for index, code in enumerate(codes):
        is_last = index + 1 == len(codes)
        at = ends_at if is_last else run.started_at + step * (index + 1)
        Move.objects.create(run=run, index=index, code=code, at=at)
    run.index, run.snapshot, run.health = len(codes), to_text(state), state.health
    run.faced, run.status, run.score = faced_count(state), state.status, score(state)
    run.moved_at = ends_at
    if state.status != "playing":
        run.finished_at = ends_at
    run.save()
    return run


def attempt(
    account: Account,
    *,
    chance: int,
    on: date = DAY,
    at: datetime = MORNING,
    takes: timedelta = timedelta(minutes=10),
    ruleset: str = "tavern-1",
    most: int = 99,
) -> Run:
    """An attempt at a daily, played to its end (or `most` moves)."""
    run, _ = daily_run_start(account=account, on=on, ruleset=ruleset, at=at)
    return play_out(run, chance=chance, ends_at=at + takes, most=most)


def give_up(run: Run, at: datetime) -> None:
    """End a run by abandoning it."""
    run_break_off(run_id=run.id, how=Run.Status.ABANDONED, at=at)


@pytest.fixture
def crowd(daily: Daily) -> list[Run]:
    """Seven people and two bots who have played the daily out, one of them slowly."""
    people = [member(f"Player {n}") for n in range(7)]
    bots = [member(f"Robot {n}", is_bot=True) for n in range(2)]
    return [
        attempt(account, chance=n, takes=timedelta(minutes=5 + n))
        for n, account in enumerate([*people, *bots])
    ]
