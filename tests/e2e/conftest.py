"""Fixtures: a running site with its own database, and Chromium pages.

Browser tests use URLs and pages only; they never import a model.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from game.management.children import Child
from game.management.valkey import free_port, wait_for_port
from tests.parts import CHROMIUM, ROOT
from tests.servers import migrate, migrated_database

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
# No network traffic of Chromium's own; Chromium run as root has no sandbox.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
START_TIMEOUT_S = 60.0

NewPage = Callable[..., Page]
addresses = ip_network("198.18.0.0/15").hosts()


@pytest.fixture(scope="session")
def mail_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the site writes its mails, one file for each connection."""
    return tmp_path_factory.mktemp("mail")


@pytest.fixture(scope="session")
def site_environ(
    tmp_path_factory: pytest.TempPathFactory, mail_folder: Path
) -> dict[str, str]:
    """The environment of the site's processes, with their own database and files."""
    mail = {"EMAIL_URL": f"filemail:///{mail_folder}"}
    return _environment(tmp_path_factory.mktemp("site")) | mail


@pytest.fixture(scope="session")
def site(site_environ: dict[str, str]) -> Iterator[str]:
    """The URL of a running site with an empty database."""
    environ, port = site_environ, free_port()
    options = ["-b", "127.0.0.1", "-p", str(port), "-v", "0"]
    command = [sys.executable, "-m", "daphne", *options]
    web = Child("The site", [*command, "scoundrel_site.asgi:application"], environ)
    web.start()
    try:
        wait_for_port(port, web, START_TIMEOUT_S)
        address = f"http://127.0.0.1:{port}"
        _wait_for_answer(f"{address}/healthz")
        yield address
    finally:
        web.stop()


@pytest.fixture(scope="module")
def worker(
    site: str, site_environ: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Run a Celery worker with its beat while the tests of a module run."""
    if not site_environ.get("REDIS_URL"):
        pytest.skip("a worker and its beat need Valkey between them")
    folder: Path = tmp_path_factory.mktemp("worker")
    app = ["-m", "celery", "-q", "-A", "scoundrel_site.celery", "worker", "-B"]
    how = ["-P", "threads", "-c", "3", "--without-gossip", "--without-mingle"]
    schedule = ["-s", str(folder / "beat"), "--loglevel", "WARNING"]
    child = Child(
        "The worker",
        [sys.executable, *app, *how, *schedule],
        site_environ | {"DAILY_CHOOSE_AHEAD_DAYS": "-1"},
    )
    child.start()
    yield
    child.stop()


def _environment(var: Path) -> dict[str, str]:
    environ = dict(os.environ, DJANGO_SETTINGS_MODULE="scoundrel_site.settings.dev")
    environ |= {"VAR_DIR": str(var), "PYTHONPATH": str(ROOT), "LOG_LEVEL": "WARNING"}
    environ["TRUSTED_PROXY_COUNT"] = "1"  # see new_page
    if server := environ.get("DATABASE_URL"):
        environ["DATABASE_URL"] = migrated_database(server, environ)
    else:  # SQLite
        migrate(environ)
    return environ


def _wait_for_answer(url: str) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        try:
            with urlopen(url, timeout=5):
                return
        except URLError:
            time.sleep(0.1)
    raise TimeoutError(f"{url} does not answer")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium, or skip the test if it is not installed."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        pytest.skip("no Chromium was found")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium process for all tests."""
    with chromium() as started:
        yield started


@pytest.fixture
def new_page(browser: Browser, site: str) -> Iterator[NewPage]:
    """Open a page for a new visitor: new_page(viewport=PHONE, ...).

    Each visitor has a different IP address (sent as a proxy would send it), so that
    rate limits by address do not add up over the tests. The test fails at its end if a
    page logged a console error, including a content security policy violation.
    """
    contexts, errors = [], list[str]()

    def open_page(**options: object) -> Page:
        where = {"X-Forwarded-For": str(next(addresses))}
        given: dict[str, Any] = {
            "base_url": site,
            "extra_http_headers": where,
            "viewport": PHONE,
            "service_workers": "block",
            # Animations are slow; tests of animations override this.
            "reduced_motion": "reduce",
            **options,
        }
        context = browser.new_context(**given)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: _record_error(errors, message))
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def _record_error(errors: list[str], message: ConsoleMessage) -> None:
    # Chromium logs 4xx responses too; they are not errors of the page.
    if message.type == "error" and "Failed to load resource" not in message.text:
        errors.append(message.text)
