"""The whole desk: every table and page is registered by importing it, then the menu."""

from game.admin.accounts import players
from game.admin.boards import results
from game.admin.core import pages
from game.admin.core.site import Place, desk
from game.admin.moderation import acts, audit_log, cases
from game.admin.races import races
from game.admin.runs import runs
from game.contest.moderation.roles import StaffRole

__all__ = [
    "acts",
    "audit_log",
    "cases",
    "desk",
    "pages",
    "players",
    "races",
    "results",
    "runs",
]

desk.places[:] = [
    Place("Desk", "index", StaffRole.HELPER),
    Place("Cases", "game_case_changelist", StaffRole.HELPER),
    Place("Acts", "game_act_changelist", StaffRole.HELPER),
    Place("Appeals", "game_appeal_changelist", StaffRole.MODERATOR),
    Place("Players", "game_account_changelist", StaffRole.HELPER),
    Place("Runs", "game_run_changelist", StaffRole.HELPER),
    Place("Races", "game_race_changelist", StaffRole.HELPER),
    Place("Dailies", "game_daily_changelist", StaffRole.MODERATOR),
    Place("Boards", "game_leaderboard_changelist", StaffRole.MODERATOR),
    Place("Ratings", "game_rating_changelist", StaffRole.MODERATOR),
    Place("Shared dungeons", "shared", StaffRole.MODERATOR),
    Place("Words", "words", StaffRole.MODERATOR),
    Place("Log", "game_auditentry_changelist", StaffRole.MODERATOR),
    Place("Jobs", "jobs", StaffRole.MODERATOR),
]
