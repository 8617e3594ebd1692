"""The locked requirements: complete, hashed, without registry addresses."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", re.MULTILINE)

# Older versions have a published vulnerability or do not work here.
OLDEST = {
    "django": (5, 2, 19),
    "channels": (4, 3, 2),
    "daphne": (4, 2, 3),
    "celery": (5, 7),
    "redis": (8, 1),
    "psycopg": (3, 3, 9),
    "django-allauth": (65, 22),
    "cryptography": (50,),
    "twisted": (26, 10),
    "requests": (2, 34),
    "urllib3": (2, 8),
    "whitenoise": (6, 12),
    "pillow": (12,),
    "djangorestframework": (3, 18),
    "django-rest-knox": (5, 1),
    "argon2-cffi": (25, 1),
    "sqlparse": (0, 5, 4),
}


def pins(name: str) -> dict[str, str]:
    return dict(PIN.findall((ROOT / "requirements" / f"{name}.txt").read_text()))


def test_every_lock_has_its_source():
    assert [lock.stem for lock in LOCKS] == ["base", "dev", "play", "uv"]
    assert [lock.with_suffix(".in").exists() for lock in LOCKS] == [True] * 4


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_lock_is_hashed_and_names_no_address(lock):
    text = lock.read_text()
    assert not re.search(r"://|--(extra-)?index|--find-links|@ ", text)
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert blocks
    for block in blocks:
        assert "--hash=sha256:" in block, block.splitlines()[0]


def test_locks_agree_on_versions():
    base, play, dev = pins("base"), pins("play"), pins("dev")
    assert base.items() <= play.items() <= dev.items()


@pytest.mark.parametrize(("name", "oldest"), OLDEST.items())
def test_versions_are_not_too_old(name, oldest):
    version = tuple(int(part) for part in re.findall(r"\d+", pins("base")[name]))
    assert version >= oldest


def test_package_lock_names_no_address():
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text())
    packages = {name: it for name, it in lock["packages"].items() if name}
    assert packages
    assert not [name for name, it in packages.items() if "resolved" in it]
    assert not [name for name, it in packages.items() if "integrity" not in it]
