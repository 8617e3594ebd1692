"""Views of reports, appeals, standing and notices. They accept no API tokens."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.authentication import account_of
from api.rest.core.bodies import Body, EmptyBody, Text
from api.rest.core.client_address import client_network
from api.rest.core.openapi import problems
from api.rest.core.permissions import COOKIE_ONLY
from game.contest.moderation.reasons import CaseKind, ReportSource
from game.models.moderation.acts import APPEAL_LENGTH
from game.models.moderation.cases import REPORT_LENGTH
from game.selectors.moderation import schemas as moderation_schemas
from game.selectors.moderation.standing import (
    appeal_show,
    appeals_of,
    report_show,
    reports_of,
    standing_show,
)
from game.services.core.rate_limits import (
    APPEAL_BY_ACCOUNT,
    REPORT_BY_ACCOUNT,
    REPORT_BY_ADDRESS,
)
from game.services.core.throttles import throttle
from game.services.moderation.appeals import appeal_make
from game.services.moderation.notices import notices_mark_seen
from game.services.moderation.reports import ReportRequest, report_make


class ReportBody(Body):
    """A report. `target`: a race id, a run id, or "race:number" of a chat line."""

    player = Text(max_length=64)
    kind = serializers.ChoiceField(choices=list(CaseKind))
    place = serializers.ChoiceField(choices=list(ReportSource))
    target = Text(required=False, allow_blank=True, max_length=40)
    text = Text(required=False, allow_blank=True, max_length=REPORT_LENGTH)


class AppealBody(Body):
    """The id of the sanction, and what is wrong with it."""

    sanction = Text(max_length=16)
    text = Text(max_length=APPEAL_LENGTH)


class Reports(APIView):
    """Your reports of other players."""

    scopes = COOKIE_ONLY

    @extend_schema(
        operation_id="reports",
        responses={200: moderation_schemas.Reports, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """List your reports, newest first."""
        return Response({"results": reports_of(account_of(request).id)})

    @extend_schema(
        operation_id="report_make",
        request=ReportBody,
        responses={201: moderation_schemas.Report, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request) -> Response:
        """Report a player. They are not notified; a moderator reviews the report."""
        body = ReportBody(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(REPORT_BY_ACCOUNT, account.id, at=now)
        throttle(REPORT_BY_ADDRESS, client_network(request), at=now)
        report = report_make(
            reporter=account, request=ReportRequest(**body.validated_data), at=now
        )
        return Response(report_show(report), status=201)


class Appeals(APIView):
    """Your appeals against sanctions."""

    scopes = COOKIE_ONLY
    methods_when_banned = ("GET", "POST")

    @extend_schema(
        operation_id="appeals",
        responses={200: moderation_schemas.Appeals, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """List your appeals, newest first."""
        return Response({"results": appeals_of(account_of(request).id)})

    @extend_schema(
        operation_id="appeal_make",
        request=AppealBody,
        responses={201: moderation_schemas.Appeal, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request) -> Response:
        """Appeal against a sanction, once. Another moderator decides it."""
        body = AppealBody(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(APPEAL_BY_ACCOUNT, account.id, at=now)
        appeal = appeal_make(
            account_id=account.id,
            act_id=body.validated_data["sanction"],
            text=body.validated_data["text"],
            at=now,
        )
        return Response(appeal_show(appeal), status=201)


class OwnStanding(APIView):
    """Your account's standing."""

    scopes = COOKIE_ONLY
    methods_when_banned = ("GET",)

    @extend_schema(
        operation_id="standing",
        responses={200: moderation_schemas.Standing, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Return your sanctions, notices and reports."""
        return Response(standing_show(account_of(request), at=timezone.now()))


class NoticesSeen(APIView):
    """Your notices."""

    scopes = COOKIE_ONLY
    methods_when_banned = ("POST",)

    @extend_schema(
        operation_id="standing_seen",
        request=EmptyBody,
        responses={200: moderation_schemas.Seen, **problems(401, 403)},
    )
    def post(self, request: Request) -> Response:
        """Mark all your notices as seen."""
        EmptyBody(data=request.data).is_valid(raise_exception=True)
        count = notices_mark_seen(account_of(request).id, at=timezone.now())
        return Response({"seen": count})
