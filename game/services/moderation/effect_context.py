"""What an effect of an act is given."""

from datetime import datetime
from typing import NamedTuple

from game.models import Act


class Effected(NamedTuple):
    """The act, saved as it is to stand; the act that does this (itself, or the one that
    takes it back, by which what it changes is recorded); the instant.
    """

    act: Act
    by: Act
    at: datetime
