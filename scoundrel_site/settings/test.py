"""Test settings: cheap password hashes, quiet logs, failpoints allowed.

`tests.servers_plugin` starts the database and Redis and puts their addresses into the
environment before Django reads this file.
"""

import base64
import os
from datetime import timedelta

from django.utils import timezone

from scoundrel_site.env import database, env
from scoundrel_site.settings.accounts import mail_settings
from scoundrel_site.settings.base import *

DEBUG = False
SECRET_KEY = "only-for-tests-and-never-anywhere-else-0123456789"
SEED_KEY = base64.urlsafe_b64encode(bytes(range(32))).decode("ascii")
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# A loaded machine may take seconds to create the test database. Tests of the statement
# limit set it themselves.
DATABASES = {"default": database(default=VAR / "test.sqlite3", statement_ms=20_000)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in `play`: SQLite in memory locks differently and has no WAL.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR / "test-run.sqlite3")}
elif "TEST_TEMPLATE" in os.environ:  # see tests.servers.make_template
    DATABASES["default"]["TEST"] = {"TEMPLATE": os.environ["TEST_TEMPLATE"]}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True  # otherwise each test client would scan all files first
LOGGING["level"] = env.str("LOG_LEVEL", "CRITICAL")
FAILPOINTS_ALLOWED = True
# Moves run in the test's thread, to see its transaction.
MOVE_THREADS = 0
# A web process of one test would seem down in the next.
WEB_SIGNS_OF_LIFE = False

# Mail is sent, into a list, so e-mails have to be verified. Tests of throttles switch
# them on.
globals().update(mail_settings("memorymail://"))
THROTTLE_SCALE = 0.0
MOVES_A_SECOND = 0.0
# All players of a test connect from this machine. Tests of links give other addresses.
SHARED_NETWORKS = ["127.0.0.0/8", "::1/128"]
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True

# Test workers choose no dungeons of future days, which takes minutes.
DAILY_CHOOSE_AHEAD_DAYS = env.int("DAILY_CHOOSE_AHEAD_DAYS", default=-1)

# Moves the clock of entry points ahead by seconds, to test a whole day with a real
# worker. The database's clock, and so the time of a move, does not change.
CLOCK_AHEAD = timedelta(seconds=env.int("CLOCK_AHEAD_S", default=0))
if CLOCK_AHEAD:
    _now = timezone.now
    timezone.now = lambda: _now() + CLOCK_AHEAD
