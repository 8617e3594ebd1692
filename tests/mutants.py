"""Mutation testing of the pure layers: `make mutants`, or python -m tests.mutants NAME.

mutmut writes a copy of the code with its mutants into the folder `mutants`
(configuration in pyproject.toml). This module collects the pure tests once and tries
each mutant in a fork of that process, on the tests that call the mutated function:
first those of its module, then the quickest. A mutant that no test kills within
CPU_SECONDS counts as a survivor, so a longer run could only raise the figures. mutmut's
own runner starts pytest anew for each mutant, which takes many times as long.

Results are kept beside the mutants: a killed mutant is tried again only after its
function has changed, a survivor each time. The command lists the survivors and fails if
fewer than 95 % of a layer's mutants are killed. Names limit it, such as
"game.contest.pairing*". `mutmut show MUTANT` prints a mutant; tests/mutants.md lists
the equivalent ones.
"""

import fnmatch
import gc
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings
from mutmut.mutation import trampoline
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("game/rules", "game/contest")
LEAST_KILLED = 0.95
CALLS = Path("mutants-calls.json")
PATTERNS = "MUTANT_NAMES"
SECONDS_BETWEEN_SAVES = 10
CPU_SECONDS = 1.0
# Exit codes of a mutant, as mutmut stores them.
SURVIVED, KILLED, NO_TESTS, TIMED_OUT = 0, 1, 33, 36
# These are tried again: a new test may kill them.
OPEN = (None, SURVIVED, NO_TESTS)


def main(names: Sequence[str]) -> int:
    """Run the mutants; return 1 if too many survive in a layer."""
    _generate()
    environ = os.environ | {PATTERNS: " ".join(names) or "*"}
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants"),
        *("-p", "no:cacheprovider", "-p", "no:randomly", "--hypothesis-seed=0"),
        *("-s", "--assert=plain", "--tb=native"),
        *("--rootdir=.", "--ignore=tests/rules/test_purity.py"),
        *("tests/rules", "tests/contest"),
    ]
    subprocess.run(command, cwd=ROOT / "mutants", env=environ, check=True)
    return max(_report(layer) for layer in LAYERS)


def _generate() -> None:
    """Write the mutants; keep the results of functions that have not changed."""
    from mutmut.__main__ import create_mutants  # noqa: PLC0415

    os.chdir(ROOT)
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(max_children=1)


def _report(layer: str) -> int:
    total = killed = 0
    for path in sorted((ROOT / "mutants" / layer).rglob("*.meta")):
        codes = json.loads(path.read_text())["exit_code_by_key"]
        tried = {key: code for key, code in codes.items() if code is not None}
        survivors = [key for key, code in tried.items() if code in OPEN]
        for key in survivors:
            print(f"survived: {key}")
        total += len(tried)
        killed += len(tried) - len(survivors)
        module = path.name.removesuffix(".py.meta")
        if codes:
            print(
                f"{layer}/{module}: {len(tried)} of {len(codes)} tried,"
                f" {len(survivors)} survived"
            )
    if not total:
        print(f"{layer}: no mutant was run")
        return 0
    print(f"{layer}: {killed / total:.1%} of {total} mutants killed")
    return int(killed / total < LEAST_KILLED)


# --- inside pytest, in the folder `mutants` -----------------------------------


