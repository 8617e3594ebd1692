"""Views for third parties who check the operator: signed heads, and the chain."""

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.openapi import problems
from api.rest.core.permissions import AllowAnonymous
from api.rest.core.renderers import Ndjson
from game.selectors.dailies import schemas as dailies_schemas
from game.services.dailies.fairness import chain_ndjson, fairness_json

AFTER = OpenApiParameter("after", int, required=False)
LIMIT = OpenApiParameter("limit", int, required=False)
MAX_LINES = 500
# The largest number of an entry, 64 bits with a sign, has 19 digits.
_MAX_DIGITS = 18


def _number(request: Request, name: str, default: int) -> int:
    """A number from the query, 0 or more. Raises ParseError."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise ParseError(f"{name} must be a number, 0 or more.")
    return int(text)


class Fairness(APIView):
    """The heads of the chain of commitments and of the audit log."""

    permission_classes = [AllowAnonymous]

    @extend_schema(
        operation_id="fairness",
        responses={200: dailies_schemas.Fairness, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Return both heads with the time, signed by the site's key.

        Keep the response: it proves later which entries were the last at this time.
        """
        return Response(fairness_json(at=timezone.now()))


class FairnessChain(APIView):
    """The chain of commitments."""

    permission_classes = [AllowAnonymous]
    renderer_classes = [Ndjson]

    @extend_schema(
        operation_id="fairness_chain",
        parameters=[AFTER, LIMIT],
        responses={(200, "application/x-ndjson"): str, **problems(401, 403)},
    )
    def get(self, request: Request) -> HttpResponse:
        """Return entries as lines of JSON: {number, text, head, signature}.

        `after` is the number of the last entry that you have, `limit` at most 500.
        Repeat it until the answer is empty. `head` is the SHA-256 of `text`.
        """
        limit = _number(request, "limit", MAX_LINES)
        if not 1 <= limit <= MAX_LINES:
            raise ParseError(f"limit must be a number from 1 to {MAX_LINES}.")
        lines = chain_ndjson(after=_number(request, "after", 0), limit=limit)
        # A `Response` without text would have no Content-Type.
        return HttpResponse(lines, content_type=f"{Ndjson.media_type}; charset=utf-8")
