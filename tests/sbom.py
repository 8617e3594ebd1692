"""The bill of materials: every package of the site and its page, as CycloneDX 1.6.

    python run.py sbom            writes var/sbom.json

Read from the lock files alone, so it says what is installed, with the hashes that the
installer checks. What runs is `required`; what only builds or tests is `excluded`.
"""

import base64
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]
BILL = ROOT / "var" / "sbom.json"
_PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^\s;\\]+)", re.MULTILINE)
_SHA256 = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def bill() -> Bom:
    """Return the bill of materials, made from the lock files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    made = Bom()
    made.metadata.component = Component(
        name=project["name"],
        version=project["version"],
        type=ComponentType.APPLICATION,
        bom_ref="scoundrel-live",
    )
    asked = []
    for component, is_asked in (*_python(), *_page()):
        made.components.add(component)
        asked += [component] if is_asked else []
    made.register_dependency(made.metadata.component, asked)
    return made


# A package, and whether we require it ourselves.
Found = tuple[Component, bool]


def _python() -> Iterator[Found]:
    base = dict(_PIN.findall(_lock("base")))
    text = _lock("dev")
    for block in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE):
        pin = _PIN.match(block)
        if pin is None:
            continue
        name, version = pin[1], pin[2]
        scope = ComponentScope.REQUIRED if name in base else ComponentScope.EXCLUDED
        sums = _SHA256.findall(block)
        is_asked = "-r requirements/" in block
        yield _component("pypi", "", name, version, scope, sums), is_asked


def _lock(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def _page() -> Iterator[Found]:
    """Yield the page's packages; they are built into it, so none is installed."""
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text("utf-8"))
    asked, seen = lock["packages"][""]["devDependencies"], set()
    for path, package in lock["packages"].items():
        whole = path.rpartition("node_modules/")[2]
        if not whole or (whole, package["version"]) in seen:
            continue
        seen.add((whole, package["version"]))
        group, _, name = whole.rpartition("/")
        sums = [package["integrity"]]
        version, scope = package["version"], ComponentScope.EXCLUDED
        yield _component("npm", group, name, version, scope, sums), whole in asked


def _component(
    kind: str,
    group: str,
    name: str,
    version: str,
    scope: ComponentScope,
    sums: list[str],
) -> Component:
    url = PackageURL(kind, group or None, name, version)
    return Component(
        name=name,
        group=group or None,
        version=version,
        purl=url,
        bom_ref=str(url),
        scope=scope,
        type=ComponentType.LIBRARY,
        hashes=[_hash(one) for one in sums],
    )


def _hash(text: str) -> HashType:
    """Parse a hash of pip (hexadecimal) or of npm ("sha512-" and base64)."""
    way, _, value = text.partition("-")
    if not value:
        return HashType(alg=HashAlgorithm.SHA_256, content=text)
    alg = {"sha512": HashAlgorithm.SHA_512, "sha1": HashAlgorithm.SHA_1}[way]
    return HashType(alg=alg, content=base64.b64decode(value).hex())


def main() -> int:
    """Write the file."""
    BILL.parent.mkdir(exist_ok=True)
    BILL.write_text(JsonV1Dot6(bill()).output_as_string(indent=1), encoding="utf-8")
    sys.stdout.write(f"{len(bill().components)} packages: {BILL.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