def pytest_configure() -> None:
    """Let Hypothesis try few examples and shrink no failure."""
    settings.register_profile(
        "mutants",
        phases=(Phase.explicit, Phase.generate),
        max_examples=20,
        database=None,
        deadline=None,
    )
    settings.load_profile("mutants")


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Try the mutants instead of running the tests once."""
    if session.testsfailed:
        raise session.Interrupted("the tests could not be collected")
    tests_of, seconds = _calls(session.items)
    items = {item.nodeid: item for item in session.items}
    gc.freeze()
    for path in _meta_files():
        meta = json.loads(path.read_text())
        codes = meta["exit_code_by_key"]
        saved = time.monotonic()
        for mutant in [key for key, code in codes.items() if _is_wanted(key, code)]:
            names = tests_of.get(mutant.rpartition("__mutmut_")[0], [])
            tests = [items[name] for name in names]
            # Stable, so that within a group the quickest are first.
            own = f"/test_{path.name.removesuffix('.py.meta')}.py"
            tests.sort(key=lambda test: own not in test.nodeid)
            codes[mutant] = _try(mutant, tests, seconds) if tests else NO_TESTS
            if codes[mutant] in OPEN:
                print(f"survived: {mutant}", flush=True)
            if time.monotonic() - saved > SECONDS_BETWEEN_SAVES:
                path.write_text(json.dumps(meta, indent=4))
                saved = time.monotonic()
        path.write_text(json.dumps(meta, indent=4))
    return True


def _meta_files() -> list[Path]:
    """Return mutmut's files of results, those with the fewest mutants first."""
    paths = [path for layer in LAYERS for path in Path(layer).rglob("*.meta")]
    return sorted(paths, key=lambda path: path.stat().st_size)


def _is_wanted(mutant: str, code: int | None) -> bool:
    patterns = os.environ[PATTERNS].split()
    return code in OPEN and any(fnmatch.fnmatch(mutant, one) for one in patterns)


def _calls(
    items: Sequence[pytest.Item],
) -> tuple[dict[str, list[str]], dict[str, float]]:
    """Return the tests of each function, quickest first, and each test's seconds.

    Tests that are not known from an earlier run, or whose file has changed, are run
    once on the code without mutants.
    """
    known = json.loads(CALLS.read_text()) if CALLS.exists() else {}
    calls = {}
    for item in items:
        version = item.path.read_text()
        entry = known.get(item.nodeid)
        if entry is None or entry["version"] != hash_of(version):
            entry = {"version": hash_of(version), **_observe(item)}
        calls[item.nodeid] = entry
    CALLS.write_text(json.dumps(calls))
    seconds = {name: entry["seconds"] for name, entry in calls.items()}
    tests_of: dict[str, list[str]] = {}
    for name in sorted(calls, key=lambda name: seconds[name]):
        for function in calls[name]["functions"]:
            tests_of.setdefault(function, []).append(name)
    return tests_of, seconds


def hash_of(text: str) -> int:
    """Return a number that differs if the text differs."""
    return zlib.crc32(text.encode())


def _observe(item: pytest.Item) -> dict[str, object]:
    """Run a test without a mutant; return the functions it calls and its seconds."""
    functions: set[str] = set()
    trampoline.get_mutant_under_test = lambda: "stats"
    vars(trampoline)["record_trampoline_hit"] = lambda name, **_: functions.add(name)
    began = time.process_time()
    if not _passes(item):
        raise pytest.UsageError(f"{item.nodeid} fails without a mutant")
    return {
        "functions": sorted(functions),
        "seconds": time.process_time() - began,
    }


def _try(mutant: str, tests: Sequence[pytest.Item], seconds: dict[str, float]) -> int:
    child = os.fork()
    if child == 0:
        os._exit(_run_mutant(mutant, tests, seconds))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return TIMED_OUT if code == -signal.SIGVTALRM else code


def _run_mutant(
    mutant: str, tests: Sequence[pytest.Item], seconds: dict[str, float]
) -> int:
    """Run the tests until one fails; SIGVTALRM ends a test that does not end."""
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    trampoline.get_mutant_under_test = lambda: mutant
    gc.disable()
    until = time.process_time() + CPU_SECONDS
    for test in tests:
        if time.process_time() > until:
            break
        signal.setitimer(signal.ITIMER_VIRTUAL, 2 + 5 * seconds[test.nodeid])
        if not _passes(test):
            return KILLED
    return SURVIVED


def _passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=None)
    return all(not report.failed for report in reports)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
