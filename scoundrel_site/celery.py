"""The Celery application: the worker's and the beat's way in.

Owns how Celery is started; what runs and when is data in `schedule`. Never import it
in the web process: a worker or client there would share its state.
"""

import os
import warnings
from pathlib import Path
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import heartbeat_sent, setup_logging, worker_ready
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoundrel_site.settings.prod")

# Said of root at each start. The messages are JSON and carry nothing that could be
# run, and the image's own user is not root.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("scoundrel")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.steps["worker"].add(DjangoStructLogInitStep)


@setup_logging.connect
def keep_our_logs(**_: Any) -> None:
    """Leave logging as Django's settings made it; being connected is all it takes."""


@worker_ready.connect
@heartbeat_sent.connect
def say_alive(**_: Any) -> None:
    """Touch the file of WORKER_ALIVE_FILE, where a health check reads its age."""
    file = os.environ.get("WORKER_ALIVE_FILE")
    if file:
        Path(file).touch()
