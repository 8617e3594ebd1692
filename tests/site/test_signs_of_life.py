"""A web process writes signs of life from its first request on, even after errors."""

import threading
from typing import Any

import pytest
from django.db import OperationalError, connection

from game.contest.outages import ProcessRole
from game.models import SignOfLife
from game.services.core import liveness
from scoundrel_site import signs_of_life


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The threads that would have been started."""
    found: list[dict[str, Any]] = []

    class Thread:
        def __init__(self, **fields: Any) -> None:
            found.append(fields)

        def start(self) -> None:
            found[-1]["started"] = True

    monkeypatch.setattr(threading, "Thread", Thread)
    monkeypatch.setattr(liveness, "_roles", [ProcessRole.WORKER])
    signs_of_life.start_signing.cache_clear()
    return found


@pytest.mark.parametrize("wanted", [True, False])
def test_one_thread_signs(
    threads: list[dict[str, Any]], settings: Any, wanted: bool
) -> None:
    settings.WEB_SIGNS_OF_LIFE = wanted
    for _ in range(2):
        signs_of_life.start_signing()
    assert [one["started"] for one in threads] == [True] * wanted
    assert liveness.current_role() is (
        ProcessRole.WEB if wanted else ProcessRole.WORKER
    )
    signs_of_life.start_signing.cache_clear()


@pytest.mark.django_db
@pytest.mark.parametrize("error", [None, OperationalError("gone"), ValueError("bug")])
def test_signing_goes_on_after_an_error(
    threads: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception | None,
) -> None:
    liveness.become_web_process()
    if error is not None:

        def fail(**_: Any) -> None:
            raise error

        monkeypatch.setattr(signs_of_life, "sign_of_life_record", fail)
        closed: list[bool] = []
        monkeypatch.setattr(connection, "close", lambda: closed.append(True))
        signs_of_life._sign()
        assert closed == [True]
        return
    signs_of_life._sign()
    assert SignOfLife.objects.get().role == "web"
