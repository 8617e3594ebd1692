"""Views of races: list, create, read, and one for each command of the websocket.

Moves are in `api.rest.runs.moves`. Anonymous viewers who know a race's id may watch it.
"""

from collections.abc import Callable
from types import SimpleNamespace

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.generics import GenericAPIView
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.authentication import account_of
from api.rest.core.bodies import Body, EmptyBody
from api.rest.core.browser_cookie import browser_of
from api.rest.core.openapi import problems
from api.rest.core.pagination import CURSOR, LIMIT, CursorPage
from api.rest.core.permissions import READ, AllowAnonymous, SignInRequired
from game.models import Account, Race
from game.models.races.race import SEATS, TIME_LIMIT_S
from game.rules import DEFAULT_RULESET, RULESETS
from game.selectors.core.numbers import parse_whole
from game.selectors.races import schemas as races_schemas
from game.selectors.races.lobby import lobby_races, lobby_show
from game.selectors.races.snapshots import Viewer
from game.services.accounts.accounts import account_record_seen
from game.services.core.rate_limits import RACE_ACT_BY_ACCOUNT, RACE_BY_ACCOUNT
from game.services.core.throttles import throttle
from game.services.races.commands import (
    race_forfeit,
    race_join,
    race_leave,
    race_ready,
    race_remove,
    race_start,
    race_unforfeit,
    race_unready,
)
from game.services.races.create import RaceTerms, race_make, race_rematch
from game.services.races.early_close import race_close_early
from game.services.races.presence import presence_poll
from game.services.races.spectators import spectator_counts
from game.services.races.views import (
    race_events_for,
    race_snapshot,
)

RACE = {"POST": "race"}
_LARGEST_SINCE = 2_000_000_000


class RaceBody(Body):
    """The terms of a new race; `house` names a bot, `ghost` a revealed run."""

    ruleset = serializers.ChoiceField(choices=list(RULESETS), default=DEFAULT_RULESET)
    difficulty = serializers.CharField(default="normal", max_length=16)
    format = serializers.ChoiceField(
        choices=Race.Format.choices, default=Race.Format.SCORE
    )
    seats = serializers.IntegerField(
        default=SEATS[0], min_value=SEATS[0], max_value=SEATS[1]
    )
    time_limit_s = serializers.IntegerField(
        default=600, min_value=TIME_LIMIT_S[0], max_value=TIME_LIMIT_S[1]
    )
    visibility = serializers.ChoiceField(
        choices=Race.Visibility.choices, default=Race.Visibility.PUBLIC
    )
    rated = serializers.BooleanField(default=False)
    house = serializers.CharField(default=None, allow_null=True, max_length=20)
    ghost = serializers.CharField(default=None, allow_null=True, max_length=32)
    ready = serializers.BooleanField(default=False)


class AcceptHeaderNegotiation(DefaultContentNegotiation):
    """Negotiation by the Accept header only; `?format=` filters races here."""

    settings = SimpleNamespace(URL_FORMAT_OVERRIDE="")  # type: ignore[assignment]


class LobbyPage(CursorPage):
    """Pages of the lobby: the newest race of each host, then their second ones."""

    time_field, rank_field = "made_at", "nth_of_host"


def viewer_of(request: Request) -> Viewer:
    """The viewer of the request, signed in or anonymous."""
    user = request.user
    return Viewer(user.id if isinstance(user, Account) else None)


def since_of(request: Request) -> int:
    """The `since` parameter; 0 if absent. Raises ParseError."""
    text = request.query_params.get("since", "0")
    since = parse_whole(text, at_most=_LARGEST_SINCE)
    if since is None:
        raise exceptions.ParseError("since must be a whole number from 0.")
    return since


SINCE = OpenApiParameter("since", int, required=False)


