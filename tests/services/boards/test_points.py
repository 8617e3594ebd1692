"""Points of dailies and races; week, season, record and rating boards."""

from datetime import date, datetime, timedelta

import pytest

from game.contest.calendar import daily_window, season_number, season_range
from game.models import (
    Account,
    BoardEntry,
    Daily,
    Leaderboard,
    Rating,
)
from game.services.boards.leaderboards import boards_rebuild
from game.services.boards.points import Points, point_boards_close, points_replace
from game.services.boards.records import rating_boards_update
from game.services.dailies.publish import dailies_publish, daily_find
from game.services.dailies.settle import daily_settle
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
SEASON = season_range(season_number(DAY))


def on_board(key: str, span: str = "", pool: str = "people") -> dict[str, int]:
    rows = BoardEntry.objects.filter(board__key=key, board__pool=pool)
    if span:
        rows = rows.filter(board__span=span)
    return dict(rows.values_list("account__name", "number"))


def award(account: Account, points: int, on: date, source: str) -> None:
    points_replace(
        source=source,
        ruleset="tavern-1",
        on=on,
        points=[Points(account.id, "people", points)],
    )


def test_week_and_season_boards_add_up_points() -> None:
    eve = member("Eve")
    award(eve, 70, DAY, "one")
    award(eve, 30, DAY + timedelta(days=1), "two")
    award(eve, 5, DAY + timedelta(days=7), "three")
    award(eve, 70, DAY, "one")  # repeated
    assert on_board("week", "2027-W11") == {"Eve": 100}
    assert on_board("week", "2027-W12") == {"Eve": 5}
    assert on_board("season") == {"Eve": 105}


def test_a_tenth_of_a_season_is_carried_over() -> None:
    eve, fay = member("Eve"), member("Fay")
    now, then = season_number(DAY), season_number(DAY) + 1
    last, first = SEASON.end - timedelta(days=1), SEASON.end
    award(eve, 95, DAY, "one")
    award(fay, 40, DAY, "other")
    award(eve, 10, first, "next")  # before the season's last day is settled
    assert on_board("season", str(then)) == {"Eve": 19}
    award(eve, 10, last, "late")
    assert on_board("season", str(now)) == {"Eve": 105, "Fay": 40}
    assert on_board("season", str(then)) == {"Eve": 20}  # Fay has not played yet


def test_board_of_a_span_closes_with_its_last_daily(
    quick: None, one_ruleset: None
) -> None:
    eve = member("Eve")
    sunday = date(2027, 3, 21)
    start = datetime.combine(sunday, MORNING.timetz())
    daily = daily_find(on=sunday, ruleset="tavern-1", at=start)
    attempt(eve, chance=1, on=sunday, at=start)
    settles = daily_window(sunday).settles_at
    daily_settle(daily.id, at=settles)
    assert point_boards_close(at=settles - timedelta(seconds=1)) == 0
    assert point_boards_close(at=settles) == 1
    assert point_boards_close(at=settles) == 0
    week = Leaderboard.objects.get(key="week")
    assert (week.span, week.closed_at) == ("2027-W11", settles)
    assert Leaderboard.objects.get(key="season").closed_at is None
    boards_rebuild()
    assert Leaderboard.objects.get(key="week").closed_at == settles


def test_rating_board_has_only_reliable_ratings() -> None:
    def rate(account: Account, races: int, deviation: float, rating: float) -> Rating:
        return Rating.objects.create(
            account=account,
            ruleset="tavern-1",
            pool="bot" if account.is_bot else "live",
            rating=rating,
            deviation=deviation,
            volatility=0.06,
            races=races,
            changed_at=MORNING,
        )

    settled = rate(member("Eve"), 15, 74.9, 1612.5)
    rate(member("Fay"), 14, 60, 1700)
    rate(member("Gil"), 40, 75, 1800)
    rate(member("Bot", is_bot=True), 40, 50, 1900)
    assert rating_boards_update(since=None) == 4
    assert on_board("rating") == {"Eve": 1612}
    assert on_board("rating", pool="bots") == {"Bot": 1900}
    assert rating_boards_update(since=MORNING + timedelta(minutes=6)) == 0
    settled.deviation, settled.changed_at = 80, MORNING + timedelta(hours=1)
    settled.save()
    assert rating_boards_update(since=MORNING + timedelta(minutes=30)) == 1
    assert on_board("rating") == {}


def test_streak_does_not_depend_on_the_order_of_settling(
    quick: None, one_ruleset: None
) -> None:
    eve = member("Eve")
    dailies = []
    for n in range(3):
        on, at = DAY + timedelta(days=n), MORNING + timedelta(days=n)
        dailies_publish(at=at)
        dailies.append(daily_find(on=on, ruleset="tavern-1", at=at))
        attempt(eve, chance=n, on=on, at=at)
    for daily in (dailies[2], dailies[0], dailies[1]):
        daily_settle(daily.id, at=SETTLES + timedelta(days=3))
    assert on_board("streak") == {"Eve": 3}
    assert Daily.objects.exclude(settled_at=None).count() == 3


def test_points_of_other_rulesets_are_on_other_boards() -> None:
    eve = member("Eve")
    award(eve, 70, DAY, "one")
    points_replace(
        source="two",
        ruleset="flee-1",
        on=DAY,
        points=[Points(eve.id, "people", 30)],
    )
    weeks = BoardEntry.objects.filter(board__key="week")
    found = dict(weeks.values_list("board__ruleset", "number"))
    assert found == {"tavern-1": 70, "flee-1": 30}


def test_board_closes_without_dailies_of_other_rulesets_or_spans(
    quick: None, one_ruleset: None
) -> None:
    eve, sunday, monday = member("Eve"), date(2027, 3, 21), date(2027, 3, 22)
    award(eve, 10, sunday, "one")
    settles = daily_window(sunday).settles_at
    dailies_publish(at=settles)  # monday's daily, which is not settled
    Daily.objects.filter(on=monday + timedelta(days=1)).update(
        on=sunday, ruleset="flee-1"
    )
    assert Daily.objects.filter(on=monday, settled_at=None).exists()
    assert point_boards_close(at=settles) == 1
    assert Leaderboard.objects.get(key="week").closed_at == settles
