"""The choice of a dungeon, which can be verified after the reveal."""

import hmac

from game.contest.calendar import Band
from game.contest.drawing import candidate_seed, meets_plan

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
