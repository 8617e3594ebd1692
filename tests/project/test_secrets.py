"""The repository contains no secret, and a planted one is found."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from detect_secrets.core.scan import scan_file, scan_line
from detect_secrets.settings import transient_settings

ROOT = Path(__file__).parents[2]
PLUGINS = (
    *("AWSKeyDetector", "AzureStorageKeyDetector", "BasicAuthDetector"),
    *("DiscordBotTokenDetector", "GitHubTokenDetector", "GitLabTokenDetector"),
    *("JwtTokenDetector", "NpmDetector", "OpenAIDetector", "PrivateKeyDetector"),
    *("PypiTokenDetector", "SendGridDetector", "SlackDetector", "StripeDetector"),
    *("TelegramBotTokenDetector", "TwilioKeyDetector"),
)
SETTINGS = {
    "plugins_used": [
        *({"name": name} for name in PLUGINS),
        # Long random strings in quotes, such as keys and tokens of this site.
        {"name": "Base64HighEntropyString", "limit": 4.8},
    ]
}
# Generated files: locks contain hashes, drawings paths, golden games seals.
GENERATED = (
    *("package-lock.json", "openapi.json", "asyncapi.json", "schema.d.ts"),
    *(".svg", ".png", "requirements/", "cases/", "golden/"),
)
# Files with strings that only look like secrets.
KNOWN = {
    # Keys of settings that are only checked, or used by tests.
    "tests/parts.py",
    ".docker/Dockerfile",
    "scoundrel_site/settings/test.py",
    # Addresses of databases that do not exist or belong to a test.
    "docker-compose.yml",
    ".env.example",
    "tests/site/test_env.py",
    "tests/servers.py",
    "tests/api/ws/web_process.py",
}


@pytest.fixture(autouse=True)
def detectors() -> Iterator[None]:
    with transient_settings(SETTINGS):
        yield


def tracked() -> list[str]:
    done = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:  # no repository: an unpacked copy
        return []
    return [
        name
        for name in done.stdout.splitlines()
        if not any(part in name for part in GENERATED) and (ROOT / name).is_file()
    ]


def test_repository_has_no_secret() -> None:
    found = [
        f"{name}:{secret.line_number} {secret.type}"
        for name in tracked()
        if name not in KNOWN
        for secret in scan_file(str(ROOT / name))
    ]
    assert found == []


def test_no_secret_file_is_tracked() -> None:
    names = {Path(name).name for name in tracked()}
    assert not names & {".env", "seed_key", "secret_key", "id_rsa", "id_ed25519"}
    assert not [name for name in names if name.endswith((".sqlite3", ".pem", ".key"))]


@pytest.mark.parametrize(
    "planted",
    [
        "-----BEGIN " + "RSA PRIVATE KEY-----",
        "DATABASE_URL = 'postgres://scoundrel:" + "hunter2hunter2@db.example/x'",
        "token = 'ghp_" + "a8" * 18 + "'",
        "key = 'AKIA" + "QWERTYUIOPASDFGH" + "'",
        'SEED_KEY = "q3J8vXzP0mKf7LwYt2RbN5cHs9GdUeAi' + '1oVx4TjQk6M="',
    ],
)
def test_planted_secret_is_found(planted: str) -> None:
    assert list(scan_line(planted))
