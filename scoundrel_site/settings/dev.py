"""Settings of `make run` and of development: SQLite and key files in var/."""

from scoundrel_site.env import database, env, key_from, seed_key
from scoundrel_site.settings.base import *

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = key_from("SECRET_KEY", VAR / "secret_key")
SEED_KEY = seed_key(key_from("SEED_KEY", VAR / "seed_key"))
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
DATABASES = {"default": database(default=VAR / "scoundrel.sqlite3")}

# Serve the built page from frontend/dist, without collectstatic.
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = None
WHITENOISE_AUTOREFRESH = DEBUG

# Passkeys over plain HTTP, which browsers allow on localhost only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True

# Choosing a dungeon takes most of a minute, so here only those of days that have opened
# are chosen; 30 days are still sealed ahead.
DAILY_CHOOSE_AHEAD_DAYS = env.int("DAILY_CHOOSE_AHEAD_DAYS", default=0)