class Races(GenericAPIView[Race]):
    """The lobby, and creating a race."""

    scopes = {**READ, **RACE}
    content_negotiation_class = AcceptHeaderNegotiation
    pagination_class = LobbyPage
    queryset = Race.objects.all()

    def get_permissions(self) -> list[BasePermission]:
        """Anonymous requests may read; creating a race needs an account."""
        return [AllowAnonymous() if self.request.method != "POST" else SignInRequired()]

    @extend_schema(
        operation_id="races",
        parameters=[
            OpenApiParameter("ruleset", enum=list(RULESETS), required=False),
            OpenApiParameter("format", enum=Race.Format.values, required=False),
            CURSOR,
            LIMIT,
        ],
        responses={200: races_schemas.LobbyRacePage, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Public races that are open or running: the newest of each host first, then
        their second ones. An account hosts at most three open races.
        """
        now, query = timezone.now(), request.query_params
        terms = {name: query[name] for name in ("ruleset", "format") if name in query}
        page = self.paginate_queryset(lobby_races(now, **terms)) or []
        return self.get_paginated_response(
            lobby_show(page, now, spectator_counts.count)
        )

    @extend_schema(
        operation_id="race_make",
        request=RaceBody,
        responses={201: races_schemas.Race, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request) -> Response:
        """Create a race with you as host and first entrant."""
        body = RaceBody(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(RACE_BY_ACCOUNT, account.id, at=now)
        account_record_seen(account, browser_of(request), at=now)
        result = race_make(
            account_id=account.id, terms=RaceTerms(**body.validated_data), at=now
        )
        snapshot = race_snapshot(result["race_id"], viewer_of(request), now)
        return Response(snapshot, status=201)


class OneRace(APIView):
    """A race as you may see it."""

    permission_classes = [AllowAnonymous]
    scopes = READ

    @extend_schema(
        operation_id="race",
        responses={200: races_schemas.Race, **problems(401, 403, 404)},
    )
    def get(self, request: Request, race_id: str) -> Response:
        """The race now, with the number of its last event and your own run."""
        viewer, now = viewer_of(request), timezone.now()
        presence_poll(race_id=race_id, account_id=viewer.account_id, at=now)
        return Response(race_snapshot(race_id, viewer, now))


class RaceEvents(APIView):
    """The events of a race."""

    permission_classes = [AllowAnonymous]
    scopes = READ

    @extend_schema(
        operation_id="race_events",
        parameters=[SINCE],
        responses={200: races_schemas.RaceEvents, **problems(401, 403, 404)},
    )
    def get(self, request: Request, race_id: str) -> Response:
        """The events after number `since` as you may see them now."""
        viewer, since, now = viewer_of(request), since_of(request), timezone.now()
        presence_poll(race_id=race_id, account_id=viewer.account_id, at=now)
        events = race_events_for(race_id, since, viewer, now)
        return Response({"results": events})


Act = Callable[..., races_schemas.RaceDone]


class RaceAct(APIView):
    """A command; `act` is the service, set in the subclasses."""

    scopes = RACE
    act: Act

    body: type[Body] = EmptyBody

    def execute(self, request: Request, race_id: str) -> races_schemas.RaceDone:
        """Run the command and return the service's result."""
        body = self.body(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(RACE_ACT_BY_ACCOUNT, account.id, at=now)
        account_record_seen(account, browser_of(request), at=now)
        service: Act = type(self).act
        return service(
            account_id=account.id, race_id=race_id, at=now, **body.validated_data
        )


def _act(
    name: str, service: Act, says: str, body: type[Body] = EmptyBody
) -> type[RaceAct]:
    """The view of one command; its response is the race after it."""

    @extend_schema(
        operation_id=f"race_{name}",
        request=body,
        description=says,
        responses={200: races_schemas.Race, **problems(401, 403, 404, 409)},
    )
    def post(self: RaceAct, request: Request, race_id: str) -> Response:
        self.execute(request, race_id)
        return Response(race_snapshot(race_id, viewer_of(request), timezone.now()))

    fields = {"post": post, "act": staticmethod(service), "body": body, "__doc__": says}
    return type(f"Race{name.title()}", (RaceAct,), fields)


ACTS: dict[str, type[RaceAct]] = {
    name: _act(name, service, says)
    for name, service, says in (
        ("join", race_join, "Take a seat in an open race."),
        (
            "leave",
            race_leave,
            (
                "Give up your seat before the start. In the countdown of a rated race"
                " this counts as abandoning it."
            ),
        ),
        (
            "ready",
            race_ready,
            "Mark yourself ready; when all are, the countdown begins.",
        ),
        ("unready", race_unready, "Mark yourself not ready."),
        ("start", race_start, "Begin the countdown, as the host."),
        ("forfeit", race_forfeit, "Give up; takes effect after five seconds."),
        ("unforfeit", race_unforfeit, "Cancel a forfeit within five seconds."),
        (
            "close",
            race_close_early,
            (
                "End a score race once your own run has ended and everybody who still"
                " races has been away for a minute. They keep their score so far."
            ),
        ),
    )
}


class RemoveBody(Body):
    """Whom the host removes, by seat."""

    seat = serializers.IntegerField(min_value=1, max_value=1000)


ACTS["remove"] = _act(
    "remove",
    race_remove,
    "Remove an entrant before the start, as the host. They cannot join again.",
    RemoveBody,
)


class RaceRematch(RaceAct):
    """The rematch of a race."""

    act = staticmethod(race_rematch)

    @extend_schema(
        operation_id="race_rematch",
        request=EmptyBody,
        responses={200: races_schemas.RaceDone, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, race_id: str) -> Response:
        """Create or join the rematch of a finished race."""
        return Response(self.execute(request, race_id))
