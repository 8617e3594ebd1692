"""The schedule of periodic tasks, as data."""

from typing import Any

TASK_MODULES = (
    "game.tasks.beacons",
    "game.tasks.dailies",
    "game.tasks.housekeeping",
    "game.tasks.moderation",
    "game.tasks.races",
    "game.tasks.reviews",
)

# A task that waits in the queue for longer than its interval is dropped.
SCHEDULE: dict[str, dict[str, Any]] = {
    "tick": {
        "task": "game.tasks.housekeeping.tick",
        "schedule": 15.0,
        "options": {"expires": 15.0},
    },
    # Bots and ghosts move, and races start and close, to the second.
    "races": {
        "task": "game.tasks.races.advance",
        "schedule": 1.0,
        "options": {"expires": 1.0},
    },
    "dailies": {
        "task": "game.tasks.dailies.choose_dungeons",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    # With BEACON_URL set: once a day a value is fetched, and until it is there.
    "beacons": {
        "task": "game.tasks.beacons.fetch",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    # A player is waiting for the result; with nothing queued it is one query.
    "reviews": {
        "task": "game.tasks.reviews.compute_studies",
        "schedule": 1.0,
        "options": {"expires": 1.0},
    },
    # Beside the reviews, so that a hint does not wait for one.
    "hints": {
        "task": "game.tasks.reviews.compute_short_studies",
        "schedule": 1.0,
        "options": {"expires": 1.0},
    },
    "screening": {
        "task": "game.tasks.moderation.screen_run",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "pairs": {
        "task": "game.tasks.moderation.check_pairs",
        "schedule": 3600.0,
        "options": {"expires": 600.0},
    },
    "addresses": {
        "task": "game.tasks.housekeeping.check_addresses",
        "schedule": 3600.0,
        "options": {"expires": 600.0},
    },
}
