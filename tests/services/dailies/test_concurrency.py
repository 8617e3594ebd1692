"""Concurrent and killed processes produce the same rows and the same digest."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection, transaction
from django.utils import timezone

from game.contest.ranked_attempts import MIN_FINISHED_RUNS
from game.models import (
    Account,
    BoardEntry,
    Daily,
    DailyDigest,
    DailyLink,
    Dungeon,
    PointsLine,
    Run,
)
from game.rules import legal_moves
from game.selectors.runs.runs import run_row, run_state
from game.services.accounts.accounts import guest_create
from game.services.accounts.browsers import Browser, browser_record
from game.services.boards.leaderboards import daily_board_update
from game.services.core.errors import ServiceRefusal
from game.services.dailies.attempts import daily_run_start
from game.services.dailies.publish import dailies_publish, daily_choose_step, daily_find
from game.services.dailies.settle import daily_settle
from game.services.maintenance.tick import tick
from game.services.runs.dungeons import dungeon_deck
from game.services.runs.moves.play import move_play
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import person
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member, play_out
from tests.fixtures.threads import at_once, many_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]
THREADS = 8


def test_concurrent_drawing(quick: None, one_ruleset: None) -> None:
    drawn = many_at_once(THREADS, lambda _: dailies_publish(at=MORNING))
    assert sum(drawn) == Daily.objects.count() == 31
    # Many readers choose today's dungeon.
    found = many_at_once(
        THREADS, lambda _: daily_find(on=DAY, ruleset="tavern-1", at=MORNING)
    )
    assert len({daily.dungeon_id for daily in found}) == 1
    assert Dungeon.objects.count() == 1


def test_concurrent_choosing(quick: None, one_ruleset: None) -> None:
    dailies_publish(at=MORNING)
    daily = Daily.objects.get(on=DAY)

    def choose(_: int) -> None:
        while not daily_choose_step(daily.id, at=MORNING):
            pass

    many_at_once(THREADS, choose)
    daily.refresh_from_db()
    assert daily.choice == "planned"
    assert daily.tried == daily.candidate
    assert Dungeon.objects.count() == 1


def test_concurrent_starts_create_one_attempt(daily: Daily) -> None:
    eve = member("Eve")
    begun = many_at_once(
        THREADS,
        lambda _: daily_run_start(account=eve, on=DAY, ruleset="tavern-1", at=MORNING),
    )
    assert len({run.id for run, _ in begun}) == 1
    assert sum(is_new for _, is_new in begun) == 1


def test_concurrent_starts_in_one_browser_are_all_unranked(daily: Daily) -> None:
    """None of them sees the others in time; settling sees them all."""
    accounts = [member() for _ in range(THREADS)]
    browser = Browser("10.0.0.1", "Firefox", "w" * 43)

    def start(number: int) -> None:
        daily_run_start(
            account=accounts[number],
            on=DAY,
            ruleset="tavern-1",
            at=MORNING,
            browser=browser,
        )

    many_at_once(THREADS, start)
    daily_settle(daily.id, at=SETTLES)
    found = Run.objects.values_list("ranked", "unranked").distinct()
    assert list(found) == [(False, "browser_seen")]
    assert not BoardEntry.objects.exists()


def test_concurrent_settling(daily: Daily, played_daily: list[Run]) -> None:
    digests = many_at_once(THREADS, lambda _: daily_settle(daily.id, at=SETTLES))
    assert len({digest for digest in digests if digest}) == 1
    assert DailyDigest.objects.count() == 1
    assert BoardEntry.objects.filter(board__key="daily").count() == 9
    assert daily_settle(daily.id, at=SETTLES) == DailyDigest.objects.get().digest


def test_concurrent_ticks(daily: Daily, played_daily: list[Run]) -> None:
    many_at_once(THREADS, lambda _: tick(at=SETTLES + timedelta(minutes=1)))
    assert DailyDigest.objects.filter(daily=daily).count() == 1
    assert BoardEntry.objects.filter(board__key="daily").count() == 9


def test_concurrent_board_updates(daily: Daily, played_daily: list[Run]) -> None:
    many_at_once(THREADS, lambda _: daily_board_update(daily))
    assert BoardEntry.objects.filter(board__key="daily").count() == 9


def moves_of(run: Run) -> tuple[list[str], list[str]]:
    """The legal moves of a run, and those of them that would end it."""
    run = Run.objects.select_related("account", "dungeon", "daily").get(id=run.id)
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    state = run_state(run_row(run), deck)
    moves = [str(move) for move in legal_moves(state)]
    return moves, [m for m in moves if m[-1] == "b" and state.health <= cost(m)]


def cost(code: str) -> int:
    """What a bare-handed fight costs."""
    return {"T": 10, "J": 11, "Q": 12, "K": 13, "A": 14}.get(code[0]) or int(code[0])


def almost_over() -> tuple[Run, str]:
    """A run of today, at the real clock's time, and a move that ends it."""
    now = timezone.now()
    run, _ = daily_run_start(
        account=member(), on=now.date(), ruleset="tavern-1", at=now
    )
    while True:
        moves, deadly = moves_of(run)
        if deadly:
            return run, deadly[0]
        move_play(
            account_id=run.account_id, run_id=run.id, index=run.index, code=moves[-1]
        )
        run.refresh_from_db()


