"""Blocks another player: his words are not delivered, and nobody pairs the two.

The blocked is not told. Boards, races and results are not touched by it.
"""

from datetime import datetime

from django.db import transaction

from game.models import Account, Block
from game.selectors.accounts.accounts import player_find
from game.services.core.errors import Kind, ServiceRefusal, not_found

MOST = 200


@transaction.atomic
def block_add(*, account_id: str, name: str, at: datetime) -> Block:
    """Block the player of that name; again: the same block.

    Raises player.not_found, block.self, block.too_many.
    """
    other = _player(name, at)
    if other.id == account_id:
        raise ServiceRefusal(Kind.CONFLICT, "block.self", "That is you yourself.")
    Account.objects.select_for_update(no_key=True).get(id=account_id)
    own = Block.objects.filter(account_id=account_id)
    known = own.filter(blocked=other).first()
    if known is not None:
        return known
    if own.count() >= MOST:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "block.too_many",
            f"At most {MOST} players can be blocked.",
            {"most": MOST},
        )
    return Block.objects.create(account_id=account_id, blocked=other, made_at=at)


def block_remove(*, account_id: str, name: str, at: datetime) -> None:
    """Hear the player of that name again. Raises player.not_found."""
    Block.objects.filter(account_id=account_id, blocked=_player(name, at)).delete()


def _player(name: str, at: datetime) -> Account:
    found = player_find(name, at=at)
    if found is None:
        raise not_found("player")
    return found
