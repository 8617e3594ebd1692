"""The two formats of log lines."""

import json
import subprocess
import sys

import pytest

CODE = """
import logging, structlog
from scoundrel_site.logs import configure
configure({{"json": {json}, "level": "INFO"}})
structlog.get_logger("ours").info("move_played", index=3)
logging.getLogger("theirs").warning("%s gone", "peer")
logging.getLogger("daphne").info("chatter")
"""


def lines(*, as_json: bool) -> list[str]:
    code = CODE.format(json=as_json)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stderr.splitlines()


def test_json_lines():
    ours, theirs = map(json.loads, lines(as_json=True))
    assert (ours["event"], ours["index"], ours["level"]) == ("move_played", 3, "info")
    assert ours["timestamp"].endswith("Z")
    assert (theirs["event"], theirs["logger"]) == ("peer gone", "theirs")


def test_readable_lines():
    ours, theirs = lines(as_json=False)
    assert "move_played" in ours
    assert "peer gone" in theirs


FAILS = """
import logging
from scoundrel_site.logs import configure
configure({{"json": {json}, "level": "INFO"}})
def fails(password):
    hidden = [password]
    raise KeyError(len(hidden))
try:
    fails("a " + "secret")
except KeyError:
    logging.getLogger("ours").exception("it_failed")
"""


SUSPECTS = """
import logging
from scoundrel_site.logs import configure
configure({{"json": {json}, "level": "INFO"}})
try:
    raise ValueError("no host of ours")
except ValueError as error:
    logger = logging.getLogger("django.security.DisallowedHost")
    logger.error("Invalid host", exc_info=error)
"""


@pytest.mark.parametrize("as_json", [True, False])
def test_unknown_host_is_one_warning(as_json):
    code = SUSPECTS.format(json=as_json)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    (line,) = done.stderr.splitlines()
    assert "Invalid host" in line
    assert "warning" in line
    assert "error" not in line


@pytest.mark.parametrize("as_json", [True, False])
def test_traceback_has_no_local_variables(as_json):
    code = FAILS.format(json=as_json)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "it_failed" in done.stderr
    assert "KeyError" in done.stderr
    assert "a secret" not in done.stderr
