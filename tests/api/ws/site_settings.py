"""The tests' settings for a web process of its own: moves take their own threads."""

# ruff: noqa: F403
from scoundrel_site.settings.test import *

MOVE_THREADS = None
