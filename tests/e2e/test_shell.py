"""The built page opens on a running site, with a content security policy."""

import pytest

from tests.e2e.conftest import DESKTOP, PHONE, NewPage

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_home_page_opens(new_page: NewPage, viewport: dict[str, int]) -> None:
    page = new_page(viewport=viewport)
    response = page.goto("/")
    assert response is not None
    assert response.status == 200
    assert "content-security-policy" in response.headers
    page.wait_for_selector("main", state="visible")
    assert {cookie["name"] for cookie in page.context.cookies()} >= {"csrftoken"}


def test_page_opens_at_any_route(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/rules")
    page.wait_for_selector("main", state="visible")
