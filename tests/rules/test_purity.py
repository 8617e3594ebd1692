"""`game.rules` is pure: no framework, clock, randomness, or import of higher layers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import game.rules

ROOT = Path(game.rules.__file__).parents[2]
MODULES = sorted(Path(game.rules.__file__).parent.glob("*.py"))
FRAMEWORKS = ("django", "rest_framework", "channels", "celery", "redis", "allauth")
# Randomness, clocks, files, networks, threads: not allowed in a pure layer.
FORBIDDEN = {
    "asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib",
    "random", "secrets", "socket", "sys", "tempfile", "threading", "time", "uuid",
    "zoneinfo",
}  # fmt: skip
ALLOWED = {
    "__future__", "collections", "dataclasses", "enum", "hashlib", "hmac", "re",
    "types", "typing", "game",
}  # fmt: skip

FRESH = """
import sys
before = set(sys.modules)
import game.rules as r
state = r.start(r.RULESETS["tavern-1"], r.deal("a"))
r.observe(r.apply(state, "avoid")[0])
print("\\n".join(sorted(set(sys.modules) - before)))
"""


def _loaded_by_rules() -> set[str]:
    answer = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            f"import sys; sys.path[:0] = [{str(ROOT)!r}]" + FRESH,
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(answer.stdout.split())


def test_importing_rules_loads_only_allowed_modules() -> None:
    loaded = _loaded_by_rules()
    tops = {name.partition(".")[0] for name in loaded}
    assert not tops & set(FRAMEWORKS)
    assert not tops & {"random", "secrets", "datetime", "uuid", "socket", "asyncio"}
    ours = {name for name in loaded if name.startswith("game.")}
    assert ours == {name for name in ours if f"{name}.".startswith("game.rules.")}


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module))
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imports(path: Path) -> None:
    imported = _imports(path)
    tops = {name.partition(".")[0] for name in imported}
    assert not tops & FORBIDDEN
    assert tops <= ALLOWED
    inside = {name for name in imported if name.startswith("game")}
    assert all(name.startswith("game.rules.") for name in inside)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_module_has_global_state_or_io(path: Path) -> None:
    """No `global`, no input or output: results depend on arguments only."""
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, ast.Global | ast.Nonlocal)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input", "exec", "eval"}


def test_public_names_exist() -> None:
    names = game.rules.__all__
    assert sorted(names, key=lambda n: (not n.isupper(), n.islower(), n)) == names
    assert all(hasattr(game.rules, name) for name in names)
    protocol = {
        "RULESETS", "deal", "start", "legal_moves", "apply", "score", "observe",
        "parse_move", "seal_of", "IllegalMove", "MalformedMove",
    }  # fmt: skip
    assert protocol <= set(names)
