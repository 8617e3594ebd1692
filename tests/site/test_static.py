"""Static files in synchronous and asynchronous middleware chains."""

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from scoundrel_site.static import StaticFilesMiddleware

# Closing a response uses the database connection.
pytestmark = pytest.mark.django_db

BIG = b"0123456789abcdef" * 16_384


def next_layer(request: HttpRequest) -> HttpResponse:
    return HttpResponse("next_layer")


async def async_next_layer(request: HttpRequest) -> HttpResponse:
    return HttpResponse("next_layer")


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


async def test_file_in_an_async_chain(dist, rf: RequestFactory, recwarn):
    middleware = StaticFilesMiddleware(async_next_layer)
    answer = await middleware(rf.get("/static/assets/index-a1B2c3D4.js"))
    assert await body(answer) == BIG
    assert "immutable" in answer["Cache-Control"]
    assert "Access-Control-Allow-Origin" not in answer
    assert (await middleware(rf.get("/static/none.js"))).content == b"next_layer"
    assert not recwarn.list


async def test_file_without_a_hash_in_its_name_is_cached_briefly(dist, rf):
    answer = await StaticFilesMiddleware(async_next_layer)(rf.get("/static/plain.txt"))
    assert await body(answer) == b"plain"
    assert answer["Cache-Control"] == "max-age=60, public"


async def test_head_and_unmodified_files_have_no_body(dist, rf: RequestFactory):
    middleware = StaticFilesMiddleware(async_next_layer)
    head = await middleware(rf.head("/static/plain.txt"))
    assert await body(head) == b""
    again = await middleware(
        rf.get("/static/plain.txt", HTTP_IF_MODIFIED_SINCE=head["Last-Modified"])
    )
    assert again.status_code == 304


def test_file_in_a_synchronous_chain(dist, rf: RequestFactory):
    middleware = StaticFilesMiddleware(next_layer)
    answer = middleware(rf.get("/static/plain.txt"))
    assert b"".join(answer) == b"plain"
    answer.close()
    assert middleware(rf.get("/static/none.js")).content == b"next_layer"
