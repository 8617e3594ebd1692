"""The tests' settings for a web process with the throttles of production."""

# ruff: noqa: F403
from tests.api.ws.site_settings import *

THROTTLE_SCALE = 1.0
MOVES_A_SECOND, MOVES_AT_ONCE = 10.0, 40.0
