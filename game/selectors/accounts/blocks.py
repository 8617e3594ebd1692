"""Who does not want to hear whom, nor to be paired with him."""

from collections.abc import Iterable

from django.db.models import Q

from game.models import Block
from game.selectors.accounts import schemas as accounts_schemas
from game.selectors.core.times import as_text


def blocks_show(account_id: str) -> list[accounts_schemas.Block]:
    """The players whom the account has blocked, by name."""
    found = Block.objects.filter(account_id=account_id, blocked__is_active=True)
    rows = found.select_related("blocked").order_by("blocked__name_key")
    return [{"player": row.blocked.name, "since": as_text(row.made_at)} for row in rows]


def unheard_by(account_id: str | None) -> set[str]:
    """The accounts that this one does not hear."""
    if account_id is None:
        return set()
    found = Block.objects.filter(account_id=account_id)
    return set(found.values_list("blocked_id", flat=True))


def deaf_to(speakers: Iterable[str]) -> set[tuple[str, str]]:
    """(listener, speaker) of every block against one of those speakers."""
    found = Block.objects.filter(blocked__in=set(speakers))
    return set(found.values_list("account_id", "blocked_id"))


def kept_apart(accounts: Iterable[str]) -> dict[str, frozenset[str]]:
    """For each of the accounts those among them with whom it is not to be paired."""
    among = set(accounts)
    apart: dict[str, set[str]] = {}
    rows = Block.objects.filter(Q(account__in=among) & Q(blocked__in=among))
    for one, other in rows.values_list("account_id", "blocked_id"):
        apart.setdefault(one, set()).add(other)
        apart.setdefault(other, set()).add(one)
    return {account_id: frozenset(others) for account_id, others in apart.items()}
