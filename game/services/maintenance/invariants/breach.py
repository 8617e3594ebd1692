"""One violated invariant of one row."""

from typing import NamedTuple


class Breach(NamedTuple):
    """A violated invariant (its number, such as "I5"), the row, and what is wrong."""

    invariant: str
    row: str
    text: str

    def __str__(self) -> str:
        return f"{self.invariant} {self.row}: {self.text}"
