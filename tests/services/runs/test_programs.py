"""Runs with a move sent by token are ranked among bots, whatever the account is."""

from datetime import timedelta
from typing import Any

import pytest

from game.models import (
    Account,
    BoardEntry,
    Daily,
    Entrant,
    MatchTicket,
    PointsLine,
    Rating,
    Run,
    StreakRow,
)
from game.rules import legal_moves
from game.selectors.dailies.dailies import streak_show
from game.selectors.runs.runs import run_row, run_state
from game.services.accounts.accounts import account_change
from game.services.boards.leaderboards import boards_rebuild
from game.services.dailies.settle import daily_settle
from game.services.dailies.views import daily_json
from game.services.maintenance.invariants import ratings as rating_invariants
from game.services.races.commands import race_join, race_ready
from game.services.races.matchmaking import match_ticket_join
from game.services.races.timeouts import race_advance
from game.services.runs.dungeons import dungeon_deck
from game.services.runs.moves.play import move_play, race_move_play
from tests.fixtures import races
from tests.fixtures.accounts import api, token_of
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member
from tests.fixtures.races import (
    backdate,
    entrant,
    expect_refusal,
    now,
    read_events,
    read_race,
    start_race,
)
from tests.services.races.race_reducer import apply_events
from tests.services.races.test_snapshot_property import comparable

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def move_of(run: Run) -> dict[str, Any]:
    """The arguments of the run's first legal move."""
    run.refresh_from_db()
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    code = str(legal_moves(run_state(run_row(run), deck))[-1])
    return {"account_id": run.account_id, "index": run.index, "code": code}


def test_one_move_by_token_marks_the_run_for_good(run: Run) -> None:
    pools = []
    for by_program in (False, True, False):
        answer = move_play(**move_of(run), run_id=run.id, by_program=by_program)
        pools.append(answer["run"]["pool"])
    assert pools == ["people", "bots", "bots"]
    run.refresh_from_db()
    assert run.by_program


def test_rest_marks_moves_that_have_a_token(client: Any, eve: Account) -> None:
    _, header = token_of(eve, "play")
    made = api(client, "POST", "runs/", {"seed": "a"}, **header).json()
    assert made["pool"] == "people"
    wish = {"index": 0, "move": "2D"}
    moved = api(client, "POST", f"runs/{made['id']}/moves/", wish, **header).json()
    assert moved["run"]["pool"] == "bots"


@pytest.mark.parametrize("code", ["avoid", None])
def test_entrant_is_shown_as_a_bot_from_the_first_move_by_token(
    ada: Account, bob: Account, code: str | None
) -> None:
    race_id = start_race([ada, bob])
    before = {one: read_race(race_id, one) for one in (ada, bob, None)}
    for by_program in (True, True):
        run = read_race(race_id, ada)["run"]
        race_move_play(
            account_id=ada.id,
            race_id=race_id,
            index=run["index"],
            code=code if code and run["index"] == 0 else run["legal"][0]["move"],
            by_program=by_program,
        )
    assert entrant(race_id, ada, bob)["kind"] == "bot"
    assert entrant(race_id, bob)["kind"] == "player"
    for viewer, known in before.items():
        events = read_events(race_id, viewer, known["seq"])
        assert [one.get("entrant_kind") for one in events] == ["bot", None]
        assert comparable(apply_events(known, events)) == comparable(
            read_race(race_id, viewer)
        )


def settle_after(race_id: str, movers: dict[str, bool]) -> None:
    """Play one move for each account (true: by token), and let the race time out."""
    for account_id, by_program in movers.items():
        run = Run.objects.get(race_id=race_id, account_id=account_id)
        move = move_of(run)
        race_move_play(**move, race_id=race_id, by_program=by_program)
    backdate(race_id, timedelta(minutes=20))
    race_advance(race_id, at=now())


@pytest.mark.parametrize(
    ("by_token", "pool", "signs"),
    [
        ((False, True), "live", (1, -1)),
        ((True, False), "live", (-1, 1)),
        ((True, True), "bot", (0, 0)),
    ],
)
def test_program_cannot_win_rating_from_people(
    by_token: tuple[bool, bool], pool: str, signs: tuple[int, int]
) -> None:
    people = [races.member("Dora"), races.member("Emil")]
    race_id = races.create_race(people, now() - timedelta(seconds=6), rated=True)
    start(race_id, people)
    settle_after(race_id, {a.id: t for a, t in zip(people, by_token, strict=True)})
    rows = {row.account_id: row for row in Rating.objects.all()}
    assert {row.pool for row in rows.values()} == {pool}
    changes = [rows[one.id].rating - 1500 for one in people]
    assert [round(change) and change / abs(change) for change in changes] == list(signs)
    assert list(rating_invariants.breaches()) == []
    kinds = [one["kind"] for one in read_race(race_id)["entrants"]]
    assert kinds == ["bot" if token else "player" for token in by_token]


