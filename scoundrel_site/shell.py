"""Serve the built index.html for every route of the single-page client."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.views.decorators.http import require_safe

from scoundrel_site.preview import preview_tags

NOT_BUILT = (
    "The page is not built yet. `make run` builds it; by hand:"
    " npm ci && npm run build, in frontend/."
)


@require_safe
async def shell(request: HttpRequest, path: str = "") -> HttpResponse:
    """Return index.html and set the csrftoken cookie; 503 if it is not built.

    It is never cached, so that a new build shows at once. The files it names have
    hashed names and are cached forever.
    """
    get_token(request)
    index = Path(settings.FRONTEND_DIST) / "index.html"
    try:
        page = index.read_bytes()
    except FileNotFoundError:
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain")
    tags = preview_tags(path, request.GET.dict(), request.build_absolute_uri)
    if tags:
        page = page.replace(b"</head>", tags.encode() + b"\n</head>", 1)
    return HttpResponse(page, headers={"Cache-Control": "no-cache"})
