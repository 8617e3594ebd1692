"""The whole desk: every table and page is registered by importing it, then the menu."""

from game.admin import (
    acts,
    cases,
    housekeeping,
    log,
    players,
    races,
    results,
    runs,
)
from game.admin.site import Place, desk
from game.contest.moderation.roles import Role

__all__ = [
    "acts",
    "cases",
    "desk",
    "housekeeping",
    "log",
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
