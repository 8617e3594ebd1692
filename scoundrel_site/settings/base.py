"""Settings common to every way of running; no secret and no address is here.

Laid out in sections, so that an added package touches one list in one section.
"""

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

from game.rules import RULESETS
from scoundrel_site import schedule
from scoundrel_site.env import ROOT, env
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
    # The desk (game.admin), behind `game`, whose templates take the place of theirs.
    "unfold.apps.BasicAppConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",
    *PEOPLE_APPS,
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "scoundrel_site.static.StaticFilesMiddleware",
    "api.rest.core.caching.unkept",
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

# --- Time and words ----------------------------------------------------------

TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en"
USE_I18N = False

# --- Accounts and sessions ---------------------------------------------------

AUTH_USER_MODEL = "game.Account"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The folded name is what is unique: two spellings of one name are one name.
# W040: SQLite keeps the boards' indexes without their extra columns, which is fine.
SILENCED_SYSTEM_CHECKS = ["auth.E003", "auth.W004", "models.W040"]
LOGIN_URL = "/sign-in"
PROVED_AT = "api.rest.core.recent_sign_in.proved_at"  # what the desk asks, as REST does
SESSION_ENGINE = "game.models.accounts.session"  # rows that know their account
SESSION_COOKIE_AGE = int(timedelta(days=90).total_seconds())
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
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
        # A form that leads to another site's sign-in is led on from here to there.
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
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.rest.core.bodies.StrictJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.rest.core.authentication.TokenIdentity",
        "api.rest.core.authentication.SessionIdentity",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.rest.core.permissions.SignedIn"],
    # OPTIONS is refused: the OpenAPI file says it all.
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.rest.core.errors.exception_handler",
    "DATETIME_FORMAT": "iso-8601",
    # `?format=` is ours to use: a race has one.
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
# Each of these rulesets has its dungeon a day. Masters are drawn and sealed 30 days
# ahead; choosing their dungeons takes some ten seconds of a worker for each candidate.

DAILY_RULESETS: list[str] = env.list("DAILY_RULESETS", default=list(RULESETS))
DAILY_CHOOSE_AHEAD_DAYS: int = env.int("DAILY_CHOOSE_AHEAD_DAYS", default=30)

# --- Moves -------------------------------------------------------------------
# Threads of the move lane; None: what fits the database, 0: the caller's own thread.

MOVE_THREADS: int | None = None

# --- Sockets -------------------------------------------------------------------
# Limits of one process; measuring and rehearsing raise them from the environment.

WS_BURST = env.int("WS_BURST", default=20)
WS_PER_SECOND = env.float("WS_PER_SECOND", default=5.0)
WS_SOCKETS_PER_ACCOUNT = env.int("WS_SOCKETS_PER_ACCOUNT", default=8)
WS_SOCKETS_PER_ADDRESS = env.int("WS_SOCKETS_PER_ADDRESS", default=20)
WS_UNSENT_BYTES = 256 * 1024
WS_IDLE_S = env.float("WS_IDLE_S", default=600.0)

# --- Static files and the page -----------------------------------------------
# Vite names its files by their content, so no manifest is made of them again.

FRONTEND_DIST = ROOT / "frontend" / "dist"
STATIC_URL = "/static/"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+-[A-Za-z0-9_-]{8}\.\w+$"

# --- Redis, Celery -----------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")

# One cache for all processes, where there is one: a one-time code used up in one of
# them must be used up in all.
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
# Kombu's defaults give a killed worker's task back after 105 s; these after 9 s
# beyond the 120 s that a task may be held.
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
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat-schedule")

# --- Logs --------------------------------------------------------------------

LOGGING_CONFIG = "scoundrel_site.logs.configure"
LOGGING: dict[str, Any] = {"json": False, "level": env.str("LOG_LEVEL", "INFO")}
DJANGO_STRUCTLOG_USER_ID_FIELD = None  # reading it would force a query a request
# The layer outside Django has read or made it, and let nothing odd through.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_CELERY_ENABLED = False  # only the worker pays for Celery

# --- Rehearsed faults: a name is armed by test settings only ------------------

FAILPOINTS_ALLOWED = False
