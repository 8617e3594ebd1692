"""Production settings: cookies, proxies, mail, required variables."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

GIVEN = {
    "SECRET_KEY": "x" * 60,
    "SEED_KEY": "eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHg=",
    "DATABASE_URL": "postgres://u:p@127.0.0.1:1/x",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "ALLOWED_HOSTS": "example.org",
}
READ = """
import json
from scoundrel_site.settings import prod
names = [n for n in dir(prod) if n.isupper()]
print(json.dumps({n: getattr(prod, n) for n in names}, default=str))
"""


def prod(**changes: str) -> Any:
    environ = {n: v for n, v in os.environ.items() if n not in GIVEN}
    environ |= {n: v for n, v in (GIVEN | changes).items() if v}
    done = subprocess.run(
        [sys.executable, "-c", READ],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def test_cookies_are_secure() -> None:
    found = prod()
    for cookie in ("SESSION", "CSRF"):
        assert found[f"{cookie}_COOKIE_SECURE"] is True
        assert found[f"{cookie}_COOKIE_NAME"].startswith("__Host-")
        assert found[f"{cookie}_COOKIE_SAMESITE"] == "Lax"
        # What __Host- demands: no domain, the whole site.
        assert found.get(f"{cookie}_COOKIE_DOMAIN") is None
        assert found.get(f"{cookie}_COOKIE_PATH", "/") == "/"
    assert found["BROWSER_COOKIE_NAME"].startswith("__Host-")
    assert found["SESSION_COOKIE_HTTPONLY"] is True
    assert found["TRUSTED_PROXY_COUNT"] == 1
    assert found["DEBUG"] is False
    assert "MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN" not in found


def test_codes_are_required_if_mail_is_configured() -> None:
    assert prod()["ACCOUNT_EMAIL_VERIFICATION"] == "none"
    found = prod(EMAIL_URL="smtp+tls://u:p@mail.example:587")
    assert found["ACCOUNT_EMAIL_VERIFICATION"] == "mandatory"
    assert found["ACCOUNT_PREVENT_ENUMERATION"] == "strict"
    assert (found["EMAIL_HOST"], found["EMAIL_USE_TLS"]) == ("mail.example", True)


@pytest.mark.parametrize("name", GIVEN)
def test_each_required_variable_is_named(name: str) -> None:
    assert f"before a start: {name} " in prod(**{name: ""})


def test_social_sign_in_is_configured_by_environment() -> None:
    assert prod()["SOCIAL_PROVIDERS"] == []
    given = {"SOCIAL_GITHUB_ID": "id", "SOCIAL_GITHUB_SECRET": "secret"}
    found = prod(SOCIAL_PROVIDERS="github", **given)
    assert "allauth.socialaccount.providers.github" in found["INSTALLED_APPS"]
    assert "SOCIAL_GITHUB_ID" in prod(SOCIAL_PROVIDERS="github")
