"""A site for benchmarks: PostgreSQL with durable settings, Valkey, one web process."""

import os
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
from tests.servers import migrate, servers

NO_LIMITS = {
    "WS_BURST": "100000",
    "WS_PER_SECOND": "100000",
    "WS_SOCKETS_PER_ACCOUNT": "100000",
    "WS_SOCKETS_PER_ADDRESS": "100000",
}


class Site:
    """The web process that is measured."""

    def __init__(self, environ: dict[str, str], folder: Path) -> None:
        self.port = free_port()
        self.log = folder / f"web-{self.port}.log"
        self.environ, self.folder = environ, folder
        options = ["-b", "127.0.0.1", "-p", str(self.port), "-v", "0"]
        command = [sys.executable, "-m", "daphne", *options]
        command.append("scoundrel_site.asgi:application")
        self.web = Child("The web process", command, environ, output=self.log)

    @contextmanager
    def second_process(self) -> Iterator["Site"]:
        """Run a second web process on the same PostgreSQL and Valkey."""
        other = Site(self.environ, self.folder)
        other.web.start()
        try:
            wait_for_port(other.port, other.web, 30)
            yield other
        finally:
            other.web.stop()

    @property
    def pid(self) -> int:
        """The id of the web process."""
        assert self.web.process is not None
        return self.web.process.pid

    def headers(self, cookie: str) -> dict[str, str]:
        """The headers of a browser's socket with that session cookie."""
        return {"Cookie": cookie, "Origin": f"http://127.0.0.1:{self.port}"}


@contextmanager
def bench_site() -> Iterator[Site]:
    """Start servers and web process, migrate, and set Django up in this process."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = servers(with_database=True, with_redis=True, durable=True)
        environ = dict(os.environ) | stack.enter_context(running) | NO_LIMITS
        environ |= {
            "DJANGO_SETTINGS_MODULE": "tests.api.ws.site_settings",
            "PYTHONPATH": str(ROOT),
            "VAR_DIR": str(folder),
            "LOG_LEVEL": "WARNING",
        }
        migrate(environ)
        os.environ |= environ
        django.setup()
        site = Site(environ, folder)
        site.web.start()
        stack.callback(site.web.stop)
        wait_for_port(site.port, site.web, 30)
        time.sleep(1)
        yield site
