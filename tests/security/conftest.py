"""A web process with the limits of production, for abusive requests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.ws.web_process import WebProcess


@pytest.fixture(scope="session")
def security_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the process's log files."""
    return tmp_path_factory.mktemp("security")


@pytest.fixture(scope="session")
def running_bare_web(
    django_db_setup: None, security_folder: Path
) -> Iterator[WebProcess]:
    """One process with the limits of production, for all tests of this folder."""
    # Without Valkey, which would count the sockets of parallel tests together.
    settings = {"DJANGO_SETTINGS_MODULE": "tests.security.site_settings"}
    web = WebProcess(security_folder, REDIS_URL="", **settings).start()
    yield web
    web.stop()


@pytest.fixture
def bare_web(transactional_db: None, running_bare_web: WebProcess) -> WebProcess:
    """The process, with empty tables before and after the test."""
    return running_bare_web
