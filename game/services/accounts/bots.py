"""Turns an account into a bot account, for accounts that a program plays.

It is possible at any time and cannot be undone. `accounts.account_change` calls these
functions in order.
"""

from datetime import datetime

from game.contest.ranking import BoardPool
from game.models import Account, Entrant, Rating, Run
from game.services.boards.entries import board_get_or_create, entries_delete
from game.services.boards.leaderboards import daily_board_correct
from game.services.boards.records import streaks_recompute
from game.services.core.errors import Kind, ServiceRefusal
from game.services.races.commands import race_leave
from game.services.races.matchmaking import match_ticket_leave
from game.services.runs.daily_lock import daily_lock_shared
from game.services.runs.programs import runs_mark_bots, runs_unsettled


def bot_change_check(account_id: str, *, is_bot: bool) -> bool:
    """Whether the account becomes a bot account by this.

    Raises account.guest, account.bot_for_good.
    """
    account = Account.objects.get(id=account_id)
    if is_bot == account.is_bot:
        return False
    if not is_bot:
        raise ServiceRefusal(
            Kind.CONFLICT, "account.bot_for_good", "A bot account stays a bot account."
        )
    if account.is_guest:
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "account.guest",
            "Sign up before you turn the account into a bot account.",
        )
    return True


def races_of_people_leave(account_id: str, *, at: datetime) -> None:
    """Leave the search for a match and the rated races that have not started.

    Each is left in a separate transaction: a race is never locked under an account's
    lock.
    """
    match_ticket_leave(account_id=account_id, at=at)
    waiting = Entrant.objects.filter(
        account_id=account_id,
        left_at=None,
        race__rated=True,
        race__starts_at=None,
        race__cancelled_at=None,
    )
    for race_id in list(waiting.values_list("race_id", flat=True)):
        try:
            race_leave(account_id=account_id, race_id=race_id, at=at)
        except ServiceRefusal:
            # It has begun or ended meanwhile; its settlement marks the bot's run.
            continue


def account_set_bot(account: Account, *, at: datetime) -> None:
    """Make the locked account a bot's; the caller saves it in the same transaction.

    Runs that are not settled are ranked among bots from now on; settled ones keep their
    pool. The streak begins anew among bots, and the account leaves the rating board of
    people at the next tick.
    """
    account.is_bot = True
    Account.objects.filter(id=account.id).update(is_bot=True)
    attempts = Run.objects.filter(
        account=account, kind=Run.Kind.DAILY, daily__settled_at=None
    ).order_by("daily_id")
    # Before the runs are locked: a daily must not be settled meanwhile.
    for daily_id in list(attempts.values_list("daily_id", flat=True)):
        if daily_id is not None:
            daily_lock_shared(daily_id)
    runs_mark_bots(runs_unsettled(account.id))
    ended = attempts.filter(ranked=True, voided_at=None, finished_at__isnull=False)
    for run in ended.select_related("daily"):
        assert run.daily is not None
        daily_board_correct(run.daily, [run])
    entries_delete(board_get_or_create("streak", BoardPool.PEOPLE), [account.id])
    streaks_recompute(BoardPool.BOTS, [account.id])
    # Rating boards are updated by `changed_at`.
    Rating.objects.filter(account=account).update(changed_at=at)