def start(race_id: str, people: list[Account]) -> None:
    at = now() - timedelta(seconds=6)
    for one in people:
        race_ready(account_id=one.id, race_id=race_id, at=at)
    race_advance(race_id, at=now())


def settled_daily(daily: Daily) -> tuple[Account, Account]:
    """A person and an account that used a token, after their daily was settled."""
    eve, fay = member("Eve"), member("Fay")
    attempt(eve, chance=1)
    run = attempt(fay, chance=2)
    Run.objects.filter(id=run.id).update(by_program=True)
    daily_settle(daily.id, at=SETTLES)
    return eve, fay


def boards() -> set[tuple[str, str, str]]:
    rows = BoardEntry.objects.values_list("board__key", "board__pool", "account__name")
    return {(key, pool, name) for key, pool, name in rows}


def test_daily_by_token_counts_among_bots_only(daily: Daily) -> None:
    eve, fay = settled_daily(daily)
    found = boards()
    for key in ("daily", "week", "season", "best"):
        assert (key, "people", "Eve") in found
        assert (key, "bots", "Fay") in found
    assert not {row for row in found if row[1:] == ("people", "Fay")}
    assert not {row for row in found if row[1:] == ("bots", "Eve")}
    assert dict(PointsLine.objects.values_list("account__name", "pool")) == {
        "Eve": "people",
        "Fay": "bots",
    }
    assert list(StreakRow.objects.values_list("account__name", flat=True)) == ["Eve"]
    streaks = [streak_show(one.id, at=MORNING)["current"] for one in (eve, fay)]
    assert streaks == [1, 0]
    you = daily_json(on=DAY, ruleset="tavern-1", at=SETTLES, viewer=fay)["you"]
    assert you is not None
    assert (you["pool"], you["rank"], you["of"]) == ("bots", 1, 1)
    boards_rebuild()
    assert boards() == found


def test_account_that_has_played_can_become_a_bot(daily: Daily) -> None:
    eve, _ = settled_daily(daily)
    gil = member("Gil")
    Daily.objects.filter(id=daily.id).update(settled_at=None)
    attempt(gil, chance=3)
    daily_json(on=DAY, ruleset="tavern-1", at=MORNING, viewer=gil)
    assert ("daily", "people", "Gil") in boards()
    account_change(account_id=gil.id, at=MORNING, is_bot=True)
    assert ("daily", "people", "Gil") not in boards()
    assert ("daily", "bots", "Gil") in boards()
    Daily.objects.filter(id=daily.id).update(settled_at=SETTLES)
    # What was settled before stays where it was; a streak begins anew.
    account_change(account_id=eve.id, at=SETTLES, is_bot=True)
    assert ("best", "people", "Eve") in boards()
    assert ("streak", "people", "Eve") not in boards()
    assert streak_show(eve.id, at=MORNING)["current"] == 0


def test_new_bot_leaves_the_races_of_people() -> None:
    dora, emil = races.member("Dora"), races.member("Emil")
    waiting = races.create_race([emil, dora], rated=True)
    match_ticket_join(account_id=dora.id, ruleset="tavern-1", form="score", at=now())
    account_change(account_id=dora.id, at=now(), is_bot=True)
    assert not MatchTicket.objects.filter(account=dora).exists()
    assert Entrant.objects.get(race_id=waiting, account=dora).left_at is not None
    with expect_refusal("race.rated_one_pool"):
        race_join(account_id=dora.id, race_id=waiting, at=now())


def test_account_that_becomes_a_bot_in_a_race_is_rated_last() -> None:
    people = [races.member("Dora"), races.member("Emil")]
    race_id = races.create_race(people, now() - timedelta(seconds=6), rated=True)
    start(race_id, people)
    account_change(account_id=people[0].id, at=now(), is_bot=True)
    settle_after(race_id, {one.id: False for one in people})
    after = dict(Rating.objects.values_list("account__name", "rating"))
    assert after["Dora"] < 1500 < after["Emil"]
    assert set(Rating.objects.values_list("pool", flat=True)) == {"live"}
