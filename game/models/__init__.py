"""The tables of the game, with the laws that the database itself keeps."""

from game.models.account import Account, name_key
from game.models.dungeon import Dungeon
from game.models.identity import new_id
from game.models.run import Move, Run
from game.models.session import Session

__all__ = ["Account", "Dungeon", "Move", "Run", "Session", "name_key", "new_id"]
