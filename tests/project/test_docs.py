"""What the documentation names exists: paths, headings, modules, commands, settings.

Numbers are compared with the code. Checked in README, CONTRIBUTING, CHANGELOG, SECURITY
and every page of docs/. Names are read from `code` and from indented or fenced blocks,
paths from links as well.
"""

import importlib.util
import json
import re
from collections.abc import Container, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands

import run
from api.daphne_internals import MAX_BODY_BYTES
from game.contest.ranking import MAX_RATING_DEVIATION
from game.contest.rating import PROVISIONAL_ABOVE
from game.services.core import rate_limits
from game.services.core.throttles import Limit
from scoundrel_site.passwords import LightArgon2Hasher

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    ROOT / ".github" / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
# Folders that a path may start from.
FOLDERS = ["api", "docs", "frontend", "game", "requirements", "scoundrel_site", "tests"]
LAYERS = ("rules", "contest", "analysis", "models", "selectors", "services", "admin")
# Written while the site runs or is built.
MADE = ("var", "frontend/dist", "frontend/node_modules")

REAUTHENTICATION_MINUTES = settings.ACCOUNT_REAUTHENTICATION_TIMEOUT // 60

CODE = re.compile(r"`([^`]+)`")
BLOCK = re.compile(
    r"^(?: {4}|\t)([^\n]*)$|^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
MIGRATION = re.compile(r"\b\d{4}_[a-z]\w+")
PATH = re.compile(r"(?<![\w/:.$<-])(?:\./)?((?:[\w.*<>-]+/)+[\w.*<>-]*)")
DOTTED = re.compile(r"(?<![\w/.@-])((?:game|api|scoundrel_site|tests)(?:\.\w+)+)")
SETTING = re.compile(r"(?<![\w.-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w*]|-)")
MANAGE = re.compile(r"manage\.py (\w+)")
MAKE = re.compile(r"(?:^|[^\w-])make ((?:[a-z]+\b ?)+)")
RUN = re.compile(r"run\.py ([a-z]+)\b")
MODULE = re.compile(r"python3? -m ([\w.]+)")
NPM = re.compile(r"npm run ([\w:-]+)")


def code_of(text: str) -> Iterator[str]:
    """Return every `code` and every code block of a page."""
    for indented, fenced in BLOCK.findall(text):
        yield indented or fenced
    yield from (one.replace("\n", " ") for one in CODE.findall(BLOCK.sub("", text)))


def problems(text: str, folder: Path) -> list[str]:
    """Return what a page names and the repository does not have."""
    found = [
        f"link: {target}"
        for target in LINK.findall(text)
        if "://" not in target and not link_leads_somewhere(target, text, folder)
    ]
    for code in code_of(text):
        found += [
            f"migration: {one}"
            for one in MIGRATION.findall(code)
            if not (ROOT / "game" / "migrations" / f"{one}.py").is_file()
        ]
        found += [f"path: {one}" for one in PATH.findall(code) if not path_exists(one)]
        found += [f"name: {one}" for one in DOTTED.findall(code) if not resolves(one)]
        found += [f"setting: {one}" for one in SETTING.findall(code) if not known(one)]
        found += [f"command: {one}" for one in missing_commands(code)]
    return found


def link_leads_somewhere(target: str, text: str, folder: Path) -> bool:
    """Whether a link of a page with this text has a file and, after #, a heading."""
    name, _, anchor = target.partition("#")
    if name and not (folder / name).exists():
        return False
    if not anchor:
        return True
    page = (folder / name).read_text(encoding="utf-8") if name else text
    return anchor in {anchor_of(heading) for heading in HEADING.findall(page)}


def anchor_of(heading: str) -> str:
    """Return the anchor that GitHub makes of a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def path_exists(path: str) -> bool:
    """Whether a path, or a pattern for one (`<subject>`, `*`), names something.

    Paths that start with no folder of ours (an address, a media type) pass.
    """
    path = re.sub(r"<\w+>", "*", path).rstrip("./")
    first = path.partition("/")[0]
    if first not in (*FOLDERS, *LAYERS, "var") or path.startswith(MADE):
        return True
    base = ROOT / "game" if first in LAYERS else ROOT
    if "test_" in path and first != "tests":
        base = ROOT / "tests"  # docs/security.md names tests from there
    if any(base.glob(path)) or any(base.glob(f"{path}.py")):
        return True
    module, _, name = path.rpartition(".")
    file = base / f"{module}.py"
    return file.is_file() and defines(file, name)


def resolves(dotted: str) -> bool:
    """Whether a dotted name is a module, a package or something that one defines."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:end])
        rest = parts[end:]
        if place.is_dir() and (not rest or place.joinpath("__init__.py").is_file()):
            file = place / "__init__.py"
            return not rest or defines(file, rest[0])
        if place.with_suffix(".py").is_file():
            return not rest or defines(place.with_suffix(".py"), rest[0])
    return False


def defines(file: Path, name: str) -> bool:
    """Whether the name occurs in the file as a whole word."""
    return bool(re.search(rf"\b{re.escape(name)}\b", file.read_text(encoding="utf-8")))


def known(name: str) -> bool:
    """Whether a setting or a variable of the environment is read anywhere."""
    return name in names_in_code() or hasattr(settings, name)


def names_in_code() -> set[str]:
    if not _NAMES:
        folders = ("api", "game", "scoundrel_site", "tests")
        files = [one for folder in folders for one in (ROOT / folder).rglob("*.py")]
        files += [ROOT / "run.py", ROOT / "docker-compose.yml", ROOT / ".env.example"]
        for file in files:
            if file != Path(__file__):
                _NAMES.update(re.findall(r"\b[A-Z][A-Z0-9_]+\b", file.read_text()))
        # SOCIAL_GITHUB_ID: made of the provider's name.
        _NAMES.update({"SOCIAL_GITHUB_ID", "SOCIAL_GITHUB_SECRET", "_SECRET"})
    return _NAMES


_NAMES: set[str] = set()


def missing_commands(code: str) -> Iterator[str]:
    """Return the commands that do not exist."""
    targets = re.findall(r"^([a-z ]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    scripts = json.loads((ROOT / "frontend" / "package.json").read_text())["scripts"]
    kinds: list[tuple[str, re.Pattern[str], Container[str]]] = [
        ("manage.py", MANAGE, get_commands()),
        ("make", MAKE, " ".join(targets).split()),
        ("run.py", RUN, (*run.COMMANDS, *run.PARTS)),
        ("npm run", NPM, scripts),
    ]
    for caller, pattern, known_names in kinds:
        for name in pattern.findall(code):
            if name.split()[0] not in known_names:
                yield f"{caller} {name.strip()}"
    for name in MODULE.findall(code):
        if not resolves(name) and importlib.util.find_spec(name.split(".")[0]) is None:
            yield f"python -m {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_everything_a_page_names_exists(page: Path) -> None:
    assert problems(page.read_text(encoding="utf-8"), page.parent) == []


@pytest.mark.parametrize(
    "planted",
    [
        "[the rules](rulez.md)",
        "[the rules](rules.md#no-such-heading)",
        "[above](#no-such-heading)",
        "`0001_no_such_migration`",
        "`game/rules/no_such_file.py`",
        "`services/runs/no_such_module`",
        "`services/runs/moves/play.no_such_function`",
        "`api/rest/<subject>/no_such_file.py`",
        "`game.rules.no_such_name`",
        "`game.no_such_package.module`",
        "`NO_SUCH_SETTING`",
        "`NO_SUCH_SETTING=1 make run`",
        "`manage.py no_such_command`",
        "    make nosuchtarget\n",
        "`python3 run.py nosuchcommand`",
        "`python -m tests.no_such_module`",
        "```\nnpm run no-such-script\n```",
    ],
)
def test_planted_false_name_is_found(planted: str) -> None:
    text = f"Some words.\n\n{planted}\n\nMore words.\n"
    assert len(problems(text, ROOT / "docs")) == 1


def test_text_after_a_code_block_is_not_code() -> None:
    text = "    make run\n\nLet them make the same choices in `NO_SUCH_SETTING`.\n"
    assert problems(text, ROOT / "docs") == ["setting: NO_SUCH_SETTING"]


# --- Numbers ------------------------------------------------------------------


def span_text(seconds: int) -> str:
    for unit, name in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds % unit == 0:
            return name if seconds == unit else f"{seconds // unit} {name}s"
    return f"{seconds} s"


def test_the_limits_table_is_that_of_the_code() -> None:
    text = (ROOT / "docs" / "accounts.md").read_text(encoding="utf-8")
    row = re.compile(r"^\| `([\w.]+)` \| (\d+) \| ([\w ]+) \|", re.MULTILINE)
    listed = {name: (int(times), per) for name, times, per in row.findall(text)}
    rows = [one for one in vars(rate_limits).values() if isinstance(one, Limit)]
    assert listed == {one.name: (one.most, span_text(one.window_s)) for one in rows}


def test_every_invariant_of_verify_invariants_is_listed() -> None:
    folder = ROOT / "game" / "services" / "maintenance" / "invariants"
    checked = {
        number
        for file in folder.glob("*.py")
        for number in re.findall(r'"(I\d+)"', file.read_text(encoding="utf-8"))
    }
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:I\d+ ?)+)\|", text, re.MULTILINE)
    assert sorted(" ".join(rows).split()) == sorted(checked)


