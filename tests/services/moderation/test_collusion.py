"""Flags from rated results, read from the races of 30 days."""

from datetime import timedelta

import pytest

from game.models import Account, Flag, Race
from game.services.accounts.browsers import browser_record
from game.services.moderation import collusion
from game.services.moderation.collusion import collusion_check
from tests.fixtures.races import member, now
from tests.services.moderation.test_races import finished

pytestmark = pytest.mark.django_db


def flags() -> list[tuple[str, str]]:
    rows = Flag.objects.order_by("kind", "subject__name")
    return list(rows.values_list("subject__name", "kind"))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two results be enough: the rules have tests of their own."""
    rules = "game.contest.moderation.collusion"
    monkeypatch.setattr(f"{rules}.MIN_RESULTS", 2)
    monkeypatch.setattr(f"{rules}.MIN_MEETINGS", 2)
    monkeypatch.setattr(f"{rules}.MIN_THROWN_TO_ANOTHER", 1)


def test_one_sided_results_are_flagged_once_a_week(few: None) -> None:
    dora, emil = member("Dora"), member("Emil")
    for _ in range(2):
        finished(dora, emil)
    at = now()
    assert collusion_check(at=at) == 1
    assert flags() == [("Dora", "one_sided")]
    flag = Flag.objects.get()
    assert flag.case.kind == "collusion"
    assert flag.evidence == {
        "others": [emil.id],
        "linked": False,
        "results": 2,
        "won": 2,
        "thrown": 2,
    }
    assert collusion_check(at=at) == 0
    assert collusion_check(at=at + timedelta(days=7)) == 1
    assert collusion_check(at=at + timedelta(days=31)) == 0


def test_larger_races_count_and_void_ones_do_not(few: None) -> None:
    people = [member(name) for name in ("Dora", "Emil", "Fay")]
    race_id = finished(*people)
    assert collusion_check(at=now()) == 1
    assert Flag.objects.get().evidence["others"] == sorted(one.id for one in people[1:])
    Flag.objects.all().delete()
    Race.objects.filter(id=race_id).update(voided_at=now())
    assert collusion_check(at=now()) == 0


def test_accounts_that_take_turns_are_flagged_as_a_circle(few: None) -> None:
    dora, emil, fay = people = [member(name) for name in ("Dora", "Emil", "Fay")]
    for winner, loser in ((dora, emil), (emil, fay), (fay, dora)):
        finished(winner, loser)
    assert collusion_check(at=now()) == 3
    assert flags() == [(one.name, "circle") for one in people]
    evidence = Flag.objects.get(subject=dora).evidence
    assert evidence == {"others": sorted([emil.id, fay.id]), "thrown": 3}


def test_linked_pair_need_not_give_up(
    few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collusion, "is_thrown", lambda *_: False)
    dora, emil = member("Dora"), member("Emil")
    for _ in range(2):
        finished(dora, emil)
    assert collusion_check(at=now()) == 0
    _use_one_browser(dora, emil)
    assert collusion_check(at=now()) == 1
    assert Flag.objects.get().evidence["linked"] is True


def _use_one_browser(*people: Account) -> None:
    for one in people:
        browser_record(one.id, address="10.0.0.1", agent="Browser", at=now())
