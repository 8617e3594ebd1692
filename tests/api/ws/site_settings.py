"""The tests' settings for a separate web process, where moves run in threads."""

# ruff: noqa: F403
from scoundrel_site.settings.test import *

MOVE_THREADS = None
