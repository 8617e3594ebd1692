"""What the machine notices of play that counts, once each; and what it leaves alone."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession

from game.models import Account, Daily, Flag, Move, Run
from game.services import detections
from game.services.detections import pairs_look, run_pace, runs_look
from tests.fixtures_accounts import person
from tests.fixtures_dailies import MORNING, attempt
from tests.fixtures_races import member, now
from tests.services.moderation.test_races import finished

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
LATER = MORNING + timedelta(hours=1)


def kinds() -> list[tuple[str, str]]:
    rows = Flag.objects.order_by("id").values_list("subject__name", "kind")
    return list(rows)


def paced(run: Run, pauses_ms: list[int]) -> None:
    """The run with its moves at other times, so many of them."""
    Move.objects.filter(run=run).delete()
    at = run.started_at
    for index, pause in enumerate(pauses_ms):
        at += timedelta(milliseconds=pause)
        Move.objects.create(run=run, index=index, code="avoid", at=at)


def look() -> int:
    return runs_look(since=MORNING, at=LATER)


def test_pace_is_noted_once(daily: Daily) -> None:
    fast, even = attempt(person("Fay"), chance=1), attempt(person("Eve"), chance=2)
    human = attempt(person("Hans"), chance=3)
    paced(fast, [90 + 60 * (n % 3) for n in range(30)])
    paced(even, [1000 + n % 2 for n in range(30)])
    paced(human, [700 + 400 * (n % 5) for n in range(30)])
    assert run_pace(even).median_ms == 1000
    assert look() == 2
    assert set(kinds()) == {("Fay", "too_fast"), ("Eve", "too_regular")}
    flag = Flag.objects.get(kind="too_fast")
    assert flag.evidence["run"] == fast.id
    assert look() == 0
    assert not Account.objects.exclude(standing_rev=0).exists()


def test_bots_and_practice_are_left_alone(daily: Daily) -> None:
    bot = attempt(person("Robot", is_bot=True), chance=1)
    paced(bot, [50] * 30)
    assert look() == 0


def here(account: Account, ip: str = "10.0.0.1", agent: str = "Browser") -> None:
    UserSession.objects.create(
        user=account, ip=ip, user_agent=agent, session_key=f"{account.id}{ip}"
    )


def test_a_dungeon_seen_by_a_linked_account(daily: Daily) -> None:
    one, two, other = person("One"), person("Two"), person("Other")
    here(one)
    here(two)
    here(other, ip="10.0.0.2")
    attempt(one, chance=1)
    attempt(other, chance=2, at=MORNING + timedelta(minutes=1))
    late = attempt(two, chance=3, at=MORNING + timedelta(minutes=5))
    assert look() == 1
    assert kinds() == [("Two", "shared_dungeon")]
    flag = Flag.objects.get()
    assert (flag.case.kind, flag.evidence["run"]) == ("second_account", late.id)
    assert flag.evidence["other"] == one.id
    assert "10.0.0.1" not in str(flag.evidence)
    assert look() == 0


def test_meetings_are_counted_from_both_sides(db: None) -> None:
    dora, emil = member("Dora"), member("Emil")
    for _ in range(2):
        finished(dora, emil)
    found = dict(detections._meetings(now()))
    assert found == {
        (dora.id, emil.id): [(True, True)] * 2,
        (emil.id, dora.id): [(False, False)] * 2,
    }


def test_one_sided_pairs_are_noted_once_a_week(
    monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    dora, emil, fay = member("Dora"), member("Emil"), member("Fay")
    results = {
        (dora.id, emil.id): [(True, True)] * 10,
        (emil.id, dora.id): [(False, False)] * 10,
        (dora.id, fay.id): [(True, False)] * 10,
    }
    monkeypatch.setattr(
        "game.services.detections._meetings", lambda _: iter(results.items())
    )
    at = now()
    assert pairs_look(at=at) == 1
    assert kinds() == [("Dora", "one_sided")]
    assert Flag.objects.get().evidence["other"] == emil.id
    assert pairs_look(at=at) == 0
    assert pairs_look(at=at + timedelta(days=7)) == 1