@pytest.mark.parametrize(
    ("page", "pattern", "value"),
    [
        ("accounts", r"Argon2id, (\d+) MiB", LightArgon2Hasher.memory_cost // 1024),
        ("accounts", r"`MOVES_A_SECOND`.*?\| (\d+),", 10),
        ("accounts", r"`MOVES_AT_ONCE` \| \d+, (\d+)", 40),
        ("accounts", r"at least (\d) of zxcvbn", settings.PASSWORD_MINIMAL_STRENGTH),
        ("accounts", r"(\d+) minutes old", REAUTHENTICATION_MINUTES),
        ("dailies", r"deviation below (\d+)", int(MAX_RATING_DEVIATION)),
        ("operations", r"`DATABASE_POOL` \((\d+)", 12),
        ("operations", r"at (\d+) KiB \(413\)", MAX_BODY_BYTES // 1024),
        ("operations", r"`REQUEST_WITHIN_S` \((\d+) s", int(settings.REQUEST_WITHIN_S)),
        ("races", r"deviation of (\d+)", int(PROVISIONAL_ABOVE)),
        ("security", r"(\d+) connections", 12),
        ("security", r"at (\d+) KiB", MAX_BODY_BYTES // 1024),
        ("protocol", r"(\d+) KiB are unsent", settings.WS_UNSENT_BYTES // 1024),
    ],
)
def test_number_is_that_of_the_code(page: str, pattern: str, value: int) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    found = re.search(pattern, " ".join(text.split()))
    assert found, f"docs/{page}.md no longer says {pattern!r}: correct this table"
    assert int(found[1]) == value
