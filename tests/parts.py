"""What `run.py test`, `lint`, `types` and `check` consist of, as data, and its tally.

Called inside the virtual environment: python -m tests.parts all | lint | types |
check | pytest ARGUMENTS. Every part is run, whatever came of those before it; the
last line of all is the sum, "N passed, N failed". A part that is a check, and counts
nothing itself, counts as one.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[1]
FRONTEND = ROOT / "frontend"
PYTHON = sys.executable
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}

# Any values do: these settings are looked at, not run.
DEPLOYED = {
    "DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.prod",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-0123456789-ABCDEFGHIJKLMN",
    "SEED_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
    "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "ALLOWED_HOSTS": "scoundrel.example",
}
ON_TEST = {"DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.test"}


BAD = ("failures", "errors")
COUNTED = ("tests", "skipped", *BAD)


@dataclass(frozen=True)
class Part:
    """One command; `counts` when it leaves a JUnit file of what it counted."""

    name: str
    command: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict)
    folder: Path = ROOT
    counts: bool = False


@dataclass
class Tally:
    """How many tests and checks there were."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __iadd__(self, other: Self) -> Self:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        return self

    def __str__(self) -> str:
        words = f"{self.passed} passed, {self.failed} failed"
        return words + (f", {self.skipped} skipped" if self.skipped else "")


def _python(name: str, *words: str, **environ: str) -> Part:
    return Part(name, [PYTHON, "-m", *words], environ)


def _manage(name: str, *words: str, environ: Mapping[str, str]) -> Part:
    return Part(name, [PYTHON, "manage.py", *words], environ)


def _pytest(name: str, *words: str, **environ: str) -> Part:
    return Part(name, [PYTHON, "-m", "pytest", *words], environ, counts=True)


def _npm(name: str, script: str, *words: str, counts: bool = False) -> Part:
    command = ["npm", "run", "--silent", script, *words]
    return Part(name, command, folder=FRONTEND, counts=counts)


LINT = (
    _python("style", "ruff", "check", "."),
    _python("formatting", "ruff", "format", "--check", "."),
    _python("messages", "api.ws.protocol.generate", "--check"),
    Part("floors", [str(Path(PYTHON).parent / "lint-imports"), "--no-cache"]),
    _npm("page: style", "lint"),
)
TYPES = (
    _python("types", "mypy"),
    _npm("page: types", "check"),
)
SOUND = (
    _manage("migrations", "makemigrations", "--check", "--dry-run", environ=ON_TEST),
    _manage("deploy", "check", "--deploy", "--fail-level", "WARNING", environ=DEPLOYED),
)
NOT_HERE = "not e2e and not bench"
TESTS = (
    _pytest("tests", "-n", "2", "-m", NOT_HERE),
    _pytest("tests on SQLite", "-m", f"sqlite and {NOT_HERE}", TEST_DATABASE="sqlite"),
    _npm(
        "page: tests",
        "test",
        "--",
        "--reporter=default",
        "--reporter=junit",
        counts=True,
    ),
    _pytest("browser", "-m", "e2e", "tests/e2e"),
)
GROUPS = {
    "lint": LINT,
    "types": TYPES,
    "check": LINT + TYPES + SOUND,
    "all": LINT + TYPES + SOUND + TESTS,
}


def main(arguments: Sequence[str]) -> int:
    """Run the parts that the command line names; the exit code."""
    group, *rest = arguments
    if group == "pytest":
        command = [PYTHON, "-m", "pytest", *rest]
        return subprocess.run(command, cwd=ROOT, check=False).returncode
    total, failed = Tally(), []
    with tempfile.TemporaryDirectory(prefix="scoundrel-parts-") as folder:
        for part in GROUPS[group]:
            tally = _run(part, Path(folder) / "junit.xml")
            total += tally
            if tally.failed:
                failed.append(part.name)
    if failed:
        print(f"\nFailed: {', '.join(failed)}")
    print(f"\n{total}", flush=True)
    return 1 if failed else 0


def _run(part: Part, report: Path) -> Tally:
    print(f"\n=== {part.name} ===", flush=True)
    if part.name == "browser" and not any(map(shutil.which, CHROMIUM)):
        print("SKIPPED: no Chromium was found, so no browser test ran.", flush=True)
        return Tally(failed=1) if IN_CI else Tally(skipped=1)
    report.unlink(missing_ok=True)
    command = list(part.command)
    if part.counts:
        npm = part.folder == FRONTEND
        command.append(
            f"--outputFile.junit={report}" if npm else f"--junitxml={report}"
        )
    started = time.monotonic()
    environ = os.environ | part.environ
    done = subprocess.run(command, cwd=part.folder, env=environ, check=False)
    print(f"--- {part.name}: {time.monotonic() - started:.1f} s", flush=True)
    return _tally(report if part.counts else None, done.returncode)


def _tally(report: Path | None, returned: int) -> Tally:
    """What a part counted; a failure that no test accounts for counts as one."""
    if report is None:
        return Tally(failed=1) if returned else Tally(passed=1)
    tally = Tally()
    if report.exists():
        for suite in ET.parse(report).getroot().iter("testsuite"):
            number = {key: int(suite.get(key, "0")) for key in COUNTED}
            bad, skipped = sum(number[key] for key in BAD), number["skipped"]
            tally += Tally(number["tests"] - bad - skipped, bad, skipped)
    if returned and not tally.failed:
        tally.failed = 1
    return tally


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
