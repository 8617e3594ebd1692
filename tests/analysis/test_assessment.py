"""The assessed difficulty of a dungeon."""

import pytest

from game.analysis import ANALYSIS_VERSION, assess, band_of
from game.rules import RULESETS, deal


@pytest.mark.parametrize(
    ("rate", "band"),
    [
        (0.0, "hard"),
        (0.15, "hard"),
        (0.20, "medium"),
        (0.40, "medium"),
        (0.45, "easy"),
        (1.0, "easy"),
    ],
)
def test_band_of_a_clearance_rate(rate, band):
    assert band_of(rate) == band


def test_assessment_is_deterministic_and_reports_progress():
    reported = []
    deck = deal("assess-2")
    first = assess(
        RULESETS["tavern-1"], deck, games=2, progress=lambda *at: reported.append(at)
    )
    again = assess(RULESETS["tavern-1"], deck, games=2)
    assert first == again
    assert reported == [(1, 3), (2, 3), (3, 3)]
    assert first.version == ANALYSIS_VERSION
    assert first.winnable == (first.best > 0)
    assert first.proven
    assert first.rate == first.clearances / 2


def test_unwinnable_dungeon_is_hard():
    first = assess(RULESETS["tavern-1"], deal("bench-39"), games=2)
    assert not first.winnable
    assert (first.clearances, first.band) == (0, "hard")


def test_best_score_depends_on_the_difficulty():
    bests = [
        assess(RULESETS["bound-1"], deal("levels"), level, games=0).best
        for level in ("hard", "normal", "easy")
    ]
    assert bests == sorted(bests)
    assert bests[0] <= 14
    assert bests[2] > 20
