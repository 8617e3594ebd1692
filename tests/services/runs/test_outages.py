"""Outages are recorded once and give players the lost time back."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta

import pytest
from django.db import connection

from game.contest.outages import OUTAGE_AFTER, ProcessRole
from game.contest.outages import Outage as Period
from game.models import (
    Abandonment,
    Account,
    BridgedDay,
    Daily,
    Entrant,
    Outage,
    Race,
    Rating,
    Run,
    SignOfLife,
)
from game.selectors.dailies.dailies import streak_show
from game.services.core import liveness
from game.services.core.errors import ServiceRefusal
from game.services.dailies.attempts import daily_run_start
from game.services.dailies.settle import dailies_settle, daily_settle
from game.services.maintenance.invariants import breaches
from game.services.maintenance.tick import tick
from game.services.races.bot_moves import bot_moves_play
from game.services.races.commands import race_start
from game.services.races.timeouts import race_advance, races_advance
from game.services.runs.moves.play import race_move_play
from game.services.runs.outages import (
    outage_record,
    outages_prune,
    sign_of_life_record,
    site_is_up,
)
from game.services.runs.runs import runs_expire
from tests.fixtures import races
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member
from tests.fixtures.moderation import do, undo
from tests.fixtures.races import (
    backdate,
    expect_refusal,
    now,
    play,
    read_events,
    read_race,
)
from tests.services.boards.test_ratings import rated_race
from tests.services.races.race_reducer import apply_events
from tests.services.races.test_bot_moves import against, bot_entrant

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def as_web(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process be a web process."""
    monkeypatch.setattr(liveness, "_roles", [ProcessRole.WORKER])
    liveness.become_web_process()


def test_repeated_ticks_record_an_outage_once(db: None) -> None:
    start = now()
    for seconds in (0, 15, 30):
        assert sign_of_life_record(at=start + timedelta(seconds=seconds)) == 0
    late = start + timedelta(seconds=30) + OUTAGE_AFTER
    found = [
        tick(at=late + n * timedelta(seconds=1))["sign_of_life_record"] for n in (0, 1)
    ]
    assert found == [1, 0]
    outage = Outage.objects.get()
    assert (outage.began_at, outage.ended_at) == (start + timedelta(seconds=30), late)
    assert outages_prune(at=late + timedelta(days=91)) == 1
    # The day that it bridged stays.
    assert BridgedDay.objects.filter(on=late.date()).exists()


@pytest.mark.django_db(transaction=True)
def test_several_workers_record_an_outage_once() -> None:
    start = now()
    sign_of_life_record(at=start)
    gate = threading.Barrier(4)

    def come_back(number: int) -> bool:
        gate.wait(30)
        try:
            return site_is_up(at=start + HOUR + timedelta(milliseconds=number))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(come_back, range(4)))
    assert Outage.objects.count() == 1


def test_worker_applies_no_deadline_while_no_web_process_answers(
    ada: Account, bob: Account
) -> None:
    race_id = races.start_race([ada, bob])
    SignOfLife.objects.create(role="web", signed_at=now(), latest_at=now())
    backdate(race_id, 9 * MINUTE)
    later = now() + 10 * MINUTE
    assert races_advance(at=later) == 0
    assert runs_expire(at=later) == 0
    assert dailies_settle(at=later) == 0
    assert not Outage.objects.exists()
    assert read_race(race_id)["phase"] == "running"


