"""Becoming a guest, and one's own account."""

from django.contrib.auth import login
from django.middleware.csrf import get_token
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.bodies import EmptyBody
from api.rest.schema import problems
from api.rest.shapes import AccountSerializer
from game.models import Account
from game.selectors.accounts import account_show
from game.services.accounts import guest_create

BACKEND = "django.contrib.auth.backends.ModelBackend"


class GuestSession(APIView):
    """An account without a password, signed in at once."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="session_guest",
        request=EmptyBody,
        responses={
            200: AccountSerializer,
            201: AccountSerializer,
            **problems(400, 403),
        },
    )
    def post(self, request: Request) -> Response:
        """Become a guest: sets the session cookie and the CSRF cookie.

        Whoever is signed in already keeps that account (200 instead of 201).
        """
        EmptyBody(data=request.data).is_valid(raise_exception=True)
        if isinstance(request.user, Account):
            get_token(request)
            return Response(account_show(request.user))
        account = guest_create(at=timezone.now())
        login(request, account, backend=BACKEND)
        return Response(account_show(account), status=201)


class OwnAccount(APIView):
    """The account that is signed in."""

    @extend_schema(
        operation_id="account", responses={200: AccountSerializer, **problems(401)}
    )
    def get(self, request: Request) -> Response:
        """Your own account."""
        assert isinstance(request.user, Account)
        get_token(request)
        return Response(account_show(request.user))
