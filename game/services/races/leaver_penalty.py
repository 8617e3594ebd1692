"""Records abandoned rated races and blocks further rated races for a while.

`game.contest.leaver_penalty` has the grades and their decay. Each check
reads the abandonments that count, so that an outage or excuse recorded later lifts a
penalty at once.
"""

from datetime import datetime, timedelta

from game.contest.leaver_penalty import is_abandonment, should_flag
from game.contest.moderation.reasons import FlagKind
from game.models import Abandonment, Entrant, Outage, Race
from game.selectors.races.leaver_penalty import WAIT_CODE, leavings_of, wait_show
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.flags import flag_raise
from game.services.core.jobs import job_last_began

# The tick comes each 15 s; after so long without one the server was not there.
SILENT_FOR = timedelta(seconds=90)
TICK = "outages_noted"
KEPT_FOR = timedelta(days=90)


def wait_refuse(account_id: str, *, at: datetime) -> None:
    """Raises race.wait ({until, retry_after_s, reason, grade, ...}) while one waits."""
    wait = wait_show(account_id, at)
    if wait is None:
        return
    raise ServiceRefusal(
        Kind.CONFLICT,
        WAIT_CODE,
        f"{wait['reason']} You may race for a rating again in"
        f" {_in_words(wait['retry_after_s'])}.",
        {name: value for name, value in wait.items() if name != "code"},
    )


def _in_words(seconds: int) -> str:
    """A wait as people say it, rounded up."""
    minutes = -(-seconds // 60)
    if minutes < 100:
        return f"{minutes} minutes"
    hours = -(-minutes // 60)
    return f"{hours} hours" if hours < 48 else f"{-(-hours // 24)} days"


def leaving_note(
    race: Race, one: Entrant, state: str, *, idle: timedelta, others_playing: bool
) -> None:
    """Note that an entrant's run was broken off, if that was leaving a rated race.

    Called under the race's lock, with the run ended. Whoever leaves again and again is
    flagged, once a day.
    """
    rated_person = race.rated and one.kind == Entrant.Kind.PLAYER
    if not rated_person or one.run is None or one.run.finished_at is None:
        return
    if not is_abandonment(state, idle=idle, others_playing=others_playing):
        return
    at = one.run.finished_at
    Abandonment.objects.get_or_create(
        account_id=one.account_id, race=race, defaults={"how": state, "at": at}
    )
    lately = leavings_of(one.account_id, at).values_list("at", "race_id")
    if should_flag((when for when, _ in lately), at):
        flag_raise(
            subject_id=one.account_id,
            kind=FlagKind.MASS_FORFEITS,
            key=f"{at:%Y-%m-%d}",
            evidence={"races": [race_id for _, race_id in lately]},
            at=at,
        )


def leaving_excuse(*, account_id: str, race_id: str, at: datetime) -> bool:
    """Have a leaving count no longer; whether there was one. Staff's."""
    found = Abandonment.objects.filter(
        account_id=account_id, race_id=race_id, excused_at=None
    )
    return bool(found.update(excused_at=at))


def outages_note(*, at: datetime) -> int:
    """Note the silence since the last tick, if it was one; how many were noted.

    Nothing ends by time while no tick comes, so whoever was cut off by the silence has
    it within his race.
    """
    Outage.objects.filter(ended_at__lte=at - KEPT_FOR).delete()
    last = job_last_began(TICK)
    if last is None or at - last < SILENT_FOR:
        return 0
    outage_note(began_at=last, ended_at=at, note="no tick")
    return 1


def outage_note(*, began_at: datetime, ended_at: datetime, note: str = "") -> Outage:
    """Note that the server was at fault for that while."""
    return Outage.objects.create(began_at=began_at, ended_at=ended_at, note=note)
