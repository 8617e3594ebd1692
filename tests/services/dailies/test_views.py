"""Reading dailies and boards: what is overdue is done first; digests."""

from datetime import timedelta

import pytest

from game.models import Daily, DailyDigest, Run
from game.selectors.boards.leaderboards import PageRequest
from game.services.core.errors import ServiceRefusal
from game.services.dailies.attempts import daily_practice_start
from game.services.dailies.settle import daily_resettle, daily_settle
from game.services.dailies.views import (
    daily_board_json,
    daily_bring_up_to_date,
    digest_text_find,
)
from tests.fixtures.dailies import DAY, SETTLES, attempt, member

pytestmark = pytest.mark.django_db


def test_reader_settles_a_board_that_is_a_minute_overdue(daily: Daily) -> None:
    late = SETTLES + timedelta(minutes=1)
    for at, settled_at in ((late - timedelta(seconds=1), None), (late, late)):
        found = daily_bring_up_to_date(on=DAY, ruleset="tavern-1", at=at)
        assert found.settled_at == settled_at


def test_board_counts_attempts_but_no_practice(daily: Daily) -> None:
    eve = member("Eve")
    attempt(eve, chance=1)
    daily_settle(daily.id, at=SETTLES)
    daily_practice_start(account=eve, on=DAY, ruleset="tavern-1", at=SETTLES)
    shown = daily_board_json(
        on=DAY,
        ruleset="tavern-1",
        pool="people",
        page=PageRequest(viewer_id=None, limit=5),
        at=SETTLES,
    )
    assert shown["players"] == 1


def test_digest_text_of_the_newest_and_of_a_given_revision(
    daily: Daily, played_daily: list[Run]
) -> None:
    daily_settle(daily.id, at=SETTLES)
    Run.objects.filter(id=played_daily[0].id).update(voided_at=SETTLES)
    daily_resettle(daily.id, at=SETTLES, reason="bot")
    first, second = DailyDigest.objects.order_by("revision")

    def text(revision: int | None) -> str:
        return digest_text_find(on=DAY, ruleset="tavern-1", revision=revision)

    assert text(None) == text(2) == second.text
    assert text(1) == first.text
    with pytest.raises(ServiceRefusal) as refused:
        text(3)
    assert refused.value.code == "daily.not_settled"