@pytest.mark.parametrize("first", ["read", "tick"])
def test_outage_past_the_deadline_of_a_rated_race_moves_no_rating(first: str) -> None:
    people = [races.member("Dora"), races.member("Emil")]
    race_id = rated_race(*people)
    play(race_id, people[0])
    before = read_race(race_id)
    backdate(race_id, 30 * MINUTE)
    SignOfLife.objects.create(
        role="worker", signed_at=now() - 25 * MINUTE, latest_at=now() - 25 * MINUTE
    )
    if first == "tick":
        tick(at=now())
    seen = read_race(race_id)
    assert (seen["phase"], seen["rated"]) == ("settled", False)
    assert not Rating.objects.exclude(races=0).exists()
    assert not Abandonment.objects.exists()
    assert Outage.objects.count() == 1
    known = apply_events(before, read_events(race_id, None, before["seq"]))
    for field in ("phase", "rated", "unrated_at", "deadline_at"):
        assert known[field] == seen[field] is not None


def test_outage_in_a_race_moves_its_deadline_and_the_move_is_played(
    as_web: None,
) -> None:
    """The first move after the outage is played, though the old deadline is past."""
    people = [races.member("Dora"), races.member("Emil")]
    race_id = rated_race(*people)
    play(race_id, people[0])
    before, run = read_race(race_id), read_race(race_id, people[1])["run"]
    backdate(race_id, 11 * MINUTE)
    race = Race.objects.get(id=race_id)
    assert race.starts_at is not None
    # Down from minute 2 to minute 8; noticed in minute 11, after the old deadline.
    outage_record(Period(race.starts_at + 2 * MINUTE, race.starts_at + 8 * MINUTE))
    assert race.deadline_at is not None
    assert race.deadline_at < now()
    race_move_play(
        account_id=people[1].id,
        race_id=race_id,
        index=0,
        code=run["legal"][0]["move"],
    )
    seen = read_race(race_id)
    assert (seen["phase"], seen["rated"]) == ("running", True)
    after = Race.objects.get(id=race_id)
    assert after.deadline_at == race.deadline_at + 6 * MINUTE
    assert race_advance(race_id, at=now()) == 0
    known = apply_events(before, read_events(race_id, None, before["seq"]))
    assert (known["deadline_at"], known["rated"]) == (seen["deadline_at"], True)


def test_attempt_gets_the_time_of_an_outage_back(daily: Daily) -> None:
    eve, fay = member("Eve"), member("Fay")
    playing = attempt(eve, chance=1, most=3)
    ended = attempt(fay, chance=2)
    deadline = playing.deadline_at
    assert deadline is not None
    began = MORNING + HOUR
    assert outage_record(Period(began, began + 40 * MINUTE))
    assert not outage_record(Period(began, began + 41 * MINUTE))
    for run in (playing, ended):
        run.refresh_from_db()
    assert (playing.deadline_at, playing.paused_ms) == (
        deadline + 40 * MINUTE,
        40 * 60_000,
    )
    assert (playing.ranked, ended.paused_ms) == (True, 0)
    with expect_refusal("daily.not_over"):
        daily_settle(daily.id, at=SETTLES)
    assert runs_expire(at=SETTLES) == 0
    assert daily_settle(daily.id, at=SETTLES + 40 * MINUTE)
    playing.refresh_from_db()
    assert playing.finished_at == deadline + 40 * MINUTE
    entry = playing.account.board_entries.get(board__key="daily")
    assert entry.ms == (deadline - playing.started_at) / timedelta(milliseconds=1)
    assert [str(one) for one in breaches(at=SETTLES + 40 * MINUTE)] == []


def test_attempt_whose_rest_an_outage_covered_is_unranked(daily: Daily) -> None:
    run = attempt(member("Eve"), chance=1, most=3)
    sign_of_life_record(at=MORNING + HOUR)
    assert daily_settle(daily.id, at=SETTLES)
    run.refresh_from_db()
    assert (run.ranked, run.status) == (False, Run.Status.EXPIRED)
    assert not run.account.board_entries.exists()
    assert list(BridgedDay.objects.values_list("on", flat=True).order_by("on")) == [
        DAY,
        DAY + timedelta(days=1),
    ]


