"""A site to measure the wire on: servers of its own, and one web process.

PostgreSQL keeps its durable settings. `wire_people` fills the database.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import django

from game.management.children import Child
from game.management.valkey import free_port, wait_for_port
from tests.parts import ROOT
from tests.servers import servers

WIDE = {
    "WS_BURST": "100000",
    "WS_PER_SECOND": "100000",
    "WS_SOCKETS_PER_ACCOUNT": "100000",
    "WS_SOCKETS_PER_ADDRESS": "100000",
}


class Site:
    """The web process under measurement, and whatever fills its database."""

    def __init__(self, environ: dict[str, str], folder: Path) -> None:
        self.port = free_port()
        self.log = folder / f"web-{self.port}.log"
        self.environ, self.folder = environ, folder
        options = ["-b", "127.0.0.1", "-p", str(self.port), "-v", "0"]
        command = [sys.executable, "-m", "daphne", *options]
        command.append("scoundrel_site.asgi:application")
        self.web = Child("The web process", command, environ, output=self.log)

    @contextmanager
    def another(self) -> Iterator["Site"]:
        """A second web process on the same servers."""
        other = Site(self.environ, self.folder)
        other.web.start()
        try:
            wait_for_port(other.port, other.web, 30)
            yield other
        finally:
            other.web.stop()

    @property
    def pid(self) -> int:
        """The web process's."""
        assert self.web.process is not None
        return self.web.process.pid

    def headers(self, cookie: str) -> dict[str, str]:
        """A page's, of that session."""
        return {"Cookie": cookie, "Origin": f"http://127.0.0.1:{self.port}"}


@contextmanager
def bench_site() -> Iterator[Site]:
    """The servers, a migrated database, Django set up here too, and the web process."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        found = servers(with_database=True, with_redis=True, durable=True)
        environ = dict(os.environ) | stack.enter_context(found) | WIDE
        environ |= {
            "DJANGO_SETTINGS_MODULE": "tests.api.ws.site_settings",
            "PYTHONPATH": str(ROOT),
            "VAR_DIR": str(folder),
            "LOG_LEVEL": "WARNING",
        }
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=environ, check=True)
        os.environ |= environ
        django.setup()
        site = Site(environ, folder)
        site.web.start()
        stack.callback(site.web.stop)
        wait_for_port(site.port, site.web, 30)
        time.sleep(1)
        yield site
