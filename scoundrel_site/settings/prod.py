"""Production settings: HTTPS only, secrets from the environment."""

from datetime import timedelta

from scoundrel_site.env import database, env, require, seed_key
from scoundrel_site.settings.base import *

require("SECRET_KEY", "SEED_KEY", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS")

DEBUG = False
SECRET_KEY = env.str("SECRET_KEY")
SEED_KEY = seed_key(env.str("SEED_KEY"))
# 127.0.0.1 is for health checks inside the container.
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS"), "127.0.0.1"]
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
DATABASES = {
    "default": database(
        default=None,
        statement_ms=env.int("DATABASE_STATEMENT_MS", default=3000),
    )
}

# --- HTTPS: Caddy terminates TLS and always overwrites this header --------------

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = True
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds())
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
# Browsers send cookies with this prefix to this host and over HTTPS only.
SESSION_COOKIE_NAME = "__Host-sessionid"
BROWSER_COOKIE_NAME = "__Host-browser"
CSRF_COOKIE_NAME = "__Host-csrftoken"
# One proxy, Caddy, unless the environment says otherwise.
TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=1)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXY_COUNT

# --- Static files, collected into the image ------------------------------------

STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}

LOGGING["json"] = True
