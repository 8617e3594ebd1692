"""The choice of a dungeon, which can be verified after the reveal."""

import hmac

import pytest

from game.contest.calendar import Band
from game.contest.drawing import (
    Judgement,
    SelectionReason,
    candidate_seed,
    choice_fault,
    meets_plan,
)

MASTER = "00" * 31 + "2a"


def test_candidates_are_the_hmac_of_the_master() -> None:
    seeds = [candidate_seed(MASTER, n) for n in range(50)]
    assert len(set(seeds)) == 50
    assert all(len(seed) == 64 and int(seed, 16) >= 0 for seed in seeds)
    assert (
        seeds[3]
        == hmac.new(MASTER.encode(), b"scoundrel-daily-v1:3", "sha256").hexdigest()
    )


def test_plan_requires_winnable_and_band() -> None:
    assert meets_plan(winnable=True, band=Band.HARD, wanted=Band.HARD)
    assert not meets_plan(winnable=False, band=Band.HARD, wanted=Band.HARD)
    assert not meets_plan(winnable=True, band=Band.EASY, wanted=Band.HARD)


EASY, HARD = (
    Judgement(is_winnable=True, band=Band.EASY),
    Judgement(is_winnable=True, band=Band.HARD),
)
LOST = Judgement(is_winnable=False, band=Band.HARD)


@pytest.mark.parametrize(
    ("reason", "number", "judged", "expected"),
    [
        ("planned", 2, [EASY, LOST, HARD], None),
        ("planned", 1, [EASY, EASY], "candidate 1 does not fit the rule planned"),
        ("planned", 1, [HARD, HARD], "candidate 0 fits the rule planned"),
        ("planned", 0, [LOST], "candidate 0 does not fit the rule planned"),
        ("winnable", 1, [LOST, EASY], None),
        ("winnable", 1, [EASY, EASY], "candidate 0 fits the rule winnable"),
        ("winnable", 0, [LOST], "candidate 0 does not fit the rule winnable"),
        ("first", 0, [LOST] * 24, None),
        ("first", 0, [LOST] * 23 + [EASY], "candidate 23 is winnable"),
    ],
)
def test_choice_is_the_rules(
    reason: str, number: int, judged: list[Judgement], expected: str | None
) -> None:
    found = choice_fault(
        reason=SelectionReason(reason),
        number=number,
        wanted=Band.HARD,
        judge=lambda n: judged[n],
    )
    assert found == expected
