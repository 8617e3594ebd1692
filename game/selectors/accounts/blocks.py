"""Blocks between accounts: whose chat is not delivered, and who are not paired."""

from collections.abc import Iterable

from django.db.models import Q

from game.models import Block
from game.selectors.accounts import schemas as accounts_schemas
from game.selectors.core.times import as_text


def blocks_show(account_id: str) -> list[accounts_schemas.Block]:
    """The players whom the account has blocked, by name."""
    blocks = Block.objects.filter(account_id=account_id, blocked__is_active=True)
    rows = blocks.select_related("blocked").order_by("blocked__name_key")
    return [{"player": row.blocked.name, "since": as_text(row.made_at)} for row in rows]


def blocked_by(account_id: str | None) -> set[str]:
    """Return the ids of the accounts that this one has blocked."""
    if account_id is None:
        return set()
    blocks = Block.objects.filter(account_id=account_id)
    return set(blocks.values_list("blocked_id", flat=True))


def blocks_against(accounts: Iterable[str]) -> set[tuple[str, str]]:
    """Return (blocker, blocked) of every block against one of those accounts."""
    blocks = Block.objects.filter(blocked__in=set(accounts))
    return set(blocks.values_list("account_id", "blocked_id"))


def unpairable(accounts: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return, for each account, those among the others it must not be paired with."""
    ids = set(accounts)
    blocks: dict[str, set[str]] = {}
    rows = Block.objects.filter(Q(account__in=ids) & Q(blocked__in=ids))
    for account, other in rows.values_list("account_id", "blocked_id"):
        blocks.setdefault(account, set()).add(other)
        blocks.setdefault(other, set()).add(account)
    return {account_id: frozenset(others) for account_id, others in blocks.items()}
