"""The parts of `make test`, `quick`, `soak`, `mutants`, `lint`, `types` and `check`.

Runs inside the virtual environment: python -m tests.parts GROUP, or
python -m tests.parts pytest ARGUMENTS. Two parts of a group run at a time, in order, so
that both cores stay busy while tests wait for processes. All parts run, even after one
has failed. A part's output is printed when it ends. The last lines are the time of each
part and "N passed, N failed"; a check without tests counts as one.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Self
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[1]
FRONTEND = ROOT / "frontend"
TESTS = ROOT / "tests"
PYTHON = sys.executable
# The headless shell needs a third less CPU time for the same pages.
CHROMIUM = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
)  # fmt: skip
IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}
CORES = os.cpu_count() or 2
# With more, the tests that measure real time would fail on a machine of two cores.
BROWSER_WORKERS = str(max(1, CORES // 2))
SUBJECTS = (
    "accounts", "analysis", "boards", "contest", "core", "dailies", "moderation",
    "races", "rules", "runs",
)  # fmt: skip

# `check --deploy` only reads these settings, so the values do not matter.
ON_PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.prod",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-0123456789-ABCDEFGHIJKLMN",
    "SEED_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
    "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "ALLOWED_HOSTS": "scoundrel.example",
}
ON_TEST = {"DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.test"}
# What `make soak` adds to the fixed budgets of `make test`.
SOAK = {"NEMESIS_SIZE": "8", "SCHEMA_EXAMPLES": "100", "SOLVER_SWEEP": "300"}
PARTS_AT_ONCE = 2

# Attributes of a test suite in a JUnit file.
FAILURES = ("failures", "errors")
COUNTED = ("tests", "skipped", *FAILURES)


@dataclass(frozen=True)
class Part:
    """One command; `counts` if it can write a JUnit file of its tests."""

    name: str
    command: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict)
    folder: Path = ROOT
    counts: bool = False
    needs_chromium: bool = False


@dataclass
class Tally:
    """How many tests and checks passed, failed and were skipped."""

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


@dataclass(frozen=True)
class Result:
    """The tally of a part, and the seconds that it took."""

    part: Part
    tally: Tally
    seconds: float


def _python(name: str, *words: str) -> Part:
    return Part(name, [PYTHON, "-m", *words])


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
    _python("documents", "scoundrel_site.documents", "--check"),
    _npm("page: generated types", "gen:check"),
    Part("layers", [str(Path(PYTHON).parent / "lint-imports"), "--no-cache"]),
    _npm("page: style", "lint"),
)
TYPES = (
    _python("types", "mypy"),
    _npm("page: types", "check"),
)
CHECKS = (
    _manage("migrations", "makemigrations", "--check", "--dry-run", environ=ON_TEST),
    _manage(
        "deploy", "check", "--deploy", "--fail-level", "WARNING", environ=ON_PRODUCTION
    ),
)
PAGE = (
    _npm(
        "page: tests",
        "test",
        "--",
        "--reporter=default",
        "--reporter=junit",
        counts=True,
    ),
)
# Workers get tests two by two, in order: tests/conftest.py puts slow ones first.
DISTRIBUTED = ("-n", str(CORES), "--dist", "load", "--maxschedchunk", "2")
POSTGRESQL = _pytest(
    "tests on PostgreSQL",
    *("tests", "--ignore=tests/e2e", "--ignore=tests/bench"),
    *("-m", "not e2e and not bench", *DISTRIBUTED),
)
BROWSER = replace(
    _pytest(
        "browser", "tests/e2e", "-m", "e2e", "-n", BROWSER_WORKERS, "--dist", "loadfile"
    ),
    needs_chromium=True,
)


def sqlite() -> Part:
    """The tests whose modules are marked `sqlite`; only those are collected."""
    marked = (
        str(file.relative_to(ROOT))
        for file in sorted(TESTS.rglob("test_*.py"))
        if "pytest.mark.sqlite" in file.read_text(encoding="utf-8")
    )
    words = ("-m", "sqlite and not e2e and not bench")
    return _pytest("tests on SQLite", *marked, *words, TEST_DATABASE="sqlite")


def soak() -> tuple[Part, ...]:
    """Tests of faults, generated requests and the solver that take many minutes."""
    places = (
        "tests/faults",
        "tests/api/rest/core/test_openapi.py",
        "tests/analysis/test_solver_brute.py",
    )
    return (_pytest("soak", *places, "-m", "not e2e and not bench", **SOAK),)


def quick(subjects: Sequence[str]) -> tuple[Part, ...]:
    """The tests of these subjects, or of the changed ones, and the quick checks."""
    chosen = tuple(subjects) or changed_subjects()
    print(f"Subjects: {', '.join(chosen) or 'none changed'}", flush=True)
    places = [str(place.relative_to(ROOT)) for place in folders_of(chosen)]
    words = (*places, "-m", "not e2e and not bench and not slow", *DISTRIBUTED)
    tests = (_pytest("tests", *words),) if places else ()
    return (*tests, *LINT[:4], *TYPES[:1])


def changed_subjects() -> tuple[str, ...]:
    """The subjects of the files that differ from HEAD, else of the last commit."""
    for arguments in (
        ("status", "--porcelain", "-uall"),
        ("show", "--format=", "--stat=999"),
    ):
        output = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout
        words = set(re.split(r"[^a-z]+", output))
        if output.strip():
            return tuple(subject for subject in SUBJECTS if subject in words)
    return ()


def folders_of(subjects: Iterable[str]) -> list[Path]:
    """The folders of tests with the name of a subject; none that is inside another."""
    found = [
        place
        for place in sorted(TESTS.rglob("*"))
        if place.is_dir() and place.name in subjects
    ]
    return [place for place in found if not set(place.parents) & set(found)]


def parts_of(group: str, rest: Sequence[str]) -> tuple[Part, ...]:
    """Return the parts of a group, in the order in which they start."""
    match group:
        case "lint":
            return LINT
        case "types":
            return TYPES
        case "check":
            return LINT + TYPES + CHECKS
        case "quick":
            return quick(rest)
        case "soak":
            return soak()
        case "mutants":
            return (Part("mutants", (PYTHON, "-m", "tests.mutants")),)
        case _:
            # The longest first.
            return (BROWSER, POSTGRESQL, sqlite(), *PAGE, *TYPES, *LINT, *CHECKS)


def main(arguments: Sequence[str]) -> int:
    """Run the group that the command line names; return the exit code."""
    group, *rest = arguments
    if group == "pytest":
        command = [PYTHON, "-m", "pytest", *rest]
        return subprocess.run(command, cwd=ROOT, check=False).returncode
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="scoundrel-parts-") as name:
        runner = Runner(Path(name))
        with ThreadPoolExecutor(PARTS_AT_ONCE) as pool:
            results = list(pool.map(runner.run, parts_of(group, rest)))
    print("\nTime of each part:")
    for result in sorted(results, key=lambda one: -one.seconds):
        print(f"{result.seconds:7.1f} s  {result.part.name}: {result.tally}")
    print(f"{time.monotonic() - started:7.1f} s  in all")
    total = Tally()
    for result in results:
        total += result.tally
    failed = [result.part.name for result in results if result.tally.failed]
    if failed:
        print(f"\nFailed: {', '.join(failed)}")
    print(f"\n{total}", flush=True)
    return 1 if failed else 0


class Runner:
    """Runs parts from several threads; prints one part's output at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()

    def run(self, part: Part) -> Result:
        """Run a part; print its output when it ends."""
        if part.needs_chromium and not any(map(shutil.which, CHROMIUM)):
            tally = Tally(failed=1) if IN_CI else Tally(skipped=1)
            self._print(part, "SKIPPED: found no Chromium, so no browser test ran.\n")
            return Result(part, tally, 0.0)
        with self._lock:
            print(f"started: {part.name}", flush=True)
        name = re.sub(r"\W+", "-", part.name)
        report, output = self._folder / f"{name}.xml", self._folder / f"{name}.log"
        command = list(part.command)
        if part.counts:
            on_page = part.folder == FRONTEND
            command.append(
                f"--outputFile.junit={report}" if on_page else f"--junitxml={report}"
            )
        started = time.monotonic()
        environ = os.environ | part.environ
        with output.open("w") as log:
            done = subprocess.run(
                command, cwd=part.folder, env=environ, check=False,
                stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        seconds = time.monotonic() - started
        self._print(part, output.read_text(errors="replace"))
        counted = report if part.counts else None
        return Result(part, _tally(counted, done.returncode), seconds)

    def _print(self, part: Part, text: str) -> None:
        with self._lock:
            print(f"\n=== {part.name} ===\n{text}", flush=True)


def _tally(report: Path | None, returned: int) -> Tally:
    """Count a part's tests; a failure outside the tests counts as one."""
    if report is None:
        return Tally(failed=1) if returned else Tally(passed=1)
    tally = Tally()
    if report.exists():
        for suite in ET.parse(report).getroot().iter("testsuite"):
            number = {key: int(suite.get(key, "0")) for key in COUNTED}
            failed, skipped = sum(number[key] for key in FAILURES), number["skipped"]
            tally += Tally(number["tests"] - failed - skipped, failed, skipped)
    if returned and not tally.failed:
        tally.failed = 1
    return tally


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
