"""How hard a dungeon is said to be."""

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
def test_bands(rate, band):
    assert band_of(rate) == band


def test_an_assessment_says_everything_twice_alike():
    told = []
    deck = deal("assess-2")
    first = assess(
        RULESETS["tavern-1"], deck, games=2, progress=lambda *at: told.append(at)
    )
    again = assess(RULESETS["tavern-1"], deck, games=2)
    assert first == again
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert first.version == ANALYSIS_VERSION
    assert first.winnable == (first.best > 0)
    assert first.proven
    assert first.rate == first.clearances / 2


def test_an_unwinnable_dungeon_is_hard():
    first = assess(RULESETS["tavern-1"], deal("bench-39"), games=2)
    assert not first.winnable
    assert (first.clearances, first.band) == (0, "hard")


def test_difficulties_have_their_own_best():
    bests = [
        assess(RULESETS["bound-1"], deal("levels"), level, games=0).best
        for level in ("hard", "normal", "easy")
    ]
    assert bests == sorted(bests)
    assert bests[0] <= 14
    assert bests[2] > 20
