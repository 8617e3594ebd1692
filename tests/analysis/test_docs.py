"""docs/analysis.md and docs/analysis-code.md: their numbers and modules are correct."""

import re
from pathlib import Path

from game.analysis import PLAYERS, screening
from game.analysis.assessment import EASY_ABOVE, GAMES, HARD_BELOW, MEASURE
from game.analysis.chances import PILOT_SAMPLES, SAMPLES
from game.analysis.players.reference import SamplingPlayer
from game.analysis.review import TURNING_POINTS, WHOLE_LOSS
from game.analysis.solver.search import FIRST_WIDTH, WIDEST
from tests.analysis.brute import LEVELS

ROOT = Path(__file__).parents[2]
NUMBERS = {"three": 3, "nine": 9, "ten": 10, "twelve": 12, "twenty": 20}


def page(name: str) -> str:
    """The page with all whitespace as single spaces."""
    return " ".join((ROOT / "docs" / name).read_text().split())


def number(pattern: str, text: str) -> float:
    """The number that the group of the pattern has, in digits or as a word."""
    found = re.search(pattern, text)
    assert found is not None, pattern
    word = found[1].replace(",", "")
    return NUMBERS[word] if word in NUMBERS else float(word)


def test_numbers_for_players() -> None:
    text = page("analysis.md")
    assert number(r"more than (\d+) % \| easy", text) == EASY_ABOVE * 100
    assert number(r"less than (\d+) % \| hard", text) == HARD_BELOW * 100
    assert number(r"plays it (\w+) times", text) == GAMES
    assert number(r"\*\*Turning points\*\* are the (\w+) moves", text) == TURNING_POINTS
    assert number(r"0 % from (\w+) points on", text) == WHOLE_LOSS
    assert f"| {MEASURE} | tries its options on 20 random orders; measures" in text
    for player in PLAYERS.values():
        samples = getattr(player, "samples", None)
        row = f"| {player.name} | "
        assert row + (f"tries its options on {samples} " if samples else "") in text


def test_numbers_for_programmers() -> None:
    text = page("analysis-code.md")
    assert number(r"\(12, 24, 48 \.\.\. ([\d,]+)\)", text) == WIDEST
    assert FIRST_WIDTH == 12
    mc20 = PLAYERS["mc20-1"]
    assert isinstance(mc20, SamplingPlayer)
    assert number(r"evaluate the (\w+) best paths", text) == mc20.considered
    assert number(r"It compares those two over (\d+) new", text) == SAMPLES
    assert number(r"over (\d+) shuffles\. It compares", text) == PILOT_SAMPLES
    assert number(r"for (\w+) shuffles of the unseen", text) == screening.FUTURES
    assert number(r"`COVARIANCE` is set to ([\d.]+)\.", text) == screening.COVARIANCE
    assert number(r"is flagged at (\d) deviations", text) == screening.FLAG_AT
    assert number(r"deviations, from (\w+) runs on", text) == screening.MIN_RUNS
    assert number(r"600 dungeons for each of the (\w+)\.", text) == len(LEVELS)


def test_modules_of_the_page_exist() -> None:
    text = (ROOT / "docs" / "analysis-code.md").read_text()
    folder = ROOT / "game" / "analysis"
    listed = set(re.findall(r"^    (solver/\w+)", text, re.MULTILINE))
    assert listed == {
        f"solver/{path.stem}"
        for path in (folder / "solver").glob("*.py")
        if path.stem != "__init__"
    }
    for name in ("assessment", "review", "chances", "screening"):
        assert re.search(rf"^    .*\b{name}\b", text, re.MULTILINE)
        assert (folder / f"{name}.py").exists()
