"""The bill of materials: complete, with hashes, and valid."""

import json
import re
from pathlib import Path

from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests import sbom

ROOT = Path(__file__).parents[2]


def test_every_locked_package_is_listed() -> None:
    text = JsonV1Dot6(sbom.bill()).output_as_string()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    named = {one["purl"]: one for one in json.loads(text)["components"]}
    pins = re.compile(r"^([a-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
    for name in ("base", "play", "dev"):
        lock = (ROOT / "requirements" / f"{name}.txt").read_text()
        for package, version in pins.findall(lock):
            one = named[f"pkg:pypi/{package}@{version}"]
            assert one["hashes"]
            assert (one["scope"] == "required") or name != "base"
    page = json.loads((ROOT / "frontend" / "package-lock.json").read_text())
    kinds = [purl.partition("/")[0] for purl in named]
    assert kinds.count("pkg:npm") > 50
    names = {path.rpartition("node_modules/")[2] for path in page["packages"] if path}
    found = {
        "/".join(filter(None, (one.get("group"), one["name"])))
        for one in named.values()
    }
    assert names <= found
