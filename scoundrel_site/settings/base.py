"""Settings that every environment shares, without secrets or addresses."""

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

from game.contest.beacon import QUICKNET
from game.rules import RULESETS
from scoundrel_site import schedule
from scoundrel_site.env import ROOT, env, secret_bytes
from scoundrel_site.settings.accounts import *

VAR = Path(env.str("VAR_DIR", default=str(ROOT / "var")))

# --- Applications ------------------------------------------------------------
# Kept lean: each one costs start-up time in every process. `channels` and `daphne`
# are used as libraries; as applications they would only replace `runserver`.

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_structlog",
    "django_prometheus",
    "game",
    "api",
    # The moderation desk (game.admin); after `game`, whose templates replace theirs.
    "unfold.apps.BasicAppConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",
    *ACCOUNT_APPS,
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "scoundrel_site.static.StaticFilesMiddleware",
    "api.rest.core.middleware.default_no_store",
    "api.rest.core.middleware.refuse_nul",
    "api.rest.core.browser_cookie.browser_cookie",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "scoundrel_site.urls"
ASGI_APPLICATION = "scoundrel_site.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["game.admin.core.tags"],
        },
    }
]

# --- Time and language ------------------------------------------------------

TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en"
USE_I18N = False

# --- Accounts and sessions ---------------------------------------------------

AUTH_USER_MODEL = "game.Account"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# `name_key` is unique instead of `name`.
# W040: SQLite ignores the included columns of the boards' indexes, which is fine.
SILENCED_SYSTEM_CHECKS = ["auth.E003", "auth.W004", "models.W040"]
LOGIN_URL = "/sign-in"
PROVED_AT = "api.rest.core.recent_sign_in.proved_at"  # used by the moderation desk
SESSION_ENGINE = "game.models.accounts.session"  # has an `account` column
SESSION_COOKIE_AGE = int(timedelta(days=90).total_seconds())
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
BROWSER_COOKIE_NAME = "browser"  # api.rest.core.browser_cookie
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = False  # the page reads it and sends it back as a header
CSRF_FAILURE_VIEW = "api.rest.core.errors.csrf_failed"

# --- Security headers --------------------------------------------------------
# `connect-src 'self'` covers the websocket of the same origin too (CSP level 3).

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "media-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        # The form for sign-in by another site is redirected to that site.
        "form-action": ["'self'", *(["https:"] if SOCIAL_PROVIDERS else [])],
        "frame-ancestors": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
# From a request's first byte to its last, headers and body.
REQUEST_WITHIN_S = env.float("REQUEST_WITHIN_S", default=30.0)

# --- REST --------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_RENDERER_CLASSES": ["api.rest.core.renderers.Json"],
    "DEFAULT_PARSER_CLASSES": ["api.rest.core.bodies.StrictJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.rest.core.authentication.TokenIdentity",
        "api.rest.core.authentication.SessionIdentity",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.rest.core.permissions.SignInRequired"],
    # OPTIONS is refused: the OpenAPI file has the same information.
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.rest.core.errors.exception_handler",
    "DATETIME_FORMAT": "iso-8601",
    # `?format=` is a query parameter of races.
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Scoundrel Live",
    "DESCRIPTION": "Play Scoundrel against each other; docs/api.md has the tour.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "api.rest.core.openapi.name_choices",
        "api.rest.core.openapi.errors_everywhere",
    ],
}

# --- Dailies -----------------------------------------------------------------
# Each of these rulesets has one dungeon a day. Master seeds are drawn and sealed 30
# days ahead; choosing a dungeon takes a worker about ten seconds for each candidate.

DAILY_RULESETS: list[str] = env.list("DAILY_RULESETS", default=list(RULESETS))
DAILY_CHOOSE_AHEAD_DAYS: int = env.int("DAILY_CHOOSE_AHEAD_DAYS", default=30)

# Each daily names a round of this drand network when it is drawn, if BEACON_URL is set:
# the worker asks that address for its value (such as https://api.drand.sh), or, with
# "manual", an operator enters it with `manage.py beacon`. Off by default, so that the
# site connects to no other machine unless its operator says so.

BEACON_NETWORK = QUICKNET
BEACON_URL = env.str("BEACON_URL", default="").strip().rstrip("/")

# --- Signatures --------------------------------------------------------------
# Signs the entries of the two chains and their heads: 32 random bytes, as SEED_KEY. If
# it is empty, the key is derived from SEED_KEY.

# Public keys that signed before, so that what they signed stays valid.
SIGNING_KEYS_BEFORE: list[str] = env.list("SIGNING_KEYS_BEFORE", default=[])
SIGNING_KEY = secret_bytes("SIGNING_KEY", env.str("SIGNING_KEY", default=""))

# --- Moves -------------------------------------------------------------------
# Threads of the move executor. None: as fits the database; 0: the calling thread.

MOVE_THREADS: int | None = None
# Whether web processes sign every few seconds, which shows outages of the site.
WEB_SIGNS_OF_LIFE = True

# --- Sockets -------------------------------------------------------------------
# Limits of one process; benchmarks and fault tests raise them by the environment.

WS_BURST = env.int("WS_BURST", default=20)
WS_PER_SECOND = env.float("WS_PER_SECOND", default=5.0)
WS_SOCKETS_PER_ACCOUNT = env.int("WS_SOCKETS_PER_ACCOUNT", default=8)
WS_SOCKETS_PER_ADDRESS = env.int("WS_SOCKETS_PER_ADDRESS", default=20)
WS_UNSENT_BYTES = 256 * 1024
WS_IDLE_S = env.float("WS_IDLE_S", default=600.0)

# --- Static files and the page -----------------------------------------------
# Vite puts a hash in file names, so no manifest is needed.

FRONTEND_DIST = ROOT / "frontend" / "dist"
STATIC_URL = "/static/"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+-[A-Za-z0-9_-]{8}\.\w+$"

# --- Redis, Celery -----------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")

# With Redis, all processes share one cache: a one-time code that was used in one must
# be refused in all.
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
        }
    }

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_SOFT_TIME_LIMIT = 40
CELERY_TASK_TIME_LIMIT = 50
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# With kombu's defaults the task of a killed worker is redelivered 105 s after the
# visibility timeout; with these, 9 s after it.
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
    "visibility_timeout": 120,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 30,
    "socket_connect_timeout": 3,
    "socket_keepalive": True,
    "health_check_interval": 10,
    "retry_on_timeout": True,
}
CELERY_IMPORTS = schedule.TASK_MODULES
CELERY_BEAT_SCHEDULE = schedule.SCHEDULE
CELERY_BEAT_SCHEDULER = "scoundrel_site.beat:MonotonicScheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat-schedule")

# --- Logs --------------------------------------------------------------------

LOGGING_CONFIG = "scoundrel_site.logs.configure"
LOGGING: dict[str, Any] = {"json": False, "level": env.str("LOG_LEVEL", "INFO")}
DJANGO_STRUCTLOG_USER_ID_FIELD = None  # reading it would cost a query for each request
# scoundrel_site.request_id has validated or replaced it.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_CELERY_ENABLED = False  # the web process does not import Celery

# --- Failpoints: only the test settings allow them ------------------------------

FAILPOINTS_ALLOWED = False
