"""The admin site with all its pages and its menu. Importing this registers them."""

from game.admin.accounts import players
from game.admin.boards import leaderboards, ratings
from game.admin.core import pages
from game.admin.core.site import MenuItem, admin_site
from game.admin.dailies import dailies
from game.admin.moderation import acts, audit_log, cases, filter_words
from game.admin.races import races
from game.admin.runs import runs
from game.contest.moderation.roles import StaffRole

__all__ = [
    "acts",
    "admin_site",
    "audit_log",
    "cases",
    "dailies",
    "filter_words",
    "leaderboards",
    "pages",
    "players",
    "races",
    "ratings",
    "runs",
]

admin_site.menu_items[:] = [
    MenuItem("Overview", "index", StaffRole.HELPER),
    MenuItem("Cases", "game_case_changelist", StaffRole.HELPER),
    MenuItem("Acts", "game_act_changelist", StaffRole.HELPER),
    MenuItem("Appeals", "game_appeal_changelist", StaffRole.MODERATOR),
    MenuItem("Players", "game_account_changelist", StaffRole.HELPER),
    MenuItem("Runs", "game_run_changelist", StaffRole.HELPER),
    MenuItem("Races", "game_race_changelist", StaffRole.HELPER),
    MenuItem("Dailies", "game_daily_changelist", StaffRole.MODERATOR),
    MenuItem("Boards", "game_leaderboard_changelist", StaffRole.MODERATOR),
    MenuItem("Ratings", "game_rating_changelist", StaffRole.MODERATOR),
    MenuItem("Shared dungeons", "shared", StaffRole.MODERATOR),
    MenuItem("Filtered words", "words", StaffRole.MODERATOR),
    MenuItem("Log", "game_auditentry_changelist", StaffRole.MODERATOR),
    MenuItem("Jobs", "jobs", StaffRole.MODERATOR),
]
