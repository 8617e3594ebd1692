"""The models of the game, with their database constraints."""

from game.models.accounts.account import Account, OldName
from game.models.accounts.account_mark import AccountMark
from game.models.accounts.banned_name import BannedName
from game.models.accounts.block import Block
from game.models.accounts.browser_mark import BrowserMark
from game.models.accounts.name_keys import name_key, name_skeleton
from game.models.accounts.session import Session
from game.models.accounts.sign_in_place import SignInPlace
from game.models.accounts.token import SCOPES, Token
from game.models.analysis.assessment import Assessment
from game.models.analysis.study import Study
from game.models.boards.leaderboard import (
    ALL_SLOTS,
    BoardBucket,
    BoardEntry,
    Leaderboard,
    PointsLine,
    StreakRow,
)
from game.models.boards.rating import Rating, RatingChange
from game.models.core.ids import new_id
from game.models.core.job import Job
from game.models.core.outage import BridgedDay, Outage, SignOfLife
from game.models.core.rating_pool import RatingPool
from game.models.core.throttle import Throttle
from game.models.dailies.commitment import BeaconRound, Commitment, CommitmentHead
from game.models.dailies.daily import Daily, DailyDigest, EarnedBadge
from game.models.dailies.daily_link import DailyLink
from game.models.dailies.deck_view import DeckMailbox, DeckView
from game.models.moderation.acts import Act, Appeal, Notice
from game.models.moderation.audit import AuditEntry, AuditHead
from game.models.moderation.cases import Case, Flag, Report
from game.models.moderation.filter_word import FilterWord
from game.models.moderation.screening import Screening
from game.models.races.chat import ChatMessage
from game.models.races.leaver_penalty import Abandonment
from game.models.races.match_decline import MatchDecline
from game.models.races.match_ticket import MatchTicket
from game.models.races.race import Entrant, Race, RaceEvent
from game.models.runs.dungeon import Dungeon
from game.models.runs.run import Move, Run

__all__ = [
    "ALL_SLOTS",
    "SCOPES",
    "Abandonment",
    "Account",
    "AccountMark",
    "Act",
    "Appeal",
    "Assessment",
    "AuditEntry",
    "AuditHead",
    "BannedName",
    "BeaconRound",
    "Block",
    "BoardBucket",
    "BoardEntry",
    "BridgedDay",
    "BrowserMark",
    "Case",
    "ChatMessage",
    "Commitment",
    "CommitmentHead",
    "Daily",
    "DailyDigest",
    "DailyLink",
    "DeckMailbox",
    "DeckView",
    "Dungeon",
    "EarnedBadge",
    "Entrant",
    "FilterWord",
    "Flag",
    "Job",
    "Leaderboard",
    "MatchDecline",
    "MatchTicket",
    "Move",
    "Notice",
    "OldName",
    "Outage",
    "PointsLine",
    "Race",
    "RaceEvent",
    "Rating",
    "RatingChange",
    "RatingPool",
    "Report",
    "Run",
    "Screening",
    "Session",
    "SignInPlace",
    "SignOfLife",
    "StreakRow",
    "Study",
    "Throttle",
    "Token",
    "name_key",
    "name_skeleton",
    "new_id",
]
