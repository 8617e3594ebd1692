"""An error is logged if nearly all players seem to be at one address, or at none."""

from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from game.services.accounts.browsers import browser_record
from game.services.accounts.monitoring import (
    MIN_ACCOUNTS,
    AddressUse,
    accounts_log_troubles,
    address_use,
)
from game.tasks.housekeeping import check_addresses
from tests.fixtures.races import member
from tests.fixtures.runs import NOON


@pytest.mark.parametrize(
    ("use", "trouble"),
    [
        ((30, 30, 24), "one_address"),
        ((30, 30, 23), ""),
        ((29, 29, 29), ""),  # a class, or a household
        ((30, 5, 1), "no_address"),
        ((30, 6, 1), ""),
        ((0, 0, 0), ""),
    ],
)
def test_trouble(use: tuple[int, int, int], trouble: str) -> None:
    assert AddressUse(*use).trouble == trouble


def visit(address: str, number: int) -> None:
    account = member(f"Player {number}")
    browser_record(account.id, address=address, agent="x", cookie=str(number), at=NOON)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "trouble"),
    [("10.0.0.1", "one_address"), ("0.0.0.0", "no_address"), ("10.0.0.{}", "")],
)
def test_proxy_that_hides_the_players_is_logged(
    settings: Any, address: str, trouble: str
) -> None:
    settings.SHARED_NETWORKS = []
    for number in range(MIN_ACCOUNTS):
        visit(address.format(number), number)
    with capture_logs() as logs:
        assert accounts_log_troubles(at=NOON + timedelta(hours=1)) == bool(trouble)
    assert [entry["trouble"] for entry in logs] == [trouble] * bool(trouble)
    # Nothing is logged on another day, or if the operator has set SHARED_NETWORKS.
    assert address_use(at=NOON + timedelta(days=2)) == (0, 0, 0)
    settings.SHARED_NETWORKS = ["10.0.0.0/8"]
    assert accounts_log_troubles(at=NOON + timedelta(hours=1)) == 0


@pytest.mark.django_db
def test_task_checks_now() -> None:
    assert check_addresses() == 0
