"""How an account is shown to its owner."""

from typing import Any

from game.models import Account
from game.selectors.times import as_text


def account_show(account: Account) -> dict[str, Any]:
    """An account as its owner sees it."""
    return {
        "id": account.id,
        "name": account.name,
        "is_guest": account.is_guest,
        "is_bot": account.is_bot,
        "preferences": account.preferences,
        "created_at": as_text(account.created_at),
    }
