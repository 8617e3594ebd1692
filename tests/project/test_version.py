"""The release's version is written in pyproject.toml and nowhere else."""

import json
import re
import tomllib
from pathlib import Path

from api.ws.protocol.messages import VERSION as SOCKET_VERSION
from tests import sbom

ROOT = Path(__file__).parents[2]


def release() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = project["version"]
    assert isinstance(version, str)
    return version


def test_the_release_is_three_numbers() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", release())


def test_the_page_has_no_version_of_its_own() -> None:
    """npm needs none for a private package, so there is nothing to keep in step."""
    frontend = ROOT / "frontend"
    package = json.loads((frontend / "package.json").read_text())
    lock = json.loads((frontend / "package-lock.json").read_text())
    assert package["private"] is True
    assert "version" not in package
    assert "version" not in lock
    assert "version" not in lock["packages"][""]


def test_the_bill_of_materials_has_the_releases_version() -> None:
    component = sbom.bill().metadata.component
    assert component is not None
    assert component.version == release()


def test_descriptions_of_the_api_have_the_number_of_its_addresses() -> None:
    """OpenAPI and AsyncAPI name the contract, /api/v1/ and /ws/v1/, not the release."""
    openapi = json.loads((ROOT / "frontend" / "openapi.json").read_text())
    asyncapi = json.loads((ROOT / "docs" / "asyncapi.json").read_text())
    assert openapi["info"]["version"] == asyncapi["info"]["version"]
    assert openapi["info"]["version"] == str(SOCKET_VERSION)
    prefix = f"/api/v{openapi['info']['version']}/"
    assert all(path.startswith(prefix) for path in openapi["paths"])


def test_the_changelog_has_each_release_once() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert len(headings) == len(set(headings))
    assert all(re.match(r"\d+\.\d+\.\d+\b", heading) for heading in headings[1:])
