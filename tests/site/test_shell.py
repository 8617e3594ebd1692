"""The page's shell: which addresses it answers, and with what headers."""

import pytest
from django.test import Client

# Every client's answers are scanned for what is hidden, which needs the database.
pytestmark = pytest.mark.django_db


@pytest.fixture
def built(tmp_path, settings):
    (tmp_path / "index.html").write_text("<!doctype html><title>Scoundrel</title>")
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


@pytest.mark.parametrize(
    "path", ["/", "/play", "/runs/abc/replay", "/players/a.b", "/apiary"]
)
def test_the_clients_routes(client: Client, built, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert b"Scoundrel" in answer.content
    assert answer["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    "path",
    ["/api/v1/none", "/api/", "/static/none.js", "/none.png", "/wp-login.php", "/ws/x"],
)
def test_what_is_not_the_clients(client: Client, built, path):
    assert client.get(path).status_code == 404


def test_the_shell_sets_the_token_and_is_not_kept(client: Client, built):
    answer = client.get("/")
    assert answer.cookies["csrftoken"]["samesite"] == "Lax"
    assert not answer.cookies["csrftoken"]["httponly"]
    assert answer["Cache-Control"] == "no-cache"


def test_a_page_not_built_is_said(client: Client, settings, tmp_path):
    settings.FRONTEND_DIST = tmp_path
    answer = client.get("/")
    assert answer.status_code == 503
    assert b"is not built yet" in answer.content


def test_the_shell_is_only_read(client: Client, built):
    assert client.post("/").status_code in {403, 405}


def test_the_headers_are_strict(client: Client, built):
    answer = client.get("/")
    policy = dict(
        part.strip().split(" ", 1)
        for part in answer["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["img-src"] == "'self' data:"
    assert policy["connect-src"] == "'self'"
    for name in ("object-src", "base-uri", "frame-ancestors"):
        assert policy[name] == "'none'"
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
