"""The addresses under /_allauth/: ours first, then allauth's, all behind the door."""

from allauth.headless.account.inputs import (
    ChangePasswordInput,
    LoginInput,
    ResetPasswordInput,
    SignupInput,
)
from allauth.headless.constants import Client
from allauth.headless.urls import urlpatterns as allauth_patterns
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, URLResolver, path, re_path

from api.rest.accounts.sign_in.guard import View, behind_door, guard
from api.rest.accounts.sign_in.views import ResetView, SignUpView

# A password is what was typed, its first and last space too; allauth would cut them.
for _asked in (SignupInput, LoginInput, ResetPasswordInput, ChangePasswordInput):
    for _name, _field in _asked.base_fields.items():
        if _name.endswith("password"):
            _field.strip = False


def nothing_here(request: HttpRequest) -> HttpResponse:
    """What no address of allauth's answers to."""
    return JsonResponse({"status": 404}, status=404)


app_name = "headless"  # as allauth's own module says, whose place this takes


def _ours(view: type[SignUpView] | type[ResetView]) -> View:
    return behind_door(view.as_api_view(client=Client.BROWSER))


urlpatterns: list[URLPattern | URLResolver] = [
    path("browser/v1/auth/signup", _ours(SignUpView)),
    path("browser/v1/auth/password/reset", _ours(ResetView)),
    # Nobody has a phone here, and allauth's views of it fall over that.
    re_path(r"^browser/v1/(?:account/phone|auth/phone/.*)$", nothing_here),
    *guard(allauth_patterns),
    re_path(r"^.*$", nothing_here),
]
