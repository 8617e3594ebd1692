"""Conflicts of interest: no moderator judges a race, run or daily that they play in."""

from django.db.models import Q

from game.contest.moderation.acts import RULES, ActKind, ActRule, ActTarget
from game.models import Account, Act, Entrant, Run
from game.services.core.errors import Kind, ServiceRefusal


def has_conflict(account_id: str, target: ActTarget, key: str) -> bool:
    """Return whether the account takes part in the target of an act.

    A race, entrant or chat line: it has a seat in the race. A run: it has played the
    same dungeon, has a ranked run of the same daily, or has a seat in the run's race.
    A daily: it has a ranked run of it.
    """
    own = Run.objects.filter(account_id=account_id)
    if target in (ActTarget.RACE, ActTarget.ENTRANT, ActTarget.MESSAGE):
        return _has_seat(account_id, key.partition(":")[0])
    if target is ActTarget.RUN:
        run = Run.objects.filter(id=key).first()
        if run is None:
            return False
        if run.race_id is not None and _has_seat(account_id, run.race_id):
            return True
        same_contest = Q(dungeon_id=run.dungeon_id)
        if run.daily_id is not None:
            same_contest |= Q(daily_id=run.daily_id, ranked=True)
        return own.filter(same_contest).exists()
    if target is ActTarget.DAILY:
        return own.filter(daily_id=key, ranked=True).exists()
    return False


def has_conflict_with(account_id: str, act: Act) -> bool:
    """Return whether the account takes part in the target of this act."""
    return has_conflict(account_id, rule_of(act).target, act.target)


def rule_of(act: Act) -> ActRule:
    """Return the rule of an act; for an inverse, the rule of the act that it undoes."""
    kind = ActKind(act.kind)
    return next(rule for rule in RULES.values() if kind in (rule.kind, rule.inverse))


def require_no_conflict(staff: Account, rule: ActRule, key: str) -> None:
    """Raises act.own_contest."""
    if has_conflict(staff.id, rule.target, key):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "act.own_contest",
            "You take part in that yourself. Another moderator must judge it.",
        )


def _has_seat(account_id: str, race_id: str) -> bool:
    seats = Entrant.objects.filter(race_id=race_id, account_id=account_id)
    return seats.filter(left_at=None).exists()
