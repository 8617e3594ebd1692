"""The code does not evaluate text, call other machines or write raw markup."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = [
    file
    for package in ("game", "api", "scoundrel_site")
    for file in (ROOT / package).rglob("*.py")
    if "migrations" not in file.parts
]
PAGE = [
    file
    for kind in ("*.ts", "*.svelte")
    for file in (ROOT / "frontend" / "src").rglob(kind)
    if not file.name.endswith((".test.ts", ".d.ts"))
]
# Calls that evaluate text or load objects from it.
EVALUATES = re.compile(
    r"^(eval|exec|compile|__import__|os\.(system|popen)|pickle\.loads?|marshal\.loads?"
    r"|yaml\.(load|unsafe_load)|shelve\.open|mark_safe|SafeString|format_html_join)$"
)
# Modules with unsafe parsers, or that call other machines.
UNSAFE_MODULES = re.compile(
    r"^(xml|lxml|pickle|marshal|shelve|ldap|requests|httpx|aiohttp)\b"
)
# `play` calls the site's own health check; `outgoing` calls addresses of the operator.
CALLS_OUT = {"game/management/commands/play.py", "game/services/core/outgoing.py"}
OUTGOING_FOR = ("game/tasks/", "game/management/")
MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    r"|\{@html|javascript:|window\.opener|__proto__"
)


def name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def dangers(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = name_of(node.func)
            if EVALUATES.match(name):
                yield name
            for keyword in node.keywords:
                value = keyword.value
                if keyword.arg == "shell" and not (
                    isinstance(value, ast.Constant) and value.value is False
                ):
                    yield f"{name}(shell=)"
        elif isinstance(node, ast.Import):
            yield from (
                one.name for one in node.names if UNSAFE_MODULES.match(one.name)
            )
        elif isinstance(node, ast.ImportFrom) and UNSAFE_MODULES.match(
            node.module or ""
        ):
            yield str(node.module)


def where(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def test_no_text_is_evaluated() -> None:
    found = {
        where(file): names
        for file in CODE
        if (names := list(dangers(ast.parse(file.read_text(encoding="utf-8")))))
    }
    assert found == {}


def test_no_other_machine_is_called() -> None:
    callers = {
        where(file)
        for file in CODE
        if re.search(
            r"urlopen|build_opener|http\.client|HTTPConnection", file.read_text("utf-8")
        )
    }
    assert callers == CALLS_OUT


def test_only_tasks_and_commands_call_other_machines() -> None:
    users = {
        where(file)
        for file in CODE
        if re.search(r"core\.outgoing|import outgoing", file.read_text("utf-8"))
    }
    assert users
    assert [one for one in users if not one.startswith(OUTGOING_FOR)] == []


def test_the_page_writes_text_not_markup() -> None:
    found = {
        where(file): MARKUP.findall(text)
        for file in PAGE
        if MARKUP.search(text := file.read_text(encoding="utf-8"))
    }
    assert found == {}


@pytest.mark.parametrize(
    "planted",
    [
        "eval('1')",
        "import subprocess\nsubprocess.run('ls', shell=True)",
        "from xml.etree import ElementTree",
        "import pickle",
        "os.system('ls')",
    ],
)
def test_planted_danger_is_found(planted: str) -> None:
    assert list(dangers(ast.parse(planted)))
