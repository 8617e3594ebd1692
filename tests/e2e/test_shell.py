"""The built page opens on the real site, within its own content policy."""

import pytest

from tests.e2e.conftest import DESKTOP, PHONE, NewPage

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_page_opens(new_page: NewPage, viewport: dict[str, int]) -> None:
    page = new_page(viewport=viewport)
    answer = page.goto("/")
    assert answer is not None
    assert answer.status == 200
    assert "content-security-policy" in answer.headers
    page.wait_for_selector("main", state="visible")
    assert {cookie["name"] for cookie in page.context.cookies()} >= {"csrftoken"}


def test_a_deep_address_opens_too(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/rules")
    page.wait_for_selector("main", state="visible")
