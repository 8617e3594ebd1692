"""Production settings: what they refuse and what they always set."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parts import ON_PRODUCTION

ROOT = Path(__file__).parents[2]
SECRETS = ("SECRET_KEY", "SEED_KEY", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS")
SHOWN = """
import json
from django.conf import settings
names = json.loads(input())
print(json.dumps({name: getattr(settings, name) for name in names}, default=str))
"""


def settings(*names: str, **environ: str) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": os.environ["PATH"]}
    clean["DJANGO_SETTINGS_MODULE"] = ON_PRODUCTION["DJANGO_SETTINGS_MODULE"]
    return subprocess.run(
        [sys.executable, "-c", SHOWN],
        cwd=ROOT,
        env=clean | environ,
        input=json.dumps(names),
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_missing_variables_are_named():
    done = settings("DEBUG")
    assert done.returncode != 0
    assert "must be set in the environment" in done.stderr
    for name in SECRETS:
        assert name in done.stderr


@pytest.mark.parametrize("name", SECRETS)
def test_single_missing_variable_is_named(name):
    rest = {key: value for key, value in ON_PRODUCTION.items() if key != name}
    done = settings("DEBUG", **rest)
    assert done.returncode != 0
    assert f"before a start: {name} (" in done.stderr


@pytest.mark.parametrize("bad", ["too-short", "ü" * 44, "A" * 43 + "!", "QUJD"])
def test_malformed_seed_key_is_refused_and_not_shown(bad):
    done = settings("DEBUG", **(ON_PRODUCTION | {"SEED_KEY": bad}))
    assert done.returncode != 0
    assert "SEED_KEY must be 32 random bytes" in done.stderr
    assert bad not in done.stderr


def test_production_values():
    names = (
        "DEBUG",
        "FAILPOINTS_ALLOWED",
        "SECURE_SSL_REDIRECT",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "LOGGING",
        "DATABASES",
        "TIME_ZONE",
    )
    done = settings(*names, **ON_PRODUCTION)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["DEBUG"] is False
    assert found["FAILPOINTS_ALLOWED"] is False
    assert found["SECURE_SSL_REDIRECT"] is True
    assert found["SESSION_COOKIE_SECURE"] is True
    assert found["CSRF_COOKIE_SECURE"] is True
    assert found["LOGGING"]["json"] is True
    assert found["TIME_ZONE"] == "UTC"


def test_database_has_timeouts_and_a_pool():
    found = json.loads(settings("DATABASES", **ON_PRODUCTION).stdout)["DATABASES"][
        "default"
    ]
    assert found["CONN_MAX_AGE"] == 0
    assert found["CONN_HEALTH_CHECKS"] is True
    options = found["OPTIONS"]
    for limit in ("-c statement_timeout=3000", "-c lock_timeout=2000"):
        assert limit in options["options"]
    assert options["pool"]["max_size"] == 12
