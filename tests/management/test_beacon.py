"""`manage.py beacon`: rounds that are due, and values that are entered by hand."""

from collections.abc import Callable
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command

from game.models import BeaconRound
from game.services.dailies.publish import dailies_publish
from tests.fixtures.beacons import signature_of
from tests.fixtures.dailies import MORNING
from tests.services.dailies.test_beacons import DUE, MINUTE, ROUND

pytestmark = pytest.mark.django_db


def beacon_command(*words: str) -> str:
    said = StringIO()
    with time_machine.travel(DUE + MINUTE, tick=False):
        call_command("beacon", *words, stdout=said)
    return said.getvalue().strip()


def test_value_is_entered(
    quick: None, one_ruleset: None, beacon: Callable[[int], str]
) -> None:
    dailies_publish(at=MORNING)
    assert beacon_command() == str(ROUND)
    with pytest.raises(CommandError, match="not the network's signature"):
        beacon_command(str(ROUND), signature_of(1))
    with pytest.raises(CommandError, match="Give the round's signature"):
        beacon_command(str(ROUND))
    upper = signature_of(ROUND).upper()
    assert beacon_command(str(ROUND), upper).startswith("Stored: round ")
    assert beacon_command(str(ROUND), upper).startswith("Already stored: ")
    assert BeaconRound.objects.get().signature == signature_of(ROUND)
    assert beacon_command() == "No round is due."
