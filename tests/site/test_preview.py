"""Open Graph tags of links to dailies."""

import pytest
from django.test import Client

from scoundrel_site.preview import preview_tags

pytestmark = pytest.mark.django_db


def whole(path: str) -> str:
    return f"https://scoundrel.example{path}"


def test_daily_page_has_an_image():
    tags = preview_tags("daily/2026-11-29", {"run": "abc123"}, whole)
    assert (
        '<meta property="og:image" content="https://scoundrel.example/api/v1/dailies/'
        '2026-11-29/share.png?ruleset=tavern-1&amp;run=abc123">'
    ) in tags
    assert "Scoundrel daily, 29 November 2026 (Tavern)" in tags
    assert 'name="twitter:card" content="summary_large_image"' in tags


@pytest.mark.parametrize(
    "path", ["", "play", "daily/", "daily/2026-02-30", "daily/2026-11-29/x"]
)
def test_other_pages_have_no_tags(path):
    assert preview_tags(path, {}, whole) == ""


def test_address_is_validated_and_escaped():
    query = {"ruleset": '"><script>', "run": '"><script>'}
    tags = preview_tags("daily/2026-11-29", query, whole)
    assert "<script" not in tags
    assert "run=" not in tags


def test_page_contains_the_tags(client: Client, settings, tmp_path):
    (tmp_path / "index.html").write_text("<head><title>x</title></head><body></body>")
    settings.FRONTEND_DIST = tmp_path
    page = client.get("/daily/2026-11-29?ruleset=bound-1").content.decode()
    assert page.index("og:image") < page.index("</head>")
    assert "http://testserver/api/v1/dailies/2026-11-29/share.png" in page
    assert "og:" not in client.get("/").content.decode()
