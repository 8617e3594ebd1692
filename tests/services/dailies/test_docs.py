"""docs/dailies.md: its numbers, paths and limits are those of the code."""

import re
from datetime import timedelta

from game.contest.calendar import (
    FINISH_WITHIN,
    PLANNED_BANDS,
    PUBLISH_AHEAD_DAYS,
    SEASON_WEEKS,
    SETTLE_AFTER,
    SETTLEMENT_LATE_AFTER,
)
from game.contest.drawing import MAX_CANDIDATES, candidate_seed
from game.contest.links import ADDRESS_COUNTS_FOR
from game.contest.race_points import points_for_beating
from game.contest.ranked_attempts import (
    FAMILIAR_AFTER,
    MIN_AGE,
    MIN_CROWD,
    MIN_FINISHED_RUNS,
    UnrankedReason,
)
from game.contest.ranking import (
    BOARDS,
    MAX_RATING_DEVIATION,
    MIN_RATED_RACES,
    carry_over,
    daily_points,
)
from game.contest.rating import PROVISIONAL_ABOVE
from game.contest.streaks import FREEZE_INTERVAL
from game.services.dailies.publish import CHOOSE_WINNABLE_BEFORE
from game.services.dailies.views import _SETTLE_FROM
from tests.parts import ROOT

PAGE = (ROOT / "docs" / "dailies.md").read_text()
TEXT = " ".join(PAGE.split())
FAIRNESS = " ".join((ROOT / "docs" / "fairness.md").read_text().split())
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def minutes(span: timedelta) -> int:
    return span // timedelta(minutes=1)


def test_instants_of_a_day() -> None:
    assert f"| {PUBLISH_AHEAD_DAYS} days before |" in TEXT
    assert f"| + {minutes(FINISH_WITHIN)} min | unfinished runs" in TEXT
    assert f"| + {minutes(SETTLE_AFTER)} min | the board is **settled**" in TEXT
    assert minutes(CHOOSE_WINNABLE_BEFORE) == minutes(SETTLEMENT_LATE_AFTER) == 10
    assert "ten minutes before the day opens" in TEXT
    assert "a board is ten minutes late" in TEXT
    assert minutes(_SETTLE_FROM) == 1
    assert "if a board is a minute overdue" in TEXT


def test_rule_of_the_choice() -> None:
    assert f"of n = 0 to {MAX_CANDIDATES - 1}," in TEXT
    planned = [f"{day} {band}" for day, band in zip(DAYS, PLANNED_BANDS, strict=True)]
    assert f"The planned difficulties are {', '.join(planned)}." in TEXT
    assert "`scoundrel-daily-v1:n`" in TEXT
    assert candidate_seed("a" * 64, 0) != candidate_seed("a" * 64, 1)


def test_boards_and_points() -> None:
    table = PAGE[PAGE.index("| board | what counts | period |") :]
    rows = re.findall(r"^\| ([a-z, ]+) \|", table, re.MULTILINE)
    listed = {key for row in rows for key in row.split(", ")}
    assert set(BOARDS) <= listed
    assert (daily_points(0, 9), daily_points(99, 100)) == (10, 100)
    assert "10 for a daily in which you face a card, plus up to 90" in TEXT
    assert points_for_beating(0) == 5
    assert "up to 5 for an opponent behind you" in TEXT
    assert carry_over(100) == 10
    assert "Each player starts a season with a tenth" in TEXT
    assert SEASON_WEEKS == 10
    assert "Monday to Sunday; ten weeks" in TEXT
    assert f"no freeze was used in the {FREEZE_INTERVAL.days} days before" in TEXT


def test_limits_of_ratings() -> None:
    shown = f"at least {MIN_RATED_RACES} rated races and a deviation below"
    assert f"{shown} {MAX_RATING_DEVIATION:.0f} " in TEXT
    assert f"ends at a deviation of {PROVISIONAL_ABOVE:.0f} " in TEXT


def test_paths_of_the_page_exist() -> None:
    for folder, names in re.findall(r"`([a-z/]+)/\{([a-z_,]+)\}`", TEXT):
        base = ROOT / ("frontend/src" if folder == "pages" else "") / folder
        for name in names.split(","):
            assert (base / name).is_dir() or (base / f"{name}.py").exists(), name


def test_rule_of_ranked_attempts() -> None:
    assert (
        f"an account that is {MIN_AGE.days} days old and has played"
        f" {MIN_FINISHED_RUNS} runs" in FAIRNESS
    )
    hours = FAMILIAR_AFTER // timedelta(hours=1)
    assert f"before the day began and at least {hours} hours before" in FAIRNESS
    assert f"at least {MIN_CROWD} different verified mailboxes" in FAIRNESS
    assert f"within {ADDRESS_COUNTS_FOR.days} days: no household" in FAIRNESS
    for reason in UnrankedReason:
        assert f"`{reason}`" in FAIRNESS, reason
