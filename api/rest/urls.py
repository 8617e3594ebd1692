"""URL patterns of REST version 1."""

from django.urls import URLPattern, URLResolver, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from api.rest.accounts.blocks import Blocks, OneBlock
from api.rest.accounts.players import Player, PlayerRuns
from api.rest.accounts.tokens import OneToken, Tokens
from api.rest.accounts.views import ExportAccount, GuestSession, OwnAccount
from api.rest.analysis.coach import CoachRun, HintRun
from api.rest.analysis.views import ReviewRun, SolveRun, WhatIfRun
from api.rest.boards.views import Leaderboards, OneLeaderboard
from api.rest.core.errors import not_found_view
from api.rest.core.openapi import SchemaView
from api.rest.dailies.fairness import Fairness, FairnessChain
from api.rest.dailies.shares import (
    DailyDigestText,
    DailyShare,
    DailyShareImage,
    DailyYear,
)
from api.rest.dailies.views import (
    Dailies,
    DailyAttempt,
    DailyLeaderboard,
    DailyPractice,
    OneDaily,
)
from api.rest.moderation.views import Appeals, NoticesSeen, OwnStanding, Reports
from api.rest.races.chat import RaceChat
from api.rest.races.matchmaking import Matchmaking
from api.rest.races.player_races import PlayerRaces, PlayerRatings
from api.rest.races.views import (
    ACTS,
    OneRace,
    RaceEvents,
    RaceRematch,
    Races,
)
from api.rest.runs.learning import Lesson, OneExample, RulesGuide
from api.rest.runs.moves import move_view, race_move_view
from api.rest.runs.rulesets import Rulesets, Time
from api.rest.runs.views import AbandonRun, OneRun, ReplayRun, Runs, UndoRun

urlpatterns: list[URLPattern | URLResolver] = [
    # PostgreSQL refuses NUL in text, so no id or name contains one.
    re_path(r"\x00", not_found_view),
    path("session/guest/", GuestSession.as_view(), name="session-guest"),
    path("account/", OwnAccount.as_view(), name="account"),
    path("account/export/", ExportAccount.as_view(), name="account-export"),
    path("account/blocks/", Blocks.as_view(), name="account-blocks"),
    path("account/blocks/<str:name>/", OneBlock.as_view(), name="account-block"),
    path("tokens/", Tokens.as_view(), name="tokens"),
    path("tokens/<str:token_id>/", OneToken.as_view(), name="token"),
    path("players/<str:name>/", Player.as_view(), name="player"),
    path("players/<str:name>/runs/", PlayerRuns.as_view(), name="player-runs"),
    path("players/<str:name>/races/", PlayerRaces.as_view(), name="player-races"),
    path("players/<str:name>/ratings/", PlayerRatings.as_view(), name="player-ratings"),
    path("rulesets/", Rulesets.as_view(), name="rulesets"),
    path("lesson/", Lesson.as_view(), name="lesson"),
    path("rules/", RulesGuide.as_view(), name="rules"),
    path("rules/examples/<str:example>/", OneExample.as_view(), name="example"),
    path("runs/", Runs.as_view(), name="runs"),
    path("runs/<str:run_id>/", OneRun.as_view(), name="run"),
    path("runs/<str:run_id>/moves/", move_view, name="run-moves"),
    path("runs/<str:run_id>/abandon/", AbandonRun.as_view(), name="run-abandon"),
    path("runs/<str:run_id>/undo/", UndoRun.as_view(), name="run-undo"),
    path("runs/<str:run_id>/hint/", HintRun.as_view(), name="run-hint"),
    path("runs/<str:run_id>/coach/", CoachRun.as_view(), name="run-coach"),
    path("runs/<str:run_id>/replay/", ReplayRun.as_view(), name="run-replay"),
    path("runs/<str:run_id>/review/", ReviewRun.as_view(), name="run-review"),
    path("runs/<str:run_id>/what-if/", WhatIfRun.as_view(), name="run-what-if"),
    path("runs/<str:run_id>/solve/", SolveRun.as_view(), name="run-solve"),
    path("dailies/", Dailies.as_view(), name="dailies"),
    path("dailies/year/", DailyYear.as_view(), name="daily-year"),
    path("dailies/<str:on>/", OneDaily.as_view(), name="daily"),
    path("dailies/<str:on>/run/", DailyAttempt.as_view(), name="daily-attempt"),
    path("dailies/<str:on>/practice/", DailyPractice.as_view(), name="daily-practice"),
    path(
        "dailies/<str:on>/leaderboard/",
        DailyLeaderboard.as_view(),
        name="daily-leaderboard",
    ),
    path("dailies/<str:on>/digest/", DailyDigestText.as_view(), name="daily-digest"),
    path("dailies/<str:on>/share/", DailyShare.as_view(), name="daily-share"),
    path("dailies/<str:on>/share.png", DailyShareImage.as_view(), name="daily-picture"),
    path("fairness/", Fairness.as_view(), name="fairness"),
    path("fairness/chain/", FairnessChain.as_view(), name="fairness-chain"),
    path("leaderboards/", Leaderboards.as_view(), name="leaderboards"),
    path("leaderboards/<str:board>/", OneLeaderboard.as_view(), name="leaderboard"),
    path("races/", Races.as_view(), name="races"),
    path("races/<str:race_id>/", OneRace.as_view(), name="race"),
    path("races/<str:race_id>/moves/", race_move_view, name="race-moves"),
    path("races/<str:race_id>/events/", RaceEvents.as_view(), name="race-events"),
    path("races/<str:race_id>/chat/", RaceChat.as_view(), name="race-chat"),
    path("races/<str:race_id>/rematch/", RaceRematch.as_view(), name="race-rematch"),
    *(
        path(f"races/<str:race_id>/{name}/", act.as_view(), name=f"race-{name}")
        for name, act in ACTS.items()
    ),
    path("reports/", Reports.as_view(), name="reports"),
    path("appeals/", Appeals.as_view(), name="appeals"),
    path("standing/", OwnStanding.as_view(), name="standing"),
    path("standing/seen/", NoticesSeen.as_view(), name="standing-seen"),
    path("matchmaking/", Matchmaking.as_view(), name="matchmaking"),
    path("time/", Time.as_view(), name="time"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    re_path(r"^.*$", not_found_view),
]
