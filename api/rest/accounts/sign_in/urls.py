"""Routes under /_allauth/: sign-up and reset of this site, the rest of allauth."""

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

from api.rest.accounts.sign_in.guard import View, guard_patterns, guard_view
from api.rest.accounts.sign_in.views import ResetView, SignUpView

# A password is used as typed; allauth would strip spaces at its ends.
for _form in (SignupInput, LoginInput, ResetPasswordInput, ChangePasswordInput):
    for _name, _field in _form.base_fields.items():
        if _name.endswith("password"):
            _field.strip = False


def not_found(request: HttpRequest) -> HttpResponse:
    """Answer 404 in allauth's shape."""
    return JsonResponse({"status": 404}, status=404)


app_name = "headless"  # allauth looks its URLs up by this name


def _guard(view: type[SignUpView] | type[ResetView]) -> View:
    return guard_view(view.as_api_view(client=Client.BROWSER))


urlpatterns: list[URLPattern | URLResolver] = [
    path("browser/v1/auth/signup", _guard(SignUpView)),
    path("browser/v1/auth/password/reset", _guard(ResetView)),
    # Accounts have no phone number, and allauth's views of it fail without one.
    re_path(r"^browser/v1/(?:account/phone|auth/phone/.*)$", not_found),
    *guard_patterns(allauth_patterns),
    re_path(r"^.*$", not_found),
]
