"""Static files, in both kinds of chain."""

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from scoundrel_site.static import StaticFilesMiddleware

# Closing a response, as a server does, looks at the database's connection.
pytestmark = pytest.mark.django_db

BIG = b"0123456789abcdef" * 16_384


def onward(request: HttpRequest) -> HttpResponse:
    return HttpResponse("onward")


async def async_onward(request: HttpRequest) -> HttpResponse:
    return HttpResponse("onward")


@pytest.fixture
def dist(tmp_path, settings):
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-a1B2c3D4.js").write_bytes(BIG)
    (tmp_path / "plain.txt").write_text("plain")
    settings.STATICFILES_DIRS = [tmp_path]


async def body(answer: StreamingHttpResponse) -> bytes:
    blocks = [block async for block in answer]
    answer.close()
    return b"".join(blocks)


async def test_an_async_chain(dist, rf: RequestFactory, recwarn):
    middleware = StaticFilesMiddleware(async_onward)
    answer = await middleware(rf.get("/static/assets/index-a1B2c3D4.js"))
    assert await body(answer) == BIG
    assert "immutable" in answer["Cache-Control"]
    assert "Access-Control-Allow-Origin" not in answer
    assert (await middleware(rf.get("/static/none.js"))).content == b"onward"
    assert not recwarn.list


async def test_a_file_not_named_by_its_content_is_not_kept_for_ever(dist, rf):
    answer = await StaticFilesMiddleware(async_onward)(rf.get("/static/plain.txt"))
    assert await body(answer) == b"plain"
    assert answer["Cache-Control"] == "max-age=60, public"


async def test_nothing_is_read_for_a_head_or_a_known_file(dist, rf: RequestFactory):
    middleware = StaticFilesMiddleware(async_onward)
    head = await middleware(rf.head("/static/plain.txt"))
    assert await body(head) == b""
    again = await middleware(
        rf.get("/static/plain.txt", HTTP_IF_MODIFIED_SINCE=head["Last-Modified"])
    )
    assert again.status_code == 304


def test_a_synchronous_chain(dist, rf: RequestFactory):
    middleware = StaticFilesMiddleware(onward)
    answer = middleware(rf.get("/static/plain.txt"))
    assert b"".join(answer) == b"plain"
    answer.close()
    assert middleware(rf.get("/static/none.js")).content == b"onward"
