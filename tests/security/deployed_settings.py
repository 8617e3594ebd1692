"""The tests' settings for a web process behind TLS, as Caddy tells of it."""

# ruff: noqa: F403
from tests.api.ws.site_settings import *

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
