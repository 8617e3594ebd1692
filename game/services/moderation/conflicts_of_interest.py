"""Who is a party to a thing: nobody judges a contest that he plays in himself."""

from django.db.models import Q

from game.contest.moderation.acts import RULES, ActKind, ActRule, ActTarget
from game.models import Account, Act, Entrant, Run
from game.services.core.errors import Kind, ServiceRefusal


def is_party(account_id: str, target: ActTarget, key: str) -> bool:
    """Whether the account contests what an act's target names.

    A race, or one of its entrants or chat lines: it has a seat there. A run: it has
    played that dungeon, or sits in that run's race. A daily: it has a ranked run of it.
    """
    own = Run.objects.filter(account_id=account_id)
    if target in (ActTarget.RACE, ActTarget.ENTRANT, ActTarget.MESSAGE):
        return _sits(account_id, key.partition(":")[0])
    if target is ActTarget.RUN:
        run = Run.objects.filter(id=key).first()
        if run is None:
            return False
        if run.race_id is not None and _sits(account_id, run.race_id):
            return True
        is_same = Q(dungeon_id=run.dungeon_id)
        if run.daily_id is not None:
            is_same |= Q(daily_id=run.daily_id, ranked=True)
        return own.filter(is_same).exists()
    if target is ActTarget.DAILY:
        return own.filter(daily_id=key, ranked=True).exists()
    return False


def is_party_to(account_id: str, act: Act) -> bool:
    """The same of what an act was done to."""
    return is_party(account_id, rule_of(act).target, act.target)


def rule_of(act: Act) -> ActRule:
    """The rule of an act, or of the act that it takes back."""
    kind = ActKind(act.kind)
    return next(one for one in RULES.values() if kind in (one.kind, one.inverse))


def not_party(staff: Account, rule: ActRule, key: str) -> None:
    """Raises act.own_contest (403)."""
    if is_party(staff.id, rule.target, key):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "act.own_contest",
            "You play in that yourself: somebody else must judge it.",
        )


def _sits(account_id: str, race_id: str) -> bool:
    seats = Entrant.objects.filter(race_id=race_id, account_id=account_id)
    return seats.filter(left_at=None).exists()
