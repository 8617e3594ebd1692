"""The ASVS table of docs/security.md: level 1 is complete, and its tests exist."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
DOC = ROOT / "docs" / "security.md"
# The requirements of level 1 in ASVS 5.0.0, by section, from first to last.
LEVEL_1 = (
    *("1.2.1-5", "1.3.1-2", "1.5.1", "2.1.1", "2.2.1-2", "2.3.1"),
    *("3.2.1-2", "3.3.1", "3.4.1-2", "3.5.1-3", "4.1.1", "4.4.1", "5.2.1-2", "5.3.1-2"),
    *("6.1.1", "6.2.1-8", "6.3.1-2", "6.4.1-2", "7.2.1-4", "7.4.1-2"),
    *("8.1.1", "8.2.1-2", "8.3.1", "9.1.1-3", "9.2.1", "10.4.1-5"),
    *("11.3.1-2", "11.4.1", "12.1.1", "12.2.1-2", "13.4.1", "14.2.1", "14.3.1"),
    *("15.1.1", "15.2.1", "15.3.1"),
)


class Row(NamedTuple):
    """A row of the table."""

    numbers: list[str]
    level: str
    met: str
    proof: str


def rows() -> list[Row]:
    found = []
    for line in DOC.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.match(r"\| \d", line) and len(cells) == 4:
            numbers = re.split(r",\s*", cells[0])
            found.append(Row(numbers, cells[1], cells[2], cells[3]))
    return found


def numbers_of(text: str) -> list[str]:
    section, _, last = text.partition("-")
    head, _, first = section.rpartition(".")
    return [f"{head}.{n}" for n in range(int(first), int(last or first) + 1)]


def test_every_level_1_number_is_listed_once() -> None:
    wanted = [number for section in LEVEL_1 for number in numbers_of(section)]
    assert len(wanted) == 70
    given = [number for row in rows() if row.level == "1" for number in row.numbers]
    assert sorted(given) == sorted(wanted)
    every = [number for row in rows() for number in row.numbers]
    assert len(every) == len(set(every))


def test_no_level_1_number_is_open() -> None:
    assert not [row for row in rows() if row.level == "1" and "open" in row.proof[:5]]


def test_every_row_has_a_test_or_a_reason() -> None:
    for row in rows():
        assert row.level in ("1", "2")
        assert row.proof, row


@pytest.mark.parametrize(
    "named",
    sorted({one for row in rows() for one in re.findall(r"`(\S+\.py\S*)`", row.proof)}),
)
def test_named_tests_exist(named: str) -> None:
    place, _, name = named.partition("::")
    file = ROOT / "tests" / place
    assert file.is_file()
    if name:
        text = file.read_text(encoding="utf-8")
        assert re.search(rf"^(?:async )?def {name}\(", text, re.MULTILINE)
