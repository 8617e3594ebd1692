"""The tables of the game, with the laws that the database itself keeps."""

from game.models.account import Account, OldName
from game.models.dungeon import Dungeon
from game.models.identity import new_id
from game.models.run import Move, Run
from game.models.session import Session
from game.models.spelling import name_key, name_skeleton
from game.models.throttle import Throttle
from game.models.token import SCOPES, Token

__all__ = [
    "SCOPES",
    "Account",
    "Dungeon",
    "Move",
    "OldName",
    "Run",
    "Session",
    "Throttle",
    "Token",
    "name_key",
    "name_skeleton",
    "new_id",
]
