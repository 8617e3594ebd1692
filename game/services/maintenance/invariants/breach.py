"""One violated invariant of one row."""

from typing import NamedTuple


class Breach(NamedTuple):
    """A violated invariant: its number (`law`), the row, and what is wrong with it."""

    law: str
    row: str
    text: str

    def __str__(self) -> str:
        return f"{self.law} {self.row}: {self.text}"