def play_days(account: Account, *days: int) -> None:
    for n in days:
        on, at = DAY + timedelta(days=n), MORNING + timedelta(days=n)
        attempt(account, chance=n, on=on, at=at)
        daily = Daily.objects.get(on=on)
        assert daily_settle(daily.id, at=SETTLES + timedelta(days=n))


def current(account: Account, day: int) -> int:
    return streak_show(account.id, at=MORNING + timedelta(days=day))["current"]


def test_days_of_an_outage_break_no_streak(quick: None, one_ruleset: None) -> None:
    eve = member("Eve")
    play_days(eve, 0, 1)
    outage_record(Period(SETTLES + timedelta(days=1), SETTLES + timedelta(days=4)))
    play_days(eve, 5)
    assert current(eve, 5) == 3
    assert eve.streak.longest == 3


def test_staff_bridge_a_day_with_a_reason(
    mona: Account, quick: None, one_ruleset: None
) -> None:
    eve = member("Eve")
    play_days(eve, 0, 1, 4)
    assert current(eve, 4) == 1
    at = SETTLES + timedelta(days=4)
    acts = [
        do(mona, "bridge_day", target=daily.id, reason="fault", at=at)
        for daily in Daily.objects.filter(on__in=[DAY + timedelta(days=2)])
    ]
    assert current(eve, 4) == 3
    eve.streak.refresh_from_db()
    assert eve.streak.longest == 3
    undo(mona, acts[0], at=at)
    assert current(eve, 4) == 1
    # Nothing settles or publishes the days between.
    assert not [
        str(one) for one in breaches(at=at) if one.invariant not in ("I13", "I19")
    ]


@pytest.mark.parametrize("back", [timedelta(minutes=20), timedelta(days=1)])
def test_clock_set_back_stops_no_bot(ada: Account, back: timedelta) -> None:
    """The rows look as if the clock had been ahead until now."""
    race_id = against(ada, house="House Rat")
    one = bot_entrant(race_id)
    assert one.turn_at is not None
    backdate(race_id, -back)
    Entrant.objects.filter(id=one.id).update(turn_at=one.turn_at + back)
    moved = [bot_moves_play(at=now() + n * timedelta(seconds=6)) for n in range(3)]
    assert sum(moved) >= 1


def test_race_lasts_no_longer_after_the_clock_was_set_back(
    ada: Account, bob: Account
) -> None:
    race_id = races.start_race([ada, bob])
    late = now() + 30 * MINUTE
    Race.objects.filter(id=race_id).update(deadline_at=late, due_at=late)
    races_advance(at=now())
    race = Race.objects.get(id=race_id)
    assert race.deadline_at is not None
    assert race.deadline_at - now() <= race.time_limit


def test_countdown_goes_on_after_the_clock_was_set_back(
    ada: Account, bob: Account
) -> None:
    ahead = now() + 20 * MINUTE
    race_id = races.create_race([ada, bob], ahead)
    race_start(account_id=ada.id, race_id=race_id, at=ahead)
    races_advance(at=now())
    starts_at = Race.objects.get(id=race_id).starts_at
    assert starts_at is not None
    assert starts_at - now() <= timedelta(seconds=5)


def test_closed_daily_stays_closed_when_the_clock_is_set_back(daily: Daily) -> None:
    eve = member("Eve")
    tomorrow: date = DAY + timedelta(days=1)
    sign_of_life_record(at=MORNING + timedelta(days=1))
    sign_of_life_record(at=MORNING)
    with pytest.raises(ServiceRefusal) as error:
        daily_run_start(account=eve, on=DAY, ruleset="tavern-1", at=MORNING)
    assert error.value.code == "daily.closed"
    run, _ = daily_run_start(account=eve, on=tomorrow, ruleset="tavern-1", at=MORNING)
    assert run.started_at == MORNING + timedelta(days=1)
    assert liveness.time_not_set_back(MORNING) == MORNING + timedelta(days=1)
    late: datetime = MORNING + timedelta(days=2)
    assert liveness.time_not_set_back(late) == late
