"""The whole desk: every table and page is registered by importing it, then the menu."""

from game.admin.accounts import players
from game.admin.boards import results
from game.admin.core import pages
from game.admin.core.site import Place, desk
from game.admin.moderation import acts, audit_log, cases
from game.admin.races import races
from game.admin.runs import runs
from game.contest.moderation.roles import Role

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
    Place("Desk", "index", Role.HELPER),
    Place("Cases", "game_case_changelist", Role.HELPER),
    Place("Acts", "game_act_changelist", Role.HELPER),
    Place("Appeals", "game_appeal_changelist", Role.MODERATOR),
    Place("Players", "game_account_changelist", Role.HELPER),
    Place("Runs", "game_run_changelist", Role.HELPER),
    Place("Races", "game_race_changelist", Role.HELPER),
    Place("Dailies", "game_daily_changelist", Role.MODERATOR),
    Place("Boards", "game_leaderboard_changelist", Role.MODERATOR),
    Place("Ratings", "game_rating_changelist", Role.MODERATOR),
    Place("Shared dungeons", "shared", Role.MODERATOR),
    Place("Words", "words", Role.MODERATOR),
    Place("Log", "game_auditentry_changelist", Role.MODERATOR),
    Place("Jobs", "jobs", Role.MODERATOR),
]
