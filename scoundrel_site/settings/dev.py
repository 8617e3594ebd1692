"""Settings of `make run` and of development: SQLite and key files in var/."""

from scoundrel_site.env import database, env, key_from, seed_key
from scoundrel_site.settings.base import *

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = key_from("SECRET_KEY", VAR / "secret_key")
SEED_KEY = seed_key(key_from("SEED_KEY", VAR / "seed_key"))
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
DATABASES = {"default": database(default=VAR / "scoundrel.sqlite3")}

# The built page is served where it lies; nothing need be collected first.
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = None
WHITENOISE_AUTOREFRESH = DEBUG

# Passkeys over plain HTTP, which browsers allow on localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True

# Choosing costs most of a minute each: a laptop that hosts races chooses the dungeons
# of days that have opened, while 30 days are sealed ahead.
DAILY_CHOOSE_AHEAD_DAYS = env.int("DAILY_CHOOSE_AHEAD_DAYS", default=0)
