"""Flags raised from ranked and rated play."""

from datetime import timedelta

import pytest

from game.models import Account, BrowserMark, Daily, Flag, Move, Run
from game.selectors.moderation.cases import linked_accounts
from game.services.accounts.accounts import guest_create
from game.services.accounts.browsers import browser_hash, browser_record
from game.services.accounts.deletion import account_close, expired_rows_prune
from game.services.accounts.exports import account_export
from game.services.moderation.detections import run_pace, runs_check
from tests.fixtures.accounts import person
from tests.fixtures.dailies import MORNING, SETTLES, attempt
from tests.fixtures.races import member, now
from tests.services.moderation.test_races import finished

pytestmark = pytest.mark.django_db
LATER = MORNING + timedelta(hours=1)


def kinds() -> list[tuple[str, str]]:
    rows = Flag.objects.order_by("id").values_list("subject__name", "kind")
    return list(rows)


def paced(run: Run, pauses_ms: list[int]) -> None:
    """Replace the run's moves by one move after each pause."""
    Move.objects.filter(run=run).delete()
    at = run.started_at
    for index, pause in enumerate(pauses_ms):
        at += timedelta(milliseconds=pause)
        Move.objects.create(run=run, index=index, code="avoid", at=at)


def look() -> int:
    return runs_check(since=MORNING, at=LATER)


def test_pace_is_flagged_once(daily: Daily) -> None:
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


def test_pace_of_bots_is_not_flagged(daily: Daily) -> None:
    bot = attempt(person("Robot", is_bot=True), chance=1)
    paced(bot, [50] * 30)
    assert look() == 0


def here(account: Account, ip: str = "10.0.0.1", agent: str = "Browser") -> None:
    browser_record(account.id, address=ip, agent=agent, at=MORNING)


def test_dungeon_played_by_a_linked_account_is_flagged(daily: Daily) -> None:
    one, two, other = person("One"), person("Two"), person("Other")
    here(one)
    here(two)
    here(other, ip="10.0.0.2")
    attempt(one, chance=1)
    attempt(other, chance=2, at=MORNING + timedelta(minutes=1))
    late = attempt(two, chance=3, at=MORNING + timedelta(minutes=15))
    assert look() == 1
    assert kinds() == [("Two", "shared_dungeon")]
    flag = Flag.objects.get()
    assert (flag.case.kind, flag.evidence["run"]) == ("second_account", late.id)
    assert flag.evidence["other"] == one.id
    assert "10.0.0.1" not in str(flag.evidence)
    assert look() == 0


def test_accounts_stay_linked_after_signing_out(daily: Daily) -> None:
    one, two = person("One"), person("Two")
    for account in (one, two):
        here(account)
    assert [row["id"] for row in linked_accounts(two.id)] == [one.id]
    account_close(one.id, at=LATER)
    assert [row["id"] for row in linked_accounts(two.id)] == [one.id]
    mark = BrowserMark.objects.filter(account=one).get()
    assert "10.0.0.1" not in mark.mark
    assert mark.mark in str(account_export(account=one, at=LATER)["browsers"])
    expired_rows_prune(at=mark.seen_at + timedelta(days=89))
    assert linked_accounts(two.id)
    expired_rows_prune(at=mark.seen_at + timedelta(days=91))
    assert not BrowserMark.objects.exists()
    assert linked_accounts(two.id) == []


def test_browser_hash_uses_the_ipv6_prefix() -> None:
    one = browser_hash("2001:db8::1", "x")
    assert one == browser_hash("2001:db8::ffff", "x")
    assert one != browser_hash("2001:db8:0:1::1", "x")
    assert browser_hash("::ffff:10.0.0.1", "x") == browser_hash("10.0.0.1", "x")
    assert browser_hash("10.0.0.1", "x") != browser_hash("10.0.0.1", "y")
    assert browser_hash("127.0.0.9", "x") == browser_hash("::1", "x")


@pytest.mark.parametrize(
    ("guest_after", "flags"),
    [(-60, 1), (0, 1), (5, 1), (10, 1), (11, 0)],
    ids=["before", "at once", "during", "at the end", "afterwards"],
)
def test_guest_of_the_same_browser_is_flagged_in_either_order(
    daily: Daily, guest_after: int, flags: int
) -> None:
    """The ranked attempt takes ten minutes; the guest is dealt the same deck."""
    eve, guest = person("Eve"), guest_create(at=MORNING)
    here(eve)
    here(guest)
    starts = {eve: MORNING, guest: MORNING + timedelta(minutes=guest_after)}
    for account in sorted(starts, key=lambda one: starts[one]):
        attempt(account, chance=1, at=starts[account])
    assert runs_check(since=MORNING - timedelta(hours=2), at=LATER) == flags
    assert kinds() == [("Eve", "shared_dungeon")] * flags


def test_attempt_that_becomes_ranked_later_is_checked(daily: Daily) -> None:
    eve, guest = person("Eve"), guest_create(at=MORNING)
    for account in (guest, eve):
        here(account)
        attempt(account, chance=1)
    Run.objects.filter(account=eve).update(counted_at=SETTLES)
    later = SETTLES + timedelta(minutes=1)
    assert runs_check(since=SETTLES, at=later) == 1


def test_dungeon_begun_at_the_same_moment_is_flagged(daily: Daily) -> None:
    one, two = person("One"), person("Two")
    for account, chance in ((one, 1), (two, 2)):
        here(account)
        attempt(account, chance=chance)
    assert len(set(Run.objects.values_list("started_at"))) == 1
    assert look() == 2
    assert set(kinds()) == {("One", "shared_dungeon"), ("Two", "shared_dungeon")}


def test_linked_accounts_in_one_rated_race_are_flagged(db: None) -> None:
    dora, emil, fay = member("Dora"), member("Emil"), member("Fay")
    finished(dora, emil)
    finished(dora, fay)
    here(dora)
    here(emil)
    runs_check(since=now() - timedelta(hours=1), at=now())
    linked = Flag.objects.filter(case__kind="second_account")
    found = sorted(linked.values_list("subject__name", "kind"))
    both = ("linked_race", "shared_dungeon")
    assert found == [(name, kind) for name in ("Dora", "Emil") for kind in both]
    flag = linked.get(subject=dora, kind="linked_race")
    assert (flag.case.kind, flag.evidence["others"]) == ("second_account", [emil.id])


def test_accounts_at_one_address_are_flagged_in_a_rated_race_only(daily: Daily) -> None:
    dora, emil = member("Dora"), member("Emil")
    finished(dora, emil)
    here(dora, agent="Firefox")
    here(emil, agent="Chrome")
    for account in (dora, emil):
        attempt(account, chance=1)
    Run.objects.update(ranked=True)
    runs_check(since=now() - timedelta(hours=1), at=now())
    look()
    linked = Flag.objects.filter(case__kind="second_account")
    assert set(linked.values_list("kind", flat=True)) == {"linked_race"}
    assert [flag.evidence["share"] for flag in linked] == [["address"]] * 2
