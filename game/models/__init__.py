"""The tables of the game, with the laws that the database itself keeps."""

from game.models.account import Account, OldName
from game.models.analysis import Assessment
from game.models.ban import BannedName
from game.models.browser import BrowserMark
from game.models.chat import Block, FilterWord
from game.models.daily import Daily, DailyDigest, EarnedBadge
from game.models.dungeon import Dungeon
from game.models.identity import new_id
from game.models.job import Job
from game.models.leaderboard import (
    ALL_SLOTS,
    BoardBucket,
    BoardEntry,
    Leaderboard,
    PointsLine,
    StreakRow,
)
from game.models.moderation import (
    Act,
    Appeal,
    AuditEntry,
    AuditHead,
    Case,
    Flag,
    Notice,
    Report,
    Screening,
)
from game.models.race import ChatMessage, Entrant, Race, RaceEvent
from game.models.rating import MatchTicket, Pool, Rating, RatingChange
from game.models.review import Study
from game.models.run import Move, Run
from game.models.session import Session
from game.models.spelling import name_key, name_skeleton
from game.models.throttle import Throttle
from game.models.token import SCOPES, Token
from game.models.wait import Abandonment, Outage

__all__ = [
    "ALL_SLOTS",
    "SCOPES",
    "Abandonment",
    "Account",
    "Act",
    "Appeal",
    "Assessment",
    "AuditEntry",
    "AuditHead",
    "BannedName",
    "Block",
    "BoardBucket",
    "BoardEntry",
    "BrowserMark",
    "Case",
    "ChatMessage",
    "Daily",
    "DailyDigest",
    "Dungeon",
    "EarnedBadge",
    "Entrant",
    "FilterWord",
    "Flag",
    "Job",
    "Leaderboard",
    "MatchTicket",
    "Move",
    "Notice",
    "OldName",
    "Outage",
    "PointsLine",
    "Pool",
    "Race",
    "RaceEvent",
    "Rating",
    "RatingChange",
    "Report",
    "Run",
    "Screening",
    "Session",
    "StreakRow",
    "Study",
    "Throttle",
    "Token",
    "name_key",
    "name_skeleton",
    "new_id",
]
