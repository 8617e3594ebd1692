"""What is reported: which law, of what, and how it is broken."""

from typing import NamedTuple


class Breach(NamedTuple):
    """A law that does not hold: its number, the row meant, what is wrong with it."""

    law: str
    row: str
    text: str

    def __str__(self) -> str:
        return f"{self.law} {self.row}: {self.text}"