def test_an_ending_move_and_settling_exclude_each_other(
    quick: None, one_ruleset: None
) -> None:
    run, code = almost_over()
    after = run.started_at + timedelta(days=2)
    if connection.vendor == "postgresql":
        with transaction.atomic():
            answer = move_play(
                account_id=run.account_id, run_id=run.id, index=run.index, code=code
            )
            assert answer["run"]["status"] == "died"
            # The move is not committed yet: settling, elsewhere, stands back.
            assert elsewhere(lambda: daily_settle(str(run.daily_id), at=after)) is None
        assert elsewhere(lambda: daily_settle(str(run.daily_id), at=after))
        assert BoardEntry.objects.get(board__key="daily").run_id == run.id
    else:
        move_play(account_id=run.account_id, run_id=run.id, index=run.index, code=code)
        assert daily_settle(str(run.daily_id), at=after)


def test_a_move_after_settling_changes_nothing(quick: None, one_ruleset: None) -> None:
    run, code = almost_over()
    digest = daily_settle(str(run.daily_id), at=run.started_at + timedelta(days=2))
    with pytest.raises(ServiceRefusal) as refused:
        move_play(account_id=run.account_id, run_id=run.id, index=run.index, code=code)
    assert refused.value.code == "run.over"
    # Even a writer that read the run before it was settled is kept out by the row.
    Run.objects.filter(id=run.id).update(
        status="playing", finished_at=None, score=None, counted_at=None
    )
    with pytest.raises(ServiceRefusal) as refused:
        move_play(account_id=run.account_id, run_id=run.id, index=run.index, code=code)
    assert refused.value.code in ("run.over", "move.outcome_unknown")
    assert DailyDigest.objects.get().digest == digest
    assert Run.objects.get(id=run.id).index == run.index


def elsewhere(work: Callable[[], Any]) -> Any:
    """The work's result, done on another connection."""

    def there() -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(there).result(30)


HOME = Browser("10.0.0.1", "Firefox", "h" * 43)
TABLET = Browser("10.0.0.1", "Chrome", "t" * 43)


def begin(account: Account, browser: Browser) -> Callable[[], Any]:
    """A request that starts the account's attempt in that browser."""
    return lambda: daily_run_start(
        account=account, on=DAY, ruleset="tavern-1", at=MORNING, browser=browser
    )


def familiar(account: Account, browser: Browser) -> Account:
    """The account, used in the browser before today."""
    browser_record(account.id, at=MORNING - timedelta(days=1), **browser._asdict())
    return account


def standings(*accounts: Account) -> list[str]:
    """Why the attempts of the accounts are unranked; "" for a ranked one."""
    runs = dict(Run.objects.values_list("account_id", "unranked"))
    return [runs[account.id] for account in accounts]


def test_linked_accounts_of_one_mailbox_start_at_once(daily: Daily) -> None:
    """By settling, one of them is ranked: the first to be dealt the deck."""
    first = person("One", "ada@example.org")
    second = person("Two", "ada+2@example.org")
    away = TABLET._replace(address="10.9.9.9")
    at_once(begin(first, HOME), begin(second, away))
    daily_settle(daily.id, at=SETTLES)
    assert standings(first, second).count("") <= 1
    assert "mailbox_seen" in standings(first, second)


def test_guest_and_player_of_one_address_start_at_once(daily: Daily) -> None:
    """Neither sees the other in time; settling sees both."""
    eve, guest = familiar(member("Eve"), HOME), guest_create(at=MORNING)
    at_once(begin(eve, HOME), begin(guest, TABLET))
    daily_settle(daily.id, at=SETTLES)
    assert standings(eve) == ["address_seen"]
    assert not BoardEntry.objects.exists()


def test_accounts_that_qualify_by_history_start_at_once(daily: Daily) -> None:
    """Exactly one of an address is ranked, and settling again changes nothing."""
    browsers = [HOME._replace(agent=str(n), cookie=f"{n}" * 43) for n in range(4)]
    accounts = []
    for browser in browsers:
        account = familiar(member(), browser)
        EmailAddress.objects.filter(user=account).update(verified=False)
        for chance in range(MIN_FINISHED_RUNS):
            run = practice_start(account=account, at=MORNING)
            play_out(run, chance=chance, ends_at=MORNING)
        accounts.append(account)
    at_once(*map(begin, accounts, browsers))
    daily_settle(daily.id, at=SETTLES)
    attempts = Run.objects.filter(kind=Run.Kind.DAILY)
    found = list(attempts.order_by("-ranked").values_list("unranked", flat=True))
    assert found == ["", *["history_taken"] * 3]


def test_linked_players_of_two_concurrent_settlements_have_one_group(
    daily: Daily,
) -> None:
    accounts = [familiar(member(), TABLET._replace(agent=str(n))) for n in range(3)]
    for number, account in enumerate(accounts):
        attempt(account, chance=number)
    many_at_once(THREADS, lambda _: daily_settle(daily.id, at=SETTLES))
    assert DailyLink.objects.count() > 0
    rows = list(DailyLink.objects.values_list("group", "account"))
    assert len(rows) == len(set(rows))
    assert set(PointsLine.objects.values_list("points", flat=True)) == {10}
