"""The periodic tasks, as data: one row each. Knows no Celery and no settings."""

from typing import Any

TASK_MODULES = (
    "game.tasks.dailies",
    "game.tasks.housekeeping",
    "game.tasks.moderation",
    "game.tasks.races",
    "game.tasks.reviews",
)

# A run that waited longer than one interval is dropped: the next does its work.
SCHEDULE: dict[str, dict[str, Any]] = {
    "tick": {
        "task": "game.tasks.housekeeping.tick",
        "schedule": 15.0,
        "options": {"expires": 15.0},
    },
    # House players and ghosts move, and races start and close, to the second.
    "races": {
        "task": "game.tasks.races.house_turns",
        "schedule": 1.0,
        "options": {"expires": 1.0},
    },
    "dailies": {
        "task": "game.tasks.dailies.choose",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    # Somebody waits for it before a page; where nothing is asked it is one query.
    "reviews": {
        "task": "game.tasks.reviews.answer",
        "schedule": 1.0,
        "options": {"expires": 1.0},
    },
    "screening": {
        "task": "game.tasks.moderation.screen",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "pairs": {
        "task": "game.tasks.moderation.pairs",
        "schedule": 3600.0,
        "options": {"expires": 600.0},
    },
}
