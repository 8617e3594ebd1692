"""Signs of life: which kind of process this is, and when each kind last signed.

`services/runs/outages` writes the signs and records the outages that they show.
"""

from datetime import datetime

from django.db.models import Max

from game.contest.outages import ProcessRole
from game.models import SignOfLife

_roles = [ProcessRole.WORKER]


def current_role() -> ProcessRole:
    """What kind of process this is."""
    return _roles[0]


def become_web_process() -> None:
    """Say that this process serves requests. Call it once, at the first one."""
    _roles[0] = ProcessRole.WEB


def last_signs() -> dict[ProcessRole, datetime]:
    """When each kind of process last signed."""
    rows = SignOfLife.objects.values_list("role", "signed_at")
    return {ProcessRole(role): signed_at for role, signed_at in rows}


def time_not_set_back(at: datetime) -> datetime:
    """The time, or the latest one ever signed if that is later.

    For the calendar of dailies: a day that has closed stays closed when the clock of
    the server is set back.
    """
    latest = SignOfLife.objects.aggregate(latest=Max("latest_at"))["latest"]
    return at if latest is None else max(at, latest)
