"""Settings of the tests: cheap passwords, quiet logs, failpoints allowed.

The database and Redis come from the environment, where `tests.servers_plugin`
puts those that it started before Django reads this file.
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
# A loaded machine may take seconds to make the test database; a move must not, and
# the tests that care set the limit themselves.
DATABASES = {"default": database(default=VAR / "test.sqlite3", statement_ms=20_000)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in `play`: in memory SQLite has other locks, and no WAL.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR / "test-run.sqlite3")}
elif "TEST_TEMPLATE" in os.environ:  # see tests.servers.make_template
    DATABASES["default"]["TEST"] = {"TEMPLATE": os.environ["TEST_TEMPLATE"]}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True  # or each test client would look at every file first
LOGGING["level"] = env.str("LOG_LEVEL", "CRITICAL")
FAILPOINTS_ALLOWED = True
# A test's moves must see the test's own transaction.
MOVE_THREADS = 0

# Mail is sent (into a list), so e-mails are verified; no throttle but where one is
# tested.
globals().update(mail_settings("memorymail://"))
THROTTLE_SCALE = 0.0
MOVES_A_SECOND = 0.0
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True

# No worker of a test spends its minutes on the difficulty of days to come.
DAILY_CHOOSE_AHEAD_DAYS = env.int("DAILY_CHOOSE_AHEAD_DAYS", default=-1)

# The doors' clock, moved ahead by seconds: to rehearse a whole day with a real worker.
# The database's own clock, and so the time of a move, stays.
CLOCK_AHEAD = timedelta(seconds=env.int("CLOCK_AHEAD_S", default=0))
if CLOCK_AHEAD:
    _now = timezone.now
    timezone.now = lambda: _now() + CLOCK_AHEAD
