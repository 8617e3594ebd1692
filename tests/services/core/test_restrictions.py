"""Which act is shown to an account that may not do something."""

from datetime import timedelta

import pytest

from game.models import Account, Act
from game.services.core.errors import ServiceRefusal
from game.services.core.restrictions import (
    Activity,
    require_allowed,
    restriction_on,
)
from tests.fixtures.moderation import DAY, do
from tests.fixtures.races import member, now

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


@pytest.mark.parametrize("lengths", [(1, 3), (3, 1)], ids=["longer last", "first"])
def test_longest_act_is_shown(
    mona: Account, dora: Account, lengths: tuple[int, int]
) -> None:
    at = now()
    for days in lengths:
        do(mona, "mute", dora, at=at, length=days * DAY)
    shown = restriction_on(dora.id, Activity.CHAT, at=at)
    assert shown is not None
    assert shown.until == at + 3 * DAY
    with pytest.raises(ServiceRefusal) as refused:
        require_allowed(dora, Activity.CHAT, at=at)
    assert refused.value.detail["act"] == shown.id


def test_act_without_an_end_is_the_longest(mona: Account, dora: Account) -> None:
    at = now()
    endless = do(mona, "mute", dora, at=at, length=DAY)
    do(mona, "mute", dora, at=at, length=3 * DAY)
    Act.objects.filter(id=endless.id).update(until=None)
    shown = restriction_on(dora.id, Activity.CHAT, at=at)
    assert shown is not None
    assert (shown.id, shown.until) == (endless.id, None)


def test_most_severe_kind_is_shown_although_it_ends_first(
    mona: Account, dora: Account
) -> None:
    at = now()
    do(mona, "mute", dora, at=at, length=3 * DAY)
    suspended = do(mona, "suspend", dora, at=at, length=DAY)
    assert restriction_on(dora.id, Activity.CHAT, at=at) == suspended
    assert restriction_on(dora.id, Activity.ANYTHING, at=at) is None


def test_act_ends_at_its_end(mona: Account, dora: Account) -> None:
    at = now()
    act = do(mona, "mute", dora, at=at, length=DAY)
    before = at + DAY - timedelta(microseconds=1)
    assert restriction_on(dora.id, Activity.CHAT, at=before) == act
    assert restriction_on(dora.id, Activity.CHAT, at=at + DAY) is None
