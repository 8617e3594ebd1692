"""Which attempts are ranked: qualification, browsers, mailboxes, guests, settling."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from game.contest.moderation.acts import ActKind, ActState
from game.models import (
    Account,
    Act,
    BoardEntry,
    Daily,
    DeckMailbox,
    DeckView,
    EarnedBadge,
    Run,
)
from game.selectors.accounts.accounts import measured_runs
from game.services.accounts.accounts import guest_create
from game.services.accounts.browsers import Browser, browser_record
from game.services.accounts.deletion import account_close
from game.services.accounts.sign_in import account_sign_in
from game.services.boards.leaderboards import daily_board_update
from game.services.dailies.attempts import daily_run_start
from game.services.dailies.ranking import (
    account_attempts_decide,
    attempts_decide,
    why_unranked_before_start,
)
from game.services.dailies.settle import daily_settle
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import person
from tests.fixtures.dailies import DAY, MORNING, SETTLES, member, play_out

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
HOUR = timedelta(hours=1)
LATER = MORNING + HOUR
WINDOW = Browser("10.0.0.1", "Firefox", "w" * 43)
PRIVATE = WINDOW._replace(cookie="p" * 43)
ELSEWHERE = Browser("10.9.9.9", "Firefox", "e" * 43)


def start(account: Account, browser: Browser | None = WINDOW, at: Any = MORNING) -> Run:
    run, _ = daily_run_start(
        account=account, on=DAY, ruleset="tavern-1", at=at, browser=browser
    )
    return run


def play(
    account: Account,
    browser: Browser | None = WINDOW,
    at: Any = MORNING,
    chance: int = 1,
) -> Run:
    """Start an attempt and play it to its end within ten minutes."""
    run = start(account, browser, at)
    return play_out(run, chance=chance, ends_at=at + timedelta(minutes=10))


def standing(run: Run) -> str:
    """The reason why the run is unranked, or "ranked"."""
    run.refresh_from_db()
    assert run.ranked == (run.unranked == "")
    return run.unranked or "ranked"


def unverified(name: str = "Una") -> Account:
    account = person(name)
    Account.objects.filter(id=account.id).update(created_at=MORNING)
    account.refresh_from_db()
    EmailAddress.objects.filter(user=account).update(verified=False)
    return account


def verify(account: Account) -> None:
    EmailAddress.objects.filter(user=account).update(verified=True)


def add_passkey(account: Account) -> None:
    Authenticator.objects.create(
        user=account, type=Authenticator.Type.WEBAUTHN, data={}
    )


def add_totp(account: Account) -> None:
    Authenticator.objects.create(user=account, type=Authenticator.Type.TOTP, data={})


def grow_old(account: Account) -> None:
    account.created_at = MORNING - timedelta(days=8)
    account.save()
    for chance in range(5):
        run = practice_start(account=account, at=MORNING)
        play_out(run, chance=chance, ends_at=LATER)


def grow_old_on_typed_seeds(account: Account) -> None:
    account.created_at = MORNING - timedelta(days=8)
    account.save()
    for chance in range(5):
        run = practice_start(account=account, at=MORNING, seed=f"{chance}")
        play_out(run, chance=chance, ends_at=LATER)


def become_bot(account: Account) -> None:
    account.is_bot = True
    account.save()
    verify(account)


@pytest.mark.parametrize(
    ("change", "standing_after"),
    [
        (verify, "ranked"),
        (add_passkey, "ranked"),
        (add_totp, "unqualified"),
        (grow_old, "ranked"),
        (grow_old_on_typed_seeds, "unqualified"),
        (become_bot, "ranked"),
    ],
)
def test_attempt_becomes_ranked_when_the_account_qualifies(
    daily: Daily, change: Callable[[Account], None], standing_after: str
) -> None:
    account = unverified()
    run = play(account)
    assert standing(run) == "unqualified"
    assert daily_board_update(daily) == 0
    change(account)
    account_attempts_decide(account.id, at=LATER)
    assert standing(run) == standing_after
    # The provisional board shows what counts now, also runs that ended before.
    assert BoardEntry.objects.filter(run=run).exists() == (standing_after == "ranked")
    assert account_attempts_decide(account.id, at=LATER) == 0


def test_without_a_mail_server_no_email_is_verified(
    daily: Daily, settings: Any
) -> None:
    settings.MAIL_IS_SET = False
    eve, bot = member("Eve"), member("Bot", is_bot=True)
    assert standing(play(eve)) == "unqualified"
    assert standing(play(bot, ELSEWHERE)) == "ranked"
    add_passkey(eve)
    account_attempts_decide(eve.id, at=LATER)
    assert standing(Run.objects.get(account=eve)) == "ranked"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (WINDOW, "browser_seen"),
        (PRIVATE, "address_seen"),
        (PRIVATE._replace(agent="Chrome"), "address_seen"),
        (Browser("10.0.0.1", ""), "address_seen"),
        (WINDOW._replace(address="10.3.3.3"), "browser_seen"),
        (ELSEWHERE, "ranked"),
    ],
)
def test_browser_that_has_seen_the_deck(
    daily: Daily, place: Browser, reason: str
) -> None:
    other, eve = guest_create(at=MORNING), member("Eve")
    play(other)
    told = why_unranked_before_start(daily, eve, place, at=LATER)
    assert (told or "ranked") == reason
    assert standing(start(eve, place, LATER)) == reason


def test_deck_dealt_to_another_account_during_a_ranked_attempt(daily: Daily) -> None:
    """The other account comes second; only attempts that go on are affected."""
    eve, finished, far = member("Eve"), member("Fin"), member("Far")
    done = play(finished)
    daily_board_update(daily)
    far_run = start(far, ELSEWHERE, at=LATER)
    # Fin's browser is another one at the same address.
    yesterday = MORNING - timedelta(days=1)
    browser_record(eve.id, at=yesterday, **PRIVATE._asdict())
    run = start(eve, PRIVATE._replace(agent="Chrome"), at=LATER)
    assert [standing(one) for one in (done, far_run, run)] == ["ranked"] * 3
    start(guest_create(at=LATER), PRIVATE, at=LATER + HOUR)
    assert [standing(one) for one in (done, far_run, run)] == [
        *("ranked", "ranked", "browser_seen"),
    ]


def test_continuing_in_a_browser_that_has_seen_the_deck(daily: Daily) -> None:
    eve = member("Eve")
    run = start(eve, ELSEWHERE)
    play(guest_create(at=MORNING), WINDOW)
    assert standing(run) == "ranked"
    assert start(eve, WINDOW, at=LATER).id == run.id
    assert standing(run) == "browser_seen"


@pytest.mark.parametrize("are_familiar", [True, False])
def test_two_players_at_one_address(daily: Daily, are_familiar: bool) -> None:
    one, two = member("One"), member("Two")
    if are_familiar:
        yesterday = MORNING - timedelta(days=1)
        for account, browser in ((one, WINDOW), (two, PRIVATE)):
            browser_record(account.id, at=yesterday, **browser._asdict())
    assert standing(play(one, WINDOW)) == "ranked"
    found = standing(play(two, PRIVATE, at=LATER))
    assert found == ("ranked" if are_familiar else "address_seen")


@pytest.mark.parametrize(
    ("place", "expected", "deck_seen"),
    [
        (WINDOW, "browser_seen", "browser_seen"),
        (PRIVATE, "address_seen", "address_seen"),
        (ELSEWHERE, "ranked", ""),
    ],
)
def test_move_by_token_does_not_make_a_seen_deck_ranked(
    daily: Daily, place: Browser, expected: str, deck_seen: str
) -> None:
    """Among bots too: no rank, no badge, and no run in the numbers of the profile."""
    eve = member("Eve")
    play(guest_create(at=MORNING), WINDOW)
    run = play(eve, place, at=LATER, chance=2)
    Run.objects.filter(id=run.id).update(by_program=True)
    attempts_decide(daily, at=LATER)
    assert standing(run) == expected
    assert run.deck_seen == deck_seen
    daily_settle(daily.id, at=SETTLES)
    assert standing(run) == expected
    # A person's attempt with a move by token earns nothing among bots either.
    assert not EarnedBadge.objects.exists()
    assert measured_runs(eve).count() == (0 if deck_seen else 1)


def test_bot_account_at_an_address_that_has_seen_the_deck(daily: Daily) -> None:
    """It is ranked among bots; its profile does not count the run."""
    bot = member("Bot", is_bot=True)
    play(guest_create(at=MORNING), WINDOW)
    run = play(bot, PRIVATE, at=LATER, chance=2)
    assert standing(run) == "ranked"
    assert run.deck_seen == "address_seen"
    daily_settle(daily.id, at=SETTLES)
    assert not measured_runs(bot).exists()


def test_programs_of_one_mailbox_are_ranked_once(daily: Daily) -> None:
    first = person("One", "ada@example.org", is_bot=True)
    second = person("Two", "ada+2@example.org", is_bot=True)
    runs = [play(first, ELSEWHERE), play(second, WINDOW, at=LATER)]
    assert [standing(run) for run in runs] == ["ranked", "mailbox_seen"]
    daily_settle(daily.id, at=SETTLES)
    assert set(EarnedBadge.objects.values_list("account")) == {(first.id,)}


def test_mailbox_counts_once_a_day(daily: Daily) -> None:
    first = person("One", "a.da@gmail.com")
    second = person("Two", "ada+2@googlemail.com")
    third = person("Three", "ada@example.org")
    run = play(first, ELSEWHERE)
    told = why_unranked_before_start(daily, second, WINDOW, at=LATER)
    assert told == "mailbox_seen"
    assert standing(start(second, WINDOW, at=LATER)) == "mailbox_seen"
    assert standing(run) == "ranked"
    assert standing(start(third, None, at=LATER)) == "ranked"
    assert not DeckMailbox.objects.filter(mailbox__contains="ada").exists()


def test_mailbox_of_the_other_account_that_is_verified_later(daily: Daily) -> None:
    other, eve = unverified(), person("Eve", "una+eve@example.org")
    play(other, ELSEWHERE)
    run = play(eve, WINDOW, at=LATER)
    assert standing(run) == "ranked"
    verify(other)
    account_attempts_decide(other.id, at=LATER)
    assert standing(run) == "mailbox_seen"


def test_deleted_account_that_returns(daily: Daily) -> None:
    eve = person("Eve", "eve@example.org")
    first = play(eve, ELSEWHERE)
    account_close(eve.id, at=LATER)
    again = person("Eve", "eve@example.org")
    second = play(again, WINDOW, at=LATER, chance=2)
    assert standing(second) == "mailbox_seen"
    add_passkey(again)
    attempts_decide(daily, at=LATER)
    assert [standing(first), standing(second)] == ["ranked", "mailbox_seen"]
    daily_settle(daily.id, at=SETTLES)
    assert list(BoardEntry.objects.filter(board__key="daily").values_list("run")) == [
        (first.id,)
    ]


def sign_up(guest: Account) -> Account:
    pending = person("Newcomer", is_guest=True)
    return account_sign_in(pending, guest=guest, at=LATER)


def sign_in(guest: Account) -> Account:
    return account_sign_in(member("Regular"), guest=guest, at=LATER)


@pytest.mark.parametrize("enter", [sign_up, sign_in])
@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([], "ranked"),
        ([(ELSEWHERE, -HOUR)], "ranked"),
        ([(WINDOW, -HOUR)], "browser_seen"),
        ([(WINDOW, HOUR)], "browser_seen"),
        ([(PRIVATE, HOUR)], "address_seen"),
        ([(PRIVATE._replace(agent="Chrome"), -HOUR)], "address_seen"),
    ],
)
def test_attempt_of_a_guest_who_then_signs_in(
    daily: Daily,
    enter: Callable[[Account], Account],
    others: list[tuple[Browser, timedelta]],
    expected: str,
) -> None:
    guest = guest_create(at=MORNING)
    for place, after in others:
        if after < timedelta(0):
            play(guest_create(at=MORNING), place, at=MORNING + after)
    run = play(guest)
    assert standing(run) in ("guest", expected)
    entered = enter(guest)
    account_attempts_decide(entered.id, at=LATER)
    for place, after in others:
        if after > timedelta(0):
            play(guest_create(at=MORNING), place, at=MORNING + after)
    assert standing(run) == expected
    assert run.account_id == entered.id
    daily_settle(daily.id, at=SETTLES)
    assert standing(run) == expected


def test_excluded_account_takes_over_a_guests_attempt(daily: Daily) -> None:
    excluded, guest = member("Excluded"), guest_create(at=MORNING)
    Act.objects.create(
        kind=ActKind.SUSPEND_RATED,
        state=ActState.IN_FORCE,
        subject=excluded,
        by=member("Mona"),
        reason="fair_play",
        made_at=MORNING,
        at=MORNING,
    )
    run = play(guest)
    account_sign_in(excluded, guest=guest, at=LATER)
    account_attempts_decide(excluded.id, at=LATER)
    assert standing(run) == "restricted"


def test_guest_sees_the_deck_and_signs_in_to_an_account(daily: Daily) -> None:
    """The account's attempt goes on elsewhere; its player has seen the deck."""
    eve, guest = member("Eve"), guest_create(at=MORNING)
    run = start(eve, ELSEWHERE)
    play(guest, WINDOW)
    account_sign_in(eve, guest=guest, at=LATER)
    attempts_decide(daily, at=LATER)
    assert standing(run) == "browser_seen"


