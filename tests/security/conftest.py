"""A web process to be rough with, as it runs in production but for TLS."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.ws.web_process import WebProcess


@pytest.fixture(scope="session")
def security_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the process says what it has to say."""
    return tmp_path_factory.mktemp("security")


@pytest.fixture(scope="session")
def running_bare_web(
    django_db_setup: None, security_folder: Path
) -> Iterator[WebProcess]:
    """One process for all tests here, with the limits of production."""
    # Without Valkey: sockets are counted by address there, and others test beside us.
    settings = {"DJANGO_SETTINGS_MODULE": "tests.security.site_settings"}
    web = WebProcess(security_folder, REDIS_URL="", **settings).start()
    yield web
    web.stop()


@pytest.fixture
def bare_web(transactional_db: None, running_bare_web: WebProcess) -> WebProcess:
    """That process, on tables that are empty before and after."""
    return running_bare_web
