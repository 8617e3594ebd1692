"""Mutation testing: `make mutants`, or python -m tests.mutants NAME.

mutmut writes a copy of the code with its mutants into the folder `mutants`
(configuration in pyproject.toml). This module collects the tests of a group of layers
once and tries each mutant in a fork of that process, on the tests that call the mutated
function: first those of its module, then the quickest. A mutant that no test kills
within CPU_SECONDS counts as a survivor, so a longer run could only raise the figures.
mutmut's own runner starts pytest anew for each mutant, which takes many times as long.

There are two groups. All mutants of the pure layers are tried on the pure tests, and
the command fails if fewer than 95 % of a layer's mutants are killed. Of the services
every tenth mutant is tried (all with MUTANT_SHARE=1), on SQLite, on the tests of those
services alone; code that only PostgreSQL runs survives there.

Results are kept beside the mutants: a killed mutant is tried again only after its
function has changed, a survivor each time. The command lists the survivors. Names limit
it, such as "game.contest.pairing*" or "game.services.boards*". `mutmut show MUTANT`
prints a mutant; tests/mutants.md lists the equivalent ones.
"""

import fnmatch
import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import libcst as cst
import pytest
from _pytest.runner import runtestprotocol
from django.db import connection, connections
from hypothesis import Phase, settings
from mutmut.mutation import file_mutation, trampoline
from mutmut.mutation.file_mutation import Mutation, MutationVisitor
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir

Node = TypeVar("Node", bound=cst.CSTNode)

ROOT = Path(__file__).resolve().parents[1]
LEAST_KILLED = 0.95
PATTERNS = "MUTANT_NAMES"
GROUP = "MUTANT_GROUP"
SECONDS_BETWEEN_SAVES = 10
CPU_SECONDS = 1.0
# These wrap a function when it is defined and change neither its name nor its
# arguments, so that mutmut may treat the function as an undecorated one.
TRANSPARENT = {"transaction.atomic", "retry_transaction"}


@dataclass(frozen=True)
class Group:
    """Layers whose mutants are tried in one process, and the tests that they meet."""

    layers: tuple[str, ...]
    tests: tuple[str, ...]
    least_killed: float
    share: int
    environ: Mapping[str, str]

    @property
    def calls(self) -> Path:
        """The file that stores which functions each test calls."""
        return Path(f"mutants-calls-{self.layers[0].replace('/', '-')}.json")


GROUPS = {
    "pure": Group(
        layers=("game/rules", "game/contest"),
        tests=("tests/rules", "tests/contest"),
        least_killed=LEAST_KILLED,
        share=1,
        environ={},
    ),
    "services": Group(
        layers=tuple(
            f"game/services/{subject}"
            for subject in ("runs", "races", "dailies", "boards")
        ),
        tests=tuple(
            f"tests/services/{subject}"
            for subject in ("runs", "races", "dailies", "boards")
        ),
        least_killed=0.0,
        share=int(os.environ.get("MUTANT_SHARE", "10")),
        environ={"TEST_DATABASE": "sqlite"},
    ),
}
# Exit codes of a mutant, as mutmut stores them.
SURVIVED, KILLED, NO_TESTS, TIMED_OUT = 0, 1, 33, 36
# These are tried again: a new test may kill them.
OPEN = (None, SURVIVED, NO_TESTS)


