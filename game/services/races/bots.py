"""House players: three accounts that anybody can race at once, unrated and declared.

They decide by `game.analysis.PLAYERS`, from nothing but what a player may see.
"""

from typing import Final, NamedTuple

from django.db import IntegrityError, transaction

from game.models import Account
from game.services.core.errors import Kind, ServiceRefusal


class HousePlayer(NamedTuple):
    """A house player: the id of its account, its name, the key of how it decides."""

    account_id: str
    name: str
    player: str


HOUSE: Final = (
    HousePlayer("houseplayer00001", "House Rat", "greedy-1"),
    HousePlayer("houseplayer00002", "House Jackal", "mc10-1"),
    HousePlayer("houseplayer00003", "House Fox", "mc50-1"),
)
GHOST: Final = HousePlayer("houseghost000000", "House Ghost", "")
_BY_NAME: Final = {one.name.casefold(): one for one in HOUSE}
PLAYER_OF: Final = {one.account_id: one.player for one in HOUSE}


def house_account(name: str) -> Account:
    """The account of a house player, made when it is first needed.

    Raises race.no_such_house.
    """
    found = _BY_NAME.get(name.casefold())
    if found is None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.no_such_house",
            "There is no house player of that name.",
            {"known": [one.name for one in HOUSE]},
        )
    return account_of(found)


def account_of(house: HousePlayer) -> Account:
    """The account row of a house player or of the ghosts."""
    known = Account.objects.filter(id=house.account_id).first()
    if known is not None:
        return known
    account = Account(id=house.account_id, name=house.name, is_bot=True)
    account.set_unusable_password()
    try:
        with transaction.atomic():
            account.save(force_insert=True)
    except IntegrityError:
        # Made by somebody else just now, or its name is taken by a person.
        made = Account.objects.filter(id=house.account_id).first()
        if made is not None:
            return made
        account.name = f"{house.name} {house.account_id[-2:]}"
        account.save(force_insert=True)
    return account
