"""Views of digests, shares and share images of dailies, and of an account's year."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.authentication import account_of
from api.rest.core.openapi import problems
from api.rest.core.permissions import READ, AllowAnonymous
from api.rest.core.renderers import PlainText, Png
from api.rest.dailies.views import RULESET, daily_now, date_of, ruleset_of
from game.contest.calendar import day_of
from game.selectors.core.numbers import parse_whole
from game.selectors.dailies import schemas as dailies_schemas
from game.selectors.dailies.dailies import year_show
from game.services.core.errors import Kind, ServiceRefusal
from game.services.dailies.share import share_find, share_json
from game.services.dailies.share_image import share_image_get
from game.services.dailies.views import digest_text_find

REVISION = OpenApiParameter("revision", int, required=False)
RUN = OpenApiParameter("run", str, required=False)
YEAR = OpenApiParameter("year", int, required=False)
_FIRST_YEAR, _LAST_YEAR = 2020, 2999


class DailyDigestText(APIView):
    """The canonical text of a settled daily board."""

    permission_classes = [AllowAnonymous]
    renderer_classes = [PlainText]

    @extend_schema(
        operation_id="daily_digest",
        parameters=[RULESET, REVISION],
        responses={
            (200, "text/plain"): str,
            **problems(401, 403, 404, 409),
        },
    )
    def get(self, request: Request, on: str) -> Response:
        """Return the text whose SHA-256 is the published digest."""
        text = request.query_params.get("revision")
        revision = None if text is None else parse_whole(text, at_most=9999)
        if text is not None and revision is None:
            raise ServiceRefusal(
                Kind.MALFORMED,
                "digest.no_such_revision",
                "A revision must be a number such as 1.",
            )
        return Response(
            digest_text_find(
                on=date_of(on, daily_now()),
                ruleset=ruleset_of(request),
                revision=revision,
            )
        )


class DailyShare(APIView):
    """The shareable result of your attempt."""

    scopes = READ

    @extend_schema(
        operation_id="daily_share",
        parameters=[RULESET],
        responses={200: dailies_schemas.Share, **problems(401, 403, 404, 409)},
    )
    def get(self, request: Request, on: str) -> Response:
        """Return a text without spoilers, and the paths of its page and image."""
        now = daily_now()
        return Response(
            share_json(
                account=account_of(request),
                on=date_of(on, now),
                ruleset=ruleset_of(request),
                at=now,
            )
        )


class DailyShareImage(APIView):
    """The share image of a daily, or of an attempt at it."""

    permission_classes = [AllowAnonymous]
    renderer_classes = [Png]

    @extend_schema(
        operation_id="daily_picture",
        parameters=[RULESET, RUN],
        responses={
            (200, "image/png"): OpenApiTypes.BINARY,
            **problems(401, 403, 404),
        },
    )
    def get(self, request: Request, on: str) -> Response:
        """Return a PNG, 1200 by 630; with `run` it shows the result of that attempt."""
        now = daily_now()
        share = share_find(
            on=date_of(on, now),
            ruleset=ruleset_of(request),
            run_id=request.query_params.get("run"),
            at=now,
        )
        answer = Response(share_image_get(share))
        answer["Cache-Control"] = "public, max-age=3600"
        return answer


class DailyYear(APIView):
    """A year of your dailies."""

    scopes = READ

    @extend_schema(
        operation_id="daily_year",
        parameters=[YEAR],
        responses={200: dailies_schemas.Year, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Return your attempts of a year (this year by default), streak and badges."""
        now = daily_now()
        text = request.query_params.get("year", str(day_of(now).year))
        year = parse_whole(text, at_most=_LAST_YEAR)
        if year is None or year < _FIRST_YEAR:
            raise ServiceRefusal(
                Kind.MALFORMED,
                "daily.no_such_year",
                "A year must have four digits, such as 2026.",
            )
        return Response(year_show(account_of(request).id, year, at=now))
