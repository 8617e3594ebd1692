"""The demo's open case of two reports and a flag."""

import pytest

from game.models import Case
from game.services.demo.cases import demo_case
from tests.fixtures.accounts import person
from tests.fixtures.races import now

pytestmark = pytest.mark.django_db


def test_two_reports_and_a_flag_in_one_case() -> None:
    assert not demo_case(at=now())
    for name in ("Ike", "Nettle", "Old Tom"):
        person(name)
    assert demo_case(at=now())
    case = Case.objects.get()
    assert (case.subject.name, case.kind, case.closed_at) == ("Ike", "cheating", None)
    assert (case.reports.count(), case.flags.count()) == (2, 1)