def main(names: Sequence[str]) -> int:
    """Run the mutants; return 1 if too many survive in a layer."""
    _generate()
    failed = 0
    for name, group in GROUPS.items():
        wanted = [f"{layer.replace('/', '.')}." for layer in group.layers]
        if names and not any(_may_match(one, wanted) for one in names):
            continue
        environ = os.environ | group.environ
        environ |= {PATTERNS: " ".join(names) or "*", GROUP: name}
        command = [
            *(sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants"),
            *("-p", "no:cacheprovider", "-p", "no:randomly", "--hypothesis-seed=0"),
            *("-s", "--assert=plain", "--tb=native"),
            *("--rootdir=.", "--ignore=tests/rules/test_purity.py"),
            *group.tests,
        ]
        subprocess.run(command, cwd=ROOT / "mutants", env=environ, check=True)
        for layer in group.layers:
            failed |= _report(layer, group.least_killed)
    return failed


def _may_match(pattern: str, packages: Sequence[str]) -> bool:
    """Return whether a pattern may name a mutant in one of the packages."""
    fixed = re.split(r"[*?\[]", pattern)[0]
    return any(
        fixed.startswith(package) or package.startswith(fixed) for package in packages
    )


def _generate() -> None:
    """Write the mutants; keep the results of functions that have not changed."""
    from mutmut.__main__ import create_mutants  # noqa: PLC0415

    os.chdir(ROOT)
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    _mutate_decorated_functions()
    create_mutants(max_children=1)


def _mutate_decorated_functions() -> None:
    """Let mutmut change functions whose decorators are all in TRANSPARENT.

    mutmut leaves decorated functions alone. Here it is shown the function without its
    decorators, and they are put back on the one that calls the mutants.
    """
    skip = MutationVisitor._skip_node_and_children
    arrange = file_mutation.function_trampoline_arrangement

    def skip_undecorated(visitor: MutationVisitor, node: cst.CSTNode) -> bool:
        return skip(visitor, _without_decorators(node))

    def arrange_undecorated(
        function: cst.FunctionDef, mutants: Iterable[Mutation], class_name: str | None
    ) -> Any:
        plain = _without_decorators(function)
        first, nodes, last, names = arrange(plain, mutants, class_name)
        if plain is not function:
            caller, *rest = cast("list[cst.FunctionDef]", nodes)
            decorators = [*function.decorators, *caller.decorators]
            nodes = [caller.with_changes(decorators=decorators), *rest]
        return first, nodes, last, names

    vars(file_mutation)["function_trampoline_arrangement"] = arrange_undecorated
    setattr(MutationVisitor, skip.__name__, skip_undecorated)


def _without_decorators(node: Node) -> Node:
    if isinstance(node, cst.FunctionDef) and node.decorators:
        module = cst.Module(body=[])
        words = {module.code_for_node(one.decorator) for one in node.decorators}
        if words <= TRANSPARENT:
            return node.with_changes(decorators=[])
    return node


def _report(layer: str, least_killed: float) -> int:
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
    return int(killed / total < least_killed)


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
    group = GROUPS[os.environ[GROUP]]
    tests_of, seconds = _calls(session.items, group.calls)
    items = {item.nodeid: item for item in session.items}
    restore_database = _stored_database()
    gc.freeze()
    for path in _meta_files(group):
        meta = json.loads(path.read_text())
        codes = meta["exit_code_by_key"]
        saved = time.monotonic()
        for mutant in [
            key for key, code in codes.items() if _is_wanted(key, code, group)
        ]:
            names = tests_of.get(mutant.rpartition("__mutmut_")[0], [])
            tests = [items[name] for name in names]
            # Stable, so that within a group the quickest are first.
            own = f"/test_{path.name.removesuffix('.py.meta')}.py"
            tests.sort(key=lambda test: own not in test.nodeid)
            codes[mutant] = _try(mutant, tests, seconds) if tests else NO_TESTS
            if codes[mutant] == TIMED_OUT:
                restore_database()
            if codes[mutant] in OPEN:
                print(f"survived: {mutant}", flush=True)
            if time.monotonic() - saved > SECONDS_BETWEEN_SAVES:
                path.write_text(json.dumps(meta, indent=4))
                saved = time.monotonic()
        path.write_text(json.dumps(meta, indent=4))
    return True


def _stored_database() -> Callable[[], None]:
    """Return a function that puts the SQLite database back into its present state.

    A test that is ended by the timer does not remove the rows it has committed.
    """
    name = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite" or not Path(name).exists():
        return lambda: None
    connections.close_all()
    copy = Path(f"{name}.copy")
    shutil.copyfile(name, copy)

    def restore() -> None:
        for ending in ("-wal", "-shm"):
            Path(f"{name}{ending}").unlink(missing_ok=True)
        shutil.copyfile(copy, name)

    return restore


def _meta_files(group: Group) -> list[Path]:
    """Return mutmut's files of results, those with the fewest mutants first."""
    paths = [path for layer in group.layers for path in Path(layer).rglob("*.meta")]
    return sorted(paths, key=lambda path: path.stat().st_size)


def _is_wanted(mutant: str, code: int | None, group: Group) -> bool:
    patterns = os.environ[PATTERNS].split()
    named = any(fnmatch.fnmatch(mutant, pattern) for pattern in patterns)
    return code in OPEN and named and hash_of(mutant) % group.share == 0


def _calls(
    items: Sequence[pytest.Item], stored: Path
) -> tuple[dict[str, list[str]], dict[str, float]]:
    """Return the tests of each function, quickest first, and each test's seconds.

    Tests that are not known from an earlier run, or whose file has changed, are run
    once on the code without mutants. Those that fail there are named and left out:
    tests of services that need PostgreSQL.
    """
    known = json.loads(stored.read_text()) if stored.exists() else {}
    calls = {}
    for item in items:
        version = item.path.read_text()
        entry = known.get(item.nodeid)
        if entry is None or entry["version"] != hash_of(version):
            entry = {"version": hash_of(version), **_observe(item)}
        calls[item.nodeid] = entry
    stored.write_text(json.dumps(calls))
    for name in [name for name, entry in calls.items() if not entry["passed"]]:
        print(f"not used, fails without a mutant: {name}", flush=True)
        del calls[name]
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
    passed = _passes(item)
    return {
        "passed": passed,
        "functions": sorted(functions),
        "seconds": time.process_time() - began,
    }


def _try(mutant: str, tests: Sequence[pytest.Item], seconds: dict[str, float]) -> int:
    connections.close_all()  # a connection may not be shared with the child
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
    # As if another test of the session followed: its fixtures, such as the database,
    # stay, and all others end.
    session = cast("pytest.Item", item.session)
    reports = runtestprotocol(item, log=False, nextitem=session)
    return all(not report.failed for report in reports)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
