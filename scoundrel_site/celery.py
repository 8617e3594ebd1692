"""The Celery application that the worker and beat start.

Tasks and their times are in `schedule`. Never import it in the web process, which would
share its state.
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

# Celery warns about root at each start. Messages are JSON and cannot run code, and the
# image does not run as root.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("scoundrel")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.steps["worker"].add(DjangoStructLogInitStep)


@setup_logging.connect
def keep_logging_settings(**_: Any) -> None:
    """Keep Django's logging: a connected receiver stops Celery from replacing it."""


@worker_ready.connect
@heartbeat_sent.connect
def touch_alive_file(**_: Any) -> None:
    """Touch the file named by WORKER_ALIVE_FILE; a health check reads its age."""
    file = os.environ.get("WORKER_ALIVE_FILE")
    if file:
        Path(file).touch()
