"""The page's index.html: which routes return it, with which headers."""

import pytest
from django.test import Client

# Responses of test clients are scanned for hidden cards, which needs the database.
pytestmark = pytest.mark.django_db


@pytest.fixture
def built(tmp_path, settings):
    (tmp_path / "index.html").write_text("<!doctype html><title>Scoundrel</title>")
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


@pytest.mark.parametrize(
    "path", ["/", "/play", "/runs/abc/replay", "/players/a.b", "/apiary"]
)
def test_client_routes_return_the_page(client: Client, built, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert b"Scoundrel" in answer.content
    assert answer["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    "path",
    ["/api/v1/none", "/api/", "/static/none.js", "/none.png", "/wp-login.php", "/ws/x"],
)
def test_other_paths_are_404(client: Client, built, path):
    assert client.get(path).status_code == 404


def test_page_sets_the_csrf_cookie_and_is_not_cached(client: Client, built):
    answer = client.get("/")
    assert answer.cookies["csrftoken"]["samesite"] == "Lax"
    assert not answer.cookies["csrftoken"]["httponly"]
    assert answer["Cache-Control"] == "no-cache"


def test_missing_build_is_503_with_a_sentence(client: Client, settings, tmp_path):
    settings.FRONTEND_DIST = tmp_path
    answer = client.get("/")
    assert answer.status_code == 503
    assert b"is not built yet" in answer.content


def test_post_is_refused(client: Client, built):
    assert client.post("/").status_code in {403, 405}


def test_security_headers(client: Client, built):
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
