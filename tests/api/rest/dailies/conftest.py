"""The clock of tests of dailies over REST."""

from typing import Any

import pytest
import time_machine

from tests.fixtures.dailies import MORNING


@pytest.fixture
def clock() -> Any:
    """The server's clock: `clock.move_to(...)`. The database clock does not change."""
    with time_machine.travel(MORNING, tick=False) as travel:
        yield travel
