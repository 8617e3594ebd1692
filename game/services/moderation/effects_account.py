"""Acts on accounts: what bars them, bans, new names; and back.

`standing_refresh` writes what the hot paths ask of an account, from the acts in force.
"""

from datetime import UTC, datetime
from typing import Final

from allauth.usersessions.models import UserSession
from django.db import IntegrityError, transaction

from game.contest.moderation.acts import ActKind, ActState
from game.contest.race import RacePhase, race_phase
from game.models import Account, Act, Entrant, MatchTicket, OldName, Session
from game.selectors.races.tables import race_table
from game.services.accounts.accounts import guest_name
from game.services.accounts.banned_names import banned_names_until
from game.services.accounts.names import name_free
from game.services.core.errors import Kind, ServiceRefusal
from game.services.moderation.effect_context import Effected
from game.services.races.commands import race_forfeit, race_leave
from game.services.races.matchmaking import match_leave

FOR_GOOD: Final = datetime(9999, 12, 31, tzinfo=UTC)


def standing(it: Effected) -> None:
    """A bar, or its end: the acts in force say it."""
    assert it.act.subject_id is not None
    standing_refresh(it.act.subject_id)


def ban(it: Effected) -> None:
    """No more access: sessions end. A guest's stays, or he could never appeal."""
    assert it.act.subject_id is not None
    standing_refresh(it.act.subject_id)
    if not Account.objects.filter(id=it.act.subject_id, is_guest=True).exists():
        Session.objects.filter(account_id=it.act.subject_id).delete()
        UserSession.objects.filter(user_id=it.act.subject_id).delete()


def standing_refresh(account_id: str) -> None:
    """Write the account's row anew from its acts in force."""
    banned_until, marked_at = row_due(account_id)
    Account.objects.filter(id=account_id).update(
        banned_until=banned_until,
        cheat_marked_at=marked_at,
    )
    banned_names_until(account_id, banned_until)


def row_due(account_id: str) -> tuple[datetime | None, datetime | None]:
    """Until when the account is banned and since when marked, by its acts in force."""
    in_force = Act.objects.filter(subject_id=account_id, state=ActState.IN_FORCE)
    bans = in_force.filter(kind=ActKind.BAN).values_list("until", flat=True)
    ends = [until or FOR_GOOD for until in bans]
    marked = in_force.filter(kind=ActKind.MARK_CHEAT).order_by("at").first()
    return max(ends, default=None), marked.at if marked else None


def rename(it: Effected) -> None:
    """Give a name of the house's; the old one leads nowhere and is nobody's."""
    account = Account.objects.get(id=it.act.subject_id)
    it.act.facts = {
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
            continue  # that name is somebody's; there are five million others
        break
    # It may not come back as an old name that leads to the account.
    OldName.objects.filter(key=it.act.facts["key"]).delete()
    standing_refresh(account.id)


def rename_back(it: Effected) -> None:
    """Give the old name back, if it is free. Raises name.*, act.name_gone."""
    account = Account.objects.get(id=it.act.subject_id)
    name = it.act.facts.get("name")
    if name is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "act.name_gone", "The account has left, and its name too."
        )
    name_free(name, at=it.at, account_id=account.id)
    account.name, account.renamed_at = name, None
    account.save(update_fields=["name", "renamed_at"])
    standing_refresh(account.id)


def account_withdraw(account_id: str, kind: ActKind, *, at: datetime) -> int:
    """Take who was barred out of queues and of races not begun; how many races.

    Who was banned gives up those that run: nobody waits for him. Each by a transaction
    of its own, after the act's; what fails stays with the clock.
    """
    if MatchTicket.objects.filter(account_id=account_id).exists():
        match_leave(account_id=account_id)
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
    done = 0
    for race_id in list(seats.order_by("race_id").values_list("race_id", flat=True)):
        done += _withdraw(account_id, race_id, kind, at)
    return done


def _withdraw(account_id: str, race_id: str, kind: ActKind, at: datetime) -> bool:
    table = race_table(race_id)
    if table is None:
        return False
    stands = race_phase(table.facts, at)
    act = (
        race_leave if stands in (RacePhase.OPEN, RacePhase.COUNTDOWN) else race_forfeit
    )
    if act is race_forfeit and kind is not ActKind.BAN:
        return False
    try:
        act(account_id=account_id, race_id=race_id, at=at)
    except ServiceRefusal:  # the race went on meanwhile
        return False
    return True