def test_settling_decides_again_and_deletes_the_hashes(daily: Daily) -> None:
    """Changes that no request noticed count when the board is settled."""
    late, cheat = unverified("Late"), member("Cheat")
    runs = [play(late, ELSEWHERE), start(cheat, WINDOW)]
    assert [standing(run) for run in runs] == ["unqualified", "ranked"]
    verify(late)
    other = guest_create(at=MORNING)
    view = DeckView.objects.get(account=cheat)
    view.pk, view.account = None, other
    view.save()
    daily_settle(daily.id, at=SETTLES)
    assert [standing(run) for run in runs] == ["ranked", "browser_seen"]
    assert not DeckView.objects.exists()
    assert not DeckMailbox.objects.exists()
    assert attempts_decide(daily, at=SETTLES) == 0


def test_settling_decides_many_attempts_in_parts(
    daily: Daily, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("game.services.dailies.ranking._CHUNK", 2)
    accounts = [member() for _ in range(5)]
    places = [*[WINDOW] * 2, *[Browser(f"10.2.0.{n}", "x") for n in range(3)]]
    runs = [play(one, place) for one, place in zip(accounts, places, strict=True)]
    Run.objects.update(ranked=False, unranked="unqualified")
    attempts_decide(daily, at=LATER)
    seen = "browser_seen"
    assert [standing(run) for run in runs] == [seen, seen, *["ranked"] * 3]


def test_scout_elsewhere_in_the_ipv6_prefix_of_the_household_is_seen(
    daily: Daily,
) -> None:
    eve, scout = person("Eve"), guest_create(at=MORNING)
    other = Browser("2001:db8:1:2::1", "Chrome", "c" * 43)
    start(scout, other)
    own = Browser("2001:db8:1:ff::9", "Firefox", "d" * 43)
    assert start(eve, own, LATER).unranked == "address_seen"
