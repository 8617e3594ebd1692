"""Where accounts are used is recorded, and links those that share a place."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from game.contest.links import SAME_PERSON, AccountLinks, Tie
from game.models import Account, AccountMark, BrowserMark
from game.selectors.accounts.links import links_among, links_of
from game.services.accounts import browsers
from game.services.accounts.browsers import browser_record
from game.services.accounts.deletion import account_close, expired_rows_prune
from game.services.accounts.exports import account_export
from tests.fixtures.accounts import person
from tests.fixtures.races import member
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db


def use(account: Account, address: str, agent: str, **other: Any) -> None:
    browser_record(account.id, address=address, agent=agent, **{"at": NOON, **other})


def links(*accounts: Account, days: float = 0) -> AccountLinks:
    ids = [one.id for one in accounts]
    return links_among(ids, at=NOON + timedelta(days=days))


def test_other_browsers_at_one_address_are_linked_by_it(ada: Account) -> None:
    eve = member("Eve")
    use(ada, "203.0.113.9", "Firefox", cookie="a")
    use(eve, "203.0.113.9", "Chrome", cookie="b")
    assert links(ada, eve).between(ada.id, eve.id) == {Tie.ADDRESS}
    assert links_of(ada.id, at=NOON).linked_to(ada.id) == {eve.id}
    same_person = links_of(ada.id, at=NOON, ties=SAME_PERSON)
    assert same_person.linked_to(ada.id) == frozenset()


def test_any_address_of_an_ipv6_household_is_the_same(ada: Account) -> None:
    eve, far = member("Eve"), member("Far")
    use(ada, "2001:db8:1:2::1", "Firefox")
    use(eve, "2001:db8:1:ff::1", "Chrome")
    use(far, "2001:db8:2:ff::1", "Chrome")
    assert links(ada, eve, far).among([ada.id, eve.id, far.id]) == {Tie.ADDRESS}
    assert links(ada, eve, far).linked_to(far.id) == frozenset()


def test_cookie_and_look_link_by_browser(ada: Account) -> None:
    eve, fay = member("Eve"), member("Fay")
    use(ada, "203.0.113.9", "Firefox", cookie="a")
    use(eve, "198.51.100.1", "Chrome", cookie="a")
    use(fay, "198.51.100.1", "Chrome")
    found = links(ada, eve, fay)
    assert found.between(ada.id, eve.id) == {Tie.BROWSER}
    assert found.between(eve.id, fay.id) == {Tie.BROWSER, Tie.ADDRESS}
    assert found.between(ada.id, fay.id) == frozenset()


def test_mailbox_links_always_also_after_the_email_is_changed() -> None:
    one, two = person("One", "me@gmail.com"), person("Two", "M.E+two@googlemail.com")
    EmailAddress.objects.create(user=member("Three"), email="me@gmail.com.x")
    use(one, "203.0.113.9", "Firefox")
    EmailAddress.objects.filter(user=one).update(email="other@example.org")
    use(two, "198.51.100.1", "Chrome")
    assert links(one, two).between(one.id, two.id) == {Tie.MAILBOX}
    assert links_of(two.id, at=NOON).linked_to(two.id, SAME_PERSON) == {one.id}


def test_unverified_email_links_nobody() -> None:
    one, two = person("One", "me@gmail.com"), member("Two")
    EmailAddress.objects.create(user=two, email="me+2@gmail.com", verified=False)
    use(one, "203.0.113.9", "Firefox")
    use(two, "198.51.100.1", "Chrome")
    assert links(one, two).among([one.id, two.id]) == frozenset()


def test_address_counts_for_a_fortnight_a_browser_until_it_is_deleted() -> None:
    one, two = member("One"), member("Two")
    use(one, "203.0.113.9", "Firefox", cookie="a")
    use(two, "203.0.113.9", "Chrome", cookie="a", at=NOON + timedelta(days=13))
    both = {Tie.BROWSER, Tie.ADDRESS}
    assert links(one, two, days=13.9).between(one.id, two.id) == both
    assert links(one, two, days=14).between(one.id, two.id) == {Tie.BROWSER}
    expired_rows_prune(at=NOON + timedelta(days=89))
    assert links(one, two).between(one.id, two.id) == {Tie.BROWSER}
    assert not AccountMark.objects.exists()
    expired_rows_prune(at=NOON + timedelta(days=91))
    assert links(one, two).between(one.id, two.id) == frozenset()


@pytest.mark.parametrize("address", ["0.0.0.0", "10.1.2.3"])
def test_unknown_and_shared_addresses_link_nobody(settings: Any, address: str) -> None:
    settings.SHARED_NETWORKS = ["10.0.0.0/8"]
    one, two, three = member("One"), member("Two"), member("Three")
    use(one, address, "Firefox", cookie="a")
    use(two, address, "Firefox", cookie="b")
    use(three, address, "Firefox", cookie="a")
    assert links(one, two).among([one.id, two.id]) == frozenset()
    assert links(one, three).between(one.id, three.id) == {Tie.BROWSER}


def test_every_loopback_address_is_one_place(settings: Any) -> None:
    settings.SHARED_NETWORKS = []
    one, two = member("One"), member("Two")
    use(one, "127.0.0.1", "Firefox")
    use(two, "::1", "curl")
    assert links(one, two).between(one.id, two.id) == {Tie.ADDRESS}


def test_mark_is_written_once_an_hour(django_assert_num_queries: Any) -> None:
    one = person("One")
    use(one, "203.0.113.9", "Firefox", cookie="a")
    later = NOON + timedelta(minutes=59)
    with django_assert_num_queries(3):  # it reads, and writes nothing
        use(one, "203.0.113.9", "Firefox", cookie="a", at=later)
    use(one, "203.0.113.9", "Chrome", cookie="b", at=later)
    assert set(BrowserMark.objects.values_list("seen_at", flat=True)) == {NOON, later}
    assert {mark.seen_at for mark in AccountMark.objects.all()} == {NOON}
    use(one, "203.0.113.9", "Chrome", cookie="b", at=NOON + timedelta(hours=1))
    assert {mark.seen_at for mark in AccountMark.objects.all()} == {
        NOON + timedelta(hours=1)
    }
    assert {mark.first_at for mark in AccountMark.objects.all()} == {NOON}


def test_marks_are_exported_as_hashes_and_outlive_the_account() -> None:
    one, two = person("One", "me@example.org"), member("Two")
    use(one, "203.0.113.9", "Firefox")
    use(two, "203.0.113.9", "Chrome")
    exported = account_export(account=one, at=NOON)["mailboxes_and_addresses"]
    assert sorted(row["kind"] for row in exported) == ["address", "mailbox"]
    assert all(len(row["mark"]) == 64 for row in exported)
    assert "203.0" not in str(exported)
    account_close(one.id, at=NOON)
    assert links(one, two).between(one.id, two.id) == {Tie.ADDRESS}


def test_many_accounts_at_one_address_are_read_in_few_queries(
    django_assert_max_num_queries: Any,
) -> None:
    people = [member(f"Player {n}") for n in range(600)]
    AccountMark.objects.bulk_create(
        AccountMark(account=one, kind="address", mark="x", first_at=NOON, seen_at=NOON)
        for one in people
    )
    with django_assert_max_num_queries(4):
        found = links(*people)
    assert [len(group) for group in found.groups(Tie.ADDRESS)] == [600]


def test_invented_browsers_are_not_stored_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(browsers, "MAX_NEW_A_DAY", 4)
    one = member("One")
    for n in range(4):
        use(one, "203.0.113.9", f"Agent {n}", cookie=f"c{n}")
    assert BrowserMark.objects.count() == 4
    later = NOON + timedelta(hours=2)
    use(one, "198.51.100.1", "Agent 9", cookie="c0", at=later)
    known = BrowserMark.objects.filter(seen_at=later)
    assert [row.mark for row in known] == [browsers.cookie_hash("c0")]
    assert AccountMark.objects.filter(seen_at=later).count() == 1
    use(one, "198.51.100.1", "Agent 9", at=NOON + timedelta(days=1, minutes=1))
    assert BrowserMark.objects.count() == 5
