"""Block a player: their chat is not delivered, and the two do not race each other.

The blocked player is not notified. Boards, races and results do not change.
"""

from datetime import datetime

from django.db import transaction

from game.models import Account, Block
from game.selectors.accounts.accounts import player_find
from game.services.core.errors import Kind, ServiceRefusal, not_found

MAX_BLOCKS = 200


@transaction.atomic
def block_add(*, account_id: str, name: str, at: datetime) -> Block:
    """Block the player of that name; a repeated call returns the same block.

    Raises player.not_found, block.self, block.too_many.
    """
    other = _player(name, at)
    if other.id == account_id:
        raise ServiceRefusal(Kind.CONFLICT, "block.self", "You cannot block yourself.")
    Account.objects.select_for_update(no_key=True).get(id=account_id)
    own = Block.objects.filter(account_id=account_id)
    known = own.filter(blocked=other).first()
    if known is not None:
        return known
    if own.count() >= MAX_BLOCKS:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "block.too_many",
            f"At most {MAX_BLOCKS} players can be blocked.",
            {"most": MAX_BLOCKS},
        )
    return Block.objects.create(account_id=account_id, blocked=other, made_at=at)


def block_remove(*, account_id: str, name: str, at: datetime) -> None:
    """Unblock the player of that name. Raises player.not_found."""
    Block.objects.filter(account_id=account_id, blocked=_player(name, at)).delete()


def _player(name: str, at: datetime) -> Account:
    player = player_find(name, at=at)
    if player is None:
        raise not_found("player")
    return player
