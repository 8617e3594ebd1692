"""Settings of a real site: HTTPS only, everything secret from the environment."""

from datetime import timedelta

from scoundrel_site.env import database, env, require, seed_key
from scoundrel_site.settings.base import *

require("SECRET_KEY", "SEED_KEY", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS")

DEBUG = False
SECRET_KEY = env.str("SECRET_KEY")
SEED_KEY = seed_key(env.str("SEED_KEY"))
# The loopback address is for the health checks inside the container.
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS"), "127.0.0.1"]
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
DATABASES = {
    "default": database(
        default=None,
        statement_ms=env.int("DATABASE_STATEMENT_MS", default=3000),
    )
}

# --- HTTPS: Caddy ends TLS and says so in a header that it always overwrites ---

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = True
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds())
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
# The browser itself keeps such cookies from other hosts and from plain HTTP.
SESSION_COOKIE_NAME = "__Host-sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken"
# Caddy, unless the environment counts otherwise.
TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=1)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXY_COUNT

# --- Static files, collected into the image ------------------------------------

STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}

LOGGING["json"] = True
