"""Records abandoned rated races and blocks further rated races for a while.

`game.contest.leaver_penalty` has the grades and their decay. Each check reads the
abandonments that count, so an outage or excuse recorded later lifts a penalty at once.
"""

from datetime import datetime, timedelta

from game.contest.leaver_penalty import is_abandonment, should_flag
from game.contest.moderation.reasons import FlagKind
from game.models import Abandonment, Entrant, Race
from game.selectors.races.leaver_penalty import (
    PENALTY_CODE,
    counted_abandonments,
    leaver_penalty_show,
)
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.flags import flag_raise


def require_no_leaver_penalty(account_id: str, *, at: datetime) -> None:
    """Raises race.wait with {until, retry_after_s, reason, race, grade, grades}."""
    penalty = leaver_penalty_show(account_id, at)
    if penalty is None:
        return
    raise ServiceRefusal(
        Kind.CONFLICT,
        PENALTY_CODE,
        f"{penalty['reason']} You may join rated races again in"
        f" {_format_duration(penalty['retry_after_s'])}.",
        {name: value for name, value in penalty.items() if name != "code"},
    )


def _format_duration(seconds: int) -> str:
    """Minutes, hours or days in words, rounded up."""
    minutes = -(-seconds // 60)
    hours = -(-minutes // 60)
    if minutes < 100:
        count, unit = minutes, "minute"
    elif hours < 48:
        count, unit = hours, "hour"
    else:
        count, unit = -(-hours // 24), "day"
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def abandonment_record(
    race: Race,
    entrant: Entrant,
    state: str,
    *,
    idle: timedelta,
    are_others_playing: bool,
) -> None:
    """Record an abandonment if the ended run was one, and flag repeated ones.

    Call it under the race's lock, with the run ended. An account is flagged at most
    once a day.
    """
    is_rated_player = race.rated and entrant.kind == Entrant.Kind.PLAYER
    run = entrant.run
    if not is_rated_player or run is None or run.finished_at is None:
        return
    if not is_abandonment(state, idle=idle, are_others_playing=are_others_playing):
        return
    _record(entrant.account_id, race, how=state, at=run.finished_at)


def countdown_leave_record(race: Race, entrant: Entrant, *, at: datetime) -> None:
    """Record that the entrant left a rated race in its countdown."""
    _record(entrant.account_id, race, how=Abandonment.How.LEFT, at=at)


def _record(account_id: str, race: Race, *, how: str, at: datetime) -> None:
    Abandonment.objects.get_or_create(
        account_id=account_id, race=race, defaults={"how": how, "at": at}
    )
    lately = counted_abandonments(account_id, at).values_list("at", "race_id")
    if should_flag((when for when, _ in lately), at):
        flag_raise(
            subject_id=account_id,
            kind=FlagKind.MASS_FORFEITS,
            key=f"{at:%Y-%m-%d}",
            evidence={"races": [race_id for _, race_id in lately]},
            at=at,
        )


def abandonment_excuse(*, account_id: str, race_id: str, at: datetime) -> bool:
    """Exclude an abandonment from penalties; whether there was one."""
    abandonments = Abandonment.objects.filter(
        account_id=account_id, race_id=race_id, excused_at=None
    )
    return bool(abandonments.update(excused_at=at))
