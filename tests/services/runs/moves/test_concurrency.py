"""Concurrent moves of one run: one row a key, one accepted move an index."""

from typing import Any

import pytest

from game.models import Account, Move, Run
from game.services.accounts.accounts import guest_create
from game.services.core.errors import ServiceRefusal
from game.services.runs.moves.play import move_play
from game.services.runs.runs import practice_start
from tests.fixtures.runs import NOON
from tests.fixtures.threads import many_at_once

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.sqlite,
]
THREADS = 64


@pytest.fixture
def shared() -> Run:
    account: Account = guest_create(at=NOON)
    return practice_start(account=account, at=NOON, seed="a")


def test_one_key_is_one_row_and_one_answer(shared: Run) -> None:
    answers = many_at_once(
        THREADS,
        lambda _: move_play(
            account_id=shared.account_id,
            run_id=shared.id,
            index=0,
            code="2D",
            key="one-key",
        ),
    )
    assert Move.objects.count() == 1
    assert sum(not a["replayed"] for a in answers) == 1
    first = {**answers[0], "replayed": None}
    assert all({**a, "replayed": None} == first for a in answers)


def test_one_move_at_an_index_is_accepted(shared: Run) -> None:
    codes = ("2D", "TH", "4Cb", "KSb")

    def play(n: int) -> Any:
        try:
            return move_play(
                account_id=shared.account_id,
                run_id=shared.id,
                index=0,
                code=codes[n % 4],
                key=f"k{n}",
            )
        except ServiceRefusal as refusal:
            return refusal

    answers = many_at_once(THREADS, play)
    won = [a for a in answers if isinstance(a, dict)]
    lost = [a for a in answers if not isinstance(a, dict)]
    assert len(won) == 1
    assert len(lost) == THREADS - 1
    assert {r.code for r in lost} == {"run.stale_index"}
    assert all(r.extra["run"]["index"] == 1 for r in lost)
    assert Move.objects.count() == 1


def test_one_key_for_two_indexes_is_refused(shared: Run) -> None:
    answers = many_at_once(
        THREADS,
        lambda n: move_play(
            account_id=shared.account_id,
            run_id=shared.id,
            index=n % 2,
            code=("2D", "4Cb")[n % 2],
            key="k",
        ),
    )
    refused = {answer for answer in answers if not isinstance(answer, dict)}
    assert refused <= {"move.key_reused", "run.stale_index"}
    assert Move.objects.filter(key="k").count() == 1
