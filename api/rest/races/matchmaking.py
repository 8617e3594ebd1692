"""REST view of the account's matchmaking ticket."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.authentication import account_of
from api.rest.core.bodies import Body
from api.rest.core.browser_cookie import browser_of
from api.rest.core.openapi import problems
from game.models import MatchTicket, Race
from game.rules import DEFAULT_RULESET, RULESETS
from game.selectors.races import schemas as races_schemas
from game.selectors.races.leaver_penalty import leaver_penalty_show
from game.selectors.races.match_declines import pauses_of
from game.selectors.races.match_tickets import match_json
from game.services.accounts.accounts import account_record_seen
from game.services.core.rate_limits import MATCH_BY_ACCOUNT
from game.services.core.throttles import throttle
from game.services.races.matchmaking import (
    match_offer_accept,
    match_race_bot,
    match_ticket_join,
    match_ticket_leave,
    match_ticket_refresh,
)


class MatchBody(Body):
    """A search; or `accept` to accept an offer, or `house` to race that bot."""

    ruleset = serializers.ChoiceField(choices=list(RULESETS), default=DEFAULT_RULESET)
    format = serializers.ChoiceField(
        choices=Race.Format.choices, default=Race.Format.SCORE
    )
    accept = serializers.BooleanField(default=False)
    house = serializers.CharField(default=None, allow_null=True, max_length=20)


class Matchmaking(APIView):
    """Your ticket in the matchmaking queue."""

    scopes = {"GET": "race", "PUT": "race", "DELETE": "race"}

    @extend_schema(
        operation_id="matchmaking",
        responses={200: races_schemas.Match, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """The state of your search; ask every few seconds, or the ticket is dropped."""
        account_id, now = account_of(request).id, timezone.now()
        return _answer(
            match_ticket_refresh(account_id=account_id, at=now), account_id, now
        )

    @extend_schema(
        operation_id="matchmaking_seek",
        request=MatchBody,
        responses={200: races_schemas.Match, **problems(401, 403, 409)},
    )
    def put(self, request: Request) -> Response:
        """Search for a match, accept the offered one, or race a bot instead."""
        body = MatchBody(data=request.data)
        body.is_valid(raise_exception=True)
        fields: dict[str, Any] = body.validated_data
        account, now = account_of(request), timezone.now()
        account_id = account.id
        throttle(MATCH_BY_ACCOUNT, account_id, at=now)
        account_record_seen(account, browser_of(request), at=now)
        if fields["accept"]:
            ticket = match_offer_accept(account_id=account_id, at=now)
        elif fields["house"] is not None:
            ticket = match_race_bot(
                account_id=account_id, house=fields["house"], at=now
            )
        else:
            ticket = match_ticket_join(
                account_id=account_id,
                ruleset=fields["ruleset"],
                form=fields["format"],
                at=now,
            )
        return _answer(ticket, account_id, now)

    @extend_schema(
        operation_id="matchmaking_leave", responses={204: None, **problems(401, 403)}
    )
    def delete(self, request: Request) -> Response:
        """Leave the queue, or decline the offer."""
        match_ticket_leave(account_id=account_of(request).id, at=timezone.now())
        return Response(status=204)


def _answer(ticket: MatchTicket | None, account_id: str, at: datetime) -> Response:
    pause = pauses_of([account_id], at=at).get(account_id)
    wait = leaver_penalty_show(account_id, at)
    return Response(match_json(ticket, at, wait, pause))
