"""Effects of acts on a day: it breaks no streak, of any ruleset."""

from datetime import date, timedelta

from game.contest.ranking import BoardPool
from game.models import Act, BridgedDay, StreakRow
from game.services.boards.records import streaks_recompute
from game.services.moderation.effects_run import daily_get


def bridge(act: Act) -> None:
    """Let the day of the daily break no streak. Raises daily.not_found."""
    on = daily_get(act.target).on
    BridgedDay.objects.get_or_create(on=on, source=act.id)
    _recompute_streaks(on)


def unbridge(act: Act) -> None:
    """Let the day break streaks again, unless an outage or another act bridges it."""
    BridgedDay.objects.filter(source=act.id).delete()
    _recompute_streaks(daily_get(act.target).on)


def _recompute_streaks(on: date) -> None:
    """Build the stored streaks that were played after that day again."""
    later = StreakRow.objects.filter(last_on__gt=on - timedelta(days=2))
    rows = later.order_by("account_id").values_list("account_id", "account__is_bot")
    for pool in BoardPool:
        is_bots = pool is BoardPool.BOTS
        accounts = [account for account, is_bot in rows if is_bot is is_bots]
        streaks_recompute(pool, accounts)
