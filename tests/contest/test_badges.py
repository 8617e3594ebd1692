"""Badges and the results that earn them."""

import pytest

from game.contest.badges import BADGES, DailyResult, badges_earned

PLAIN = DailyResult(cleared=False, health=0, rank=9, of=9, streak=1, dailies=1)


@pytest.mark.parametrize(
    ("deed", "badges"),
    [
        (PLAIN, set()),
        (PLAIN._replace(cleared=True, health=19), {"first_clear"}),
        (PLAIN._replace(cleared=True, health=20), {"first_clear", "unscathed"}),
        (PLAIN._replace(rank=3), {"podium"}),
        (PLAIN._replace(rank=1), {"podium", "first_place"}),
        (PLAIN._replace(rank=1, of=4), set()),
        (PLAIN._replace(streak=30), {"streak_7", "streak_30"}),
        (PLAIN._replace(dailies=100), {"dailies_100"}),
    ],
)
def test_badges(deed: DailyResult, badges: set[str]) -> None:
    assert badges_earned(deed) == badges | {"first_daily"}


def test_every_badge_can_be_earned_and_is_named() -> None:
    best = DailyResult(cleared=True, health=20, rank=1, of=9, streak=400, dailies=400)
    assert badges_earned(best) == {badge.key for badge in BADGES}
