"""Seats of a rematch: taken for the players, theirs once they have answered."""

from typing import Any

import pytest

from game.models import Account, Block, Race
from game.services.core.errors import Kind
from game.services.races.commands import (
    race_join,
    race_leave,
    race_ready,
    race_start,
)
from game.services.races.create import race_rematch
from tests.fixtures.races import (
    create_race,
    expect_refusal,
    now,
    play_all,
    read_race,
    start_race,
)
from tests.services.races.test_seats import players

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def rematch(account: Account, race_id: str) -> str:
    return race_rematch(account_id=account.id, race_id=race_id, at=now())["race_id"]


def act(service: Any, account: Account, race_id: str) -> None:
    service(account_id=account.id, race_id=race_id, at=now())


@pytest.fixture
def over(ada: Account, bob: Account, cleo: Account) -> str:
    """A race of three that is over."""
    people = [ada, bob, cleo]
    race_id = start_race(people)
    play_all(race_id, people)
    return race_id


@pytest.mark.parametrize("answer", [race_join, race_ready, None])
def test_caller_who_leaves_takes_only_those_along_who_answered(
    ada: Account, bob: Account, cleo: Account, over: str, answer: Any
) -> None:
    again = rematch(ada, over)
    if answer is not None:
        act(answer, cleo, again)
    act(race_leave, ada, again)
    seen = read_race(again)
    if answer is None:
        assert seen["phase"] == "cancelled"
    else:
        assert (seen["phase"], seen["host"]) == ("open", cleo.name)


@pytest.mark.parametrize("answered", [False, True])
def test_start_takes_only_those_along_who_answered(
    ada: Account, bob: Account, cleo: Account, over: str, answered: bool
) -> None:
    again = rematch(ada, over)
    if not answered:
        with expect_refusal("race.too_few"):
            act(race_start, ada, again)
        return
    assert rematch(bob, over) == again
    act(race_start, ada, again)
    assert players(again) == [ada.name, bob.name]


def test_who_declined_is_not_seated_when_the_rematch_is_called_again(
    ada: Account, bob: Account, cleo: Account, over: str
) -> None:
    first = rematch(ada, over)
    act(race_leave, bob, first)
    act(race_leave, ada, first)  # cancels it
    second = rematch(cleo, over)
    # Ada withdrew her own call, so she has declined as well.
    assert players(second) == [cleo.name]
    act(race_leave, cleo, second)
    third = rematch(ada, over)
    assert players(third) == [ada.name]
    # By themselves they can join.
    assert rematch(bob, over) == third
    assert players(third) == [ada.name, bob.name]
    assert Race.objects.filter(rematch_origin=over).count() == 3


def test_who_blocks_somebody_seated_is_not_seated(
    ada: Account, bob: Account, cleo: Account, over: str
) -> None:
    Block.objects.create(account=bob, blocked=cleo, made_at=now())
    assert players(rematch(ada, over)) == [ada.name, bob.name]
    with expect_refusal("race.blocked", Kind.FORBIDDEN):
        rematch(cleo, over)


def test_seat_of_a_rematch_does_not_count_before_the_answer(
    ada: Account, bob: Account, over: str
) -> None:
    again = rematch(ada, over)
    for _ in range(3):
        create_race([bob])
    for host in ("one", "two"):
        other = create_race(
            [Account.objects.create(name=host, created_at=now(), seen_at=now())]
        )
        act(race_join, bob, other)
    with expect_refusal("race.too_many_seats"):
        act(race_join, bob, again)
