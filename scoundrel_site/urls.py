"""All HTTP routes. Any other path is a route of the single-page client."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path

from game.admin.menu import admin_site
from scoundrel_site import health, shell

# Excluded from the client: other prefixes (so that a wrong API path is a 404, not a
# page) and paths that look like a missing file.
CLIENT_ROUTE = (
    r"^(?!(?:_allauth|accounts|api|desk|static|ws|metrics)(?:/|$))"
    r"(?!.*\.(?:css|gif|html|ico|js|json|map|php|png|svg|txt|webmanifest|xml)/?$)"
    r"(?P<path>.*)$"
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("api/v1/", include("api.rest.urls")),
    path("_allauth/", include("api.rest.accounts.sign_in.urls")),
    path("desk/", admin_site.urls),
    path("", include("django_prometheus.urls")),
    re_path(CLIENT_ROUTE, shell.shell, name="shell"),
]
if settings.SOCIAL_PROVIDERS:
    # The callbacks of other sites' sign-in.
    urlpatterns.insert(0, path("accounts/", include("allauth.urls")))
