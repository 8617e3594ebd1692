"""Sign-in by another site, if the environment configures one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import copy_sqlite_template

SCRIPT = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)  # adds the tables of social sign-in
from django.test import Client
client = Client(SERVER_NAME="127.0.0.1")
base = "/_allauth/browser/v1/"
found = client.get(base + "config").json()["data"]["socialaccount"]["providers"]
print([(p["id"], p["name"]) for p in found])
form = {"provider": "github", "callback_url": "/", "process": "login"}
sent = client.post(base + "auth/provider/redirect", form)
print(sent.status_code, sent["Location"].split("?")[0])
print(sent["Content-Security-Policy"])
from game.services.accounts.accounts import guest_create
from game.services.accounts.deletion import account_close
from django.utils import timezone
print(account_close(guest_create(at=timezone.now()).id, at=timezone.now()).is_active)
"""


@pytest.mark.slow
def test_configured_provider_is_offered(tmp_path: Path) -> None:
    copy_sqlite_template(tmp_path / "scoundrel.sqlite3")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={
            "PATH": "",
            "DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.dev",
            "VAR_DIR": str(tmp_path),
            "SOCIAL_PROVIDERS": "github",
            "SOCIAL_GITHUB_ID": "an-id",
            "SOCIAL_GITHUB_SECRET": "a-secret",
            "LOG_LEVEL": "ERROR",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert lines[:2] == [
        "[('github', 'GitHub')]",
        "302 https://github.com/login/oauth/authorize",
    ], done.stderr
    assert "form-action 'self' https:" in lines[2]
    assert lines[3] == "False"
