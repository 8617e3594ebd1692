"""The accounts of bots: three opponents for unrated races, and the account of ghosts.

`game.analysis.players` has how they choose moves, from what a player may see.
"""

from typing import Final, NamedTuple

from django.db import IntegrityError, transaction

from game.models import Account
from game.services.core.errors import Kind, ServiceRefusal


class Bot(NamedTuple):
    """A bot: its account's id and name, and its key in `game.analysis.PLAYERS`."""

    account_id: str
    name: str
    player: str


BOTS: Final = (
    Bot("houseplayer00001", "House Rat", "greedy-1"),
    Bot("houseplayer00002", "House Jackal", "mc10-1"),
    Bot("houseplayer00003", "House Fox", "mc50-1"),
)
GHOST_BOT: Final = Bot("houseghost000000", "House Ghost", "")
_BY_NAME: Final = {bot.name.casefold(): bot for bot in BOTS}
PLAYER_KEYS: Final = {bot.account_id: bot.player for bot in BOTS}


def bot_account(name: str) -> Account:
    """The account of the bot of that name, created on first use.

    Raises race.no_such_house.
    """
    bot = _BY_NAME.get(name.casefold())
    if bot is None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.no_such_house",
            "There is no bot of that name.",
            {"known": [bot.name for bot in BOTS]},
        )
    return account_get_or_create(bot)


def account_get_or_create(bot: Bot) -> Account:
    """The account of a bot or of the ghosts, created on first use."""
    existing = Account.objects.filter(id=bot.account_id).first()
    if existing is not None:
        return existing
    account = Account(id=bot.account_id, name=bot.name, is_bot=True)
    account.set_unusable_password()
    try:
        with transaction.atomic():
            account.save(force_insert=True)
    except IntegrityError:
        # Either another process created it just now, or a person has taken the name.
        created = Account.objects.filter(id=bot.account_id).first()
        if created is not None:
            return created
        account.name = f"{bot.name} {bot.account_id[-2:]}"
        account.save(force_insert=True)
    return account
