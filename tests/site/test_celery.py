"""Celery's configuration, read in another process.

Importing the application here would tie this process's Celery state to it.
"""

import json
import subprocess
import sys

import pytest

SHOWN = """
import json
from scoundrel_site.celery import app
app.loader.import_default_modules()
conf = app.conf
print(json.dumps({
    "tasks": sorted(name for name in app.tasks if not name.startswith("celery.")),
    "beat": {key: entry["task"] for key, entry in conf.beat_schedule.items()},
    "timezone": conf.timezone, "utc": conf.enable_utc,
    "late": conf.task_acks_late, "lost": conf.task_reject_on_worker_lost,
    "prefetch": conf.worker_prefetch_multiplier,
    "limits": [conf.task_soft_time_limit, conf.task_time_limit],
    "transport": conf.broker_transport_options,
}))
"""


@pytest.fixture(scope="module")
def shown():
    done = subprocess.run(
        [sys.executable, "-c", SHOWN], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_scheduled_task_exists(shown):
    assert set(shown["beat"].values()) <= set(shown["tasks"])
    assert shown["beat"] == {
        "tick": "game.tasks.housekeeping.tick",
        "races": "game.tasks.races.advance",
        "dailies": "game.tasks.dailies.choose_dungeons",
        "beacons": "game.tasks.beacons.fetch",
        "reviews": "game.tasks.reviews.compute_studies",
        "hints": "game.tasks.reviews.compute_short_studies",
        "screening": "game.tasks.moderation.screen_run",
        "pairs": "game.tasks.moderation.check_pairs",
        "addresses": "game.tasks.housekeeping.check_addresses",
    }


def test_task_of_a_killed_worker_is_redelivered(shown):
    assert (shown["late"], shown["lost"], shown["prefetch"]) == (True, True, 1)
    assert shown["limits"] == [40, 50]
    assert shown["transport"]["visibility_timeout"] == 120
    assert shown["transport"]["unacked_restore_interval"] == 5


def test_time_is_utc(shown):
    assert (shown["timezone"], shown["utc"]) == ("UTC", True)


def test_the_web_process_does_not_import_celery():
    code = "import scoundrel_site.asgi, sys; print('celery' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
