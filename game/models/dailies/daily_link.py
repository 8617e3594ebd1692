"""Which ranked players of a settled daily are linked.

The marks by which accounts are linked are deleted later. These rows stay, so that the
points of the daily are the same whenever its board is computed again. They do not say
what the players share.
"""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account
from game.models.dailies.daily import Daily


class DailyLink(models.Model):
    """A player in a group of ranked players of one daily who share a mark.

    Groups are numbered from 0 in each daily. A player can be in several; two players
    are linked if they have a group in common.
    """

    daily = models.ForeignKey(
        Daily, on_delete=models.CASCADE, related_name="links", db_index=False
    )
    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="daily_links"
    )
    group = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["daily", "group", "account"], name="daily_link_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} in group {self.group} of {self.daily_id}"
