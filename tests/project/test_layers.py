"""The import contracts of pyproject.toml cover the whole tree."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PURE = ("rules", "contest", "analysis", "teaching")
TOP = {
    "api",
    "docker-compose.yml",
    "docs",
    "frontend",
    "game",
    "manage.py",
    "pyproject.toml",
    "requirements",
    "run.py",
    "scoundrel_site",
    "tests",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "README.md",
}
GENERATED = {"node_modules", "var"}


def contracts() -> dict[str, dict[str, Any]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found = project["tool"]["importlinter"]["contracts"]
    return {contract["name"]: contract for contract in found}


def test_every_pure_layer_has_a_contract():
    pure = contracts()["Pure layers import no framework"]["source_modules"]
    assert sorted(pure) == sorted(f"game.{name}" for name in PURE)


def test_every_module_has_a_layer():
    assert contracts()["Inside game: the same layers, and every module has one"][
        "exhaustive"
    ]
    assert contracts()["Inside api: REST and websockets, above what depends on Daphne"][
        "exhaustive"
    ]


def test_top_folder_has_only_known_files():
    found = {place.name for place in ROOT.iterdir() if place.name[0] != "."}
    assert found - GENERATED - TOP == set()


def test_no_module_has_a_meaningless_name():
    banned = {"utils", "helpers", "common", "manager", "data", "info"}
    places = [
        place
        for top in ("api", "game", "scoundrel_site", "tests")
        for place in (ROOT / top).rglob("*.py")
    ]
    assert not [str(place) for place in places if place.stem in banned]
