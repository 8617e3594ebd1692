"""The scanner in every test: each answer of Django's test clients goes through it."""

from typing import Any

import pytest
from django.test import Client

from tests.scanner import scan

# Pages that show any card to anybody by design: what is known of all dungeons.
OPEN = ("/api/v1/schema/", "/api/v1/docs/", "/static/")


@pytest.fixture(autouse=True)
def scanner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer of a test client is read by the scanner before the test sees it."""
    plain = Client.generic

    def generic(
        self: Client, method: str, path: str, data: Any = b"", *args: Any, **more: Any
    ) -> Any:
        answer = plain(self, method, path, data, *args, **more)
        if not (str(path).startswith(OPEN) or answer.streaming):
            sent = data if isinstance(data, bytes) else str(data).encode()
            scan(answer.content, _account_of(answer), sent)
        return answer

    monkeypatch.setattr(Client, "generic", generic)


def _account_of(answer: Any) -> str | None:
    session = getattr(answer.wsgi_request, "session", None)
    return session.get("_auth_user_id") if session is not None else None
