"""The repository contains no secret, and a planted one is found."""

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from detect_secrets.core.scan import scan_file
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


# What a line with a secret contains: a long word with a digit, a key, a password in an
# address. The detectors are slow, so they read only such lines.
MAYBE_SECRET = re.compile(
    r"(?=[\w+/=-]*\d)[\w+/=-]{16}|AKIA|://[^/\s]+@|-----BEGIN", re.ASCII
)


def secrets_in(texts: Iterable[tuple[str, str]], folder: Path) -> list[str]:
    """The secrets in (name, text) pairs, each as "name:line kind"."""
    places, lines = [], []
    for name, text in texts:
        for number, line in enumerate(text.splitlines(), 1):
            if MAYBE_SECRET.search(line):
                places.append(f"{name}:{number}")
                lines.append(line)
    candidates = folder / "candidates.py"
    candidates.write_text("\n".join(lines), encoding="utf-8")
    return [
        f"{places[secret.line_number - 1]} {secret.type}"
        for secret in scan_file(str(candidates))
    ]


def test_repository_has_no_secret(tmp_path: Path) -> None:
    texts = (
        (name, (ROOT / name).read_text("utf-8", errors="replace"))
        for name in tracked()
        if name not in KNOWN
    )
    assert secrets_in(texts, tmp_path) == []


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
def test_planted_secret_is_found(planted: str, tmp_path: Path) -> None:
    (found,) = secrets_in([("settings.py", f"# a line\n{planted}\n")], tmp_path)
    assert found.startswith("settings.py:2 ")
