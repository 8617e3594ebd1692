"""Log lines: JSON and readable format, unknown hosts, tracebacks."""

import json
import subprocess
import sys

import pytest

LOGS_THREE_EVENTS = """
import logging, structlog
from scoundrel_site.logs import configure
configure({{"json": {json}, "level": "INFO"}})
structlog.get_logger("own").info("move_played", index=3)
logging.getLogger("library").warning("%s gone", "peer")
logging.getLogger("daphne").info("Listening")
"""


def lines(*, as_json: bool) -> list[str]:
    code = LOGS_THREE_EVENTS.format(json=as_json)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stderr.splitlines()


def test_json_lines_have_event_fields_and_time():
    own, library = map(json.loads, lines(as_json=True))
    assert (own["event"], own["index"], own["level"]) == ("move_played", 3, "info")
    assert own["timestamp"].endswith("Z")
    assert (library["event"], library["logger"]) == ("peer gone", "library")


def test_readable_lines_have_event_names():
    own, library = lines(as_json=False)
    assert "move_played" in own
    assert "peer gone" in library


RAISES_ERROR = """
import logging
from scoundrel_site.logs import configure
configure({{"json": {json}, "level": "INFO"}})
def check(password):
    hidden = [password]
    raise KeyError(len(hidden))
try:
    check("a " + "secret")
except KeyError:
    logging.getLogger("own").exception("check_failed")
"""

UNKNOWN_HOST = """
import logging
from scoundrel_site.logs import configure
configure({{"json": {json}, "level": "INFO"}})
try:
    raise ValueError("unknown host")
except ValueError as error:
    logger = logging.getLogger("django.security.DisallowedHost")
    logger.error("Invalid host", exc_info=error)
"""


@pytest.mark.parametrize("as_json", [True, False])
def test_unknown_host_is_one_warning(as_json):
    code = UNKNOWN_HOST.format(json=as_json)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    (line,) = done.stderr.splitlines()
    assert "Invalid host" in line
    assert "warning" in line
    assert "error" not in line


@pytest.mark.parametrize("as_json", [True, False])
def test_traceback_has_no_local_variables(as_json):
    code = RAISES_ERROR.format(json=as_json)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "check_failed" in done.stderr
    assert "KeyError" in done.stderr
    assert "a secret" not in done.stderr
