"""Effects of acts on accounts: restrictions, bans, forced names."""

from datetime import UTC, datetime
from typing import Final

from allauth.usersessions.models import UserSession
from django.db import IntegrityError, transaction

from game.contest.moderation.acts import ActKind, ActState
from game.contest.race import RacePhase, race_phase
from game.models import Account, Act, Entrant, MatchTicket, OldName, Session
from game.selectors.races.loading import race_load
from game.services.accounts.accounts import guest_name
from game.services.accounts.banned_names import banned_names_update
from game.services.accounts.names import name_check_free, names_lock, pending_name_free
from game.services.core.errors import Kind, ServiceRefusal
from game.services.races.commands import race_forfeit, race_leave
from game.services.races.matchmaking import match_ticket_leave

# `banned_until` of an account that is banned permanently.
NO_END: Final = datetime(9999, 12, 31, tzinfo=UTC)


def restrict(act: Act) -> None:
    """Apply a restriction, or end it."""
    assert act.subject_id is not None
    restrictions_refresh(act.subject_id)


def ban(act: Act) -> None:
    """Ban the account and end its sessions.

    A guest keeps the session, which is their only way to sign in and appeal.
    """
    assert act.subject_id is not None
    restrictions_refresh(act.subject_id)
    if not Account.objects.filter(id=act.subject_id, is_guest=True).exists():
        Session.objects.filter(account_id=act.subject_id).delete()
        UserSession.objects.filter(user_id=act.subject_id).delete()


def restrictions_refresh(account_id: str) -> None:
    """Copy the account's ban and cheat mark from its acts in force to its row.

    Every request reads the row; the other restrictions are read from the acts.
    """
    banned_until, marked_at = restrictions_due(account_id)
    Account.objects.filter(id=account_id).update(
        banned_until=banned_until,
        cheat_marked_at=marked_at,
    )
    banned_names_update(account_id, banned_until)


def restrictions_due(account_id: str) -> tuple[datetime | None, datetime | None]:
    """Return `banned_until` and `cheat_marked_at` according to the acts in force."""
    in_force = Act.objects.filter(subject_id=account_id, state=ActState.IN_FORCE)
    bans = in_force.filter(kind=ActKind.BAN).values_list("until", flat=True)
    ends = [until or NO_END for until in bans]
    cheat_mark = in_force.filter(kind=ActKind.MARK_CHEAT).order_by("at").first()
    return max(ends, default=None), cheat_mark.at if cheat_mark else None


def rename(act: Act) -> None:
    """Replace the name by a generated one.

    The old name leads to no profile any more, and nobody can choose it.
    """
    account = Account.objects.get(id=act.subject_id)
    act.facts = {
        "name": account.name,
        "key": account.name_key,
        "skeleton": account.name_skeleton,
    }
    while True:
        account.name, account.renamed_at = guest_name(), None
        try:
            with transaction.atomic():
                account.save(update_fields=["name", "renamed_at"])
        except IntegrityError:
            continue  # the generated name is taken; there are five million others
        break
    OldName.objects.filter(key=act.facts["key"]).delete()
    restrictions_refresh(account.id)


def give_name_back(act: Act) -> None:
    """Restore the old name. Raises name.* if it is not free, act.name_gone."""
    account = Account.objects.get(id=act.subject_id)
    name = act.facts.get("name")
    if name is None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "act.name_gone",
            "The account was deleted, and its old name with it.",
        )
    names_lock()
    name_check_free(name, at=act.changed_at, account_id=account.id)
    pending_name_free(name)
    account.name, account.renamed_at = name, None
    account.save(update_fields=["name", "renamed_at"])
    restrictions_refresh(account.id)


def account_withdraw(account_id: str, kind: ActKind, *, at: datetime) -> int:
    """Take a restricted account out of queues and races; return how many races.

    It leaves races that have not started; a banned account also forfeits its running
    races, so that nobody waits for it. Each race is a separate transaction. A race
    that fails to be left ends by its deadlines.
    """
    if MatchTicket.objects.filter(account_id=account_id).exists():
        match_ticket_leave(account_id=account_id, at=at)
    seats = Entrant.objects.filter(
        account_id=account_id,
        kind=Entrant.Kind.PLAYER,
        left_at=None,
        race__closed_at=None,
        race__cancelled_at=None,
        race__voided_at=None,
    )
    if kind in (ActKind.SUSPEND_RATED, ActKind.MARK_CHEAT):
        seats = seats.filter(race__rated=True)
    withdrawn = 0
    for race_id in list(seats.order_by("race_id").values_list("race_id", flat=True)):
        withdrawn += _withdraw(account_id, race_id, kind, at)
    return withdrawn


def _withdraw(account_id: str, race_id: str, kind: ActKind, at: datetime) -> bool:
    table = race_load(race_id)
    if table is None:
        return False
    is_started = race_phase(table.facts, at) not in (
        RacePhase.OPEN,
        RacePhase.COUNTDOWN,
    )
    if is_started and kind is not ActKind.BAN:
        return False
    withdraw = race_forfeit if is_started else race_leave
    try:
        withdraw(account_id=account_id, race_id=race_id, at=at)
    except ServiceRefusal:  # the race's phase has changed meanwhile
        return False
    return True
