"""REST views of a race's chat."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.authentication import account_of
from api.rest.core.bodies import Body
from api.rest.core.openapi import problems
from api.rest.core.permissions import READ, AllowAnonymous, SignInRequired
from api.rest.races.views import SINCE, since_of, viewer_of
from game.contest.phrases import PHRASES
from game.models.races.chat import CHAT_LENGTH
from game.selectors.races import schemas as races_schemas
from game.services.core.rate_limits import CHAT_BY_ACCOUNT
from game.services.core.throttles import throttle
from game.services.races.chat import chat_send
from game.services.races.views import race_chat_for


class ChatBody(Body):
    """A message: free text, or a phrase by its key or its words."""

    text = serializers.CharField(max_length=CHAT_LENGTH, trim_whitespace=False)


class RaceChat(APIView):
    """The chat of a race."""

    scopes = {**READ, "POST": "chat"}

    def get_permissions(self) -> list[BasePermission]:
        """Anonymous requests may read; sending needs an account."""
        return [AllowAnonymous() if self.request.method != "POST" else SignInRequired()]

    @extend_schema(
        operation_id="race_chat",
        parameters=[SINCE],
        responses={200: races_schemas.Chat, **problems(401, 403, 404)},
    )
    def get(self, request: Request, race_id: str) -> Response:
        """The messages after number `since` that you may read now."""
        messages = race_chat_for(
            race_id, viewer_of(request), since_of(request), timezone.now()
        )
        return Response({"results": messages, "phrases": dict(PHRASES)})

    @extend_schema(
        operation_id="race_say",
        request=ChatBody,
        responses={201: races_schemas.ChatMessage, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, race_id: str) -> Response:
        """Send a message; while the race runs, entrants can only send fixed phrases."""
        body = ChatBody(data=request.data)
        body.is_valid(raise_exception=True)
        account_id, now = account_of(request).id, timezone.now()
        throttle(CHAT_BY_ACCOUNT, account_id, at=now)
        sent = chat_send(
            account_id=account_id,
            race_id=race_id,
            text=body.validated_data["text"],
            at=now,
        )
        return Response(sent, status=201)
