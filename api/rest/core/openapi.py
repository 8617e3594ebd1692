"""What OpenAPI says beyond the views: errors, said once for all of them.

The file is made once a process: making it costs half a second, and anybody may ask.
"""

from functools import lru_cache
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import OpenApiResponse
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer

from api.rest.core.schemas import ProblemSerializer

_MEANING = {
    400: "Malformed",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    406: "No such representation",
    409: "Stale, or in the wrong phase",
    413: "Too large",
    415: "Not JSON",
    422: "Illegal",
    429: "Too many requests",
    503: "Not available",
}
# What any address may answer, whatever it is for.
_ANYWHERE = (400, 405, 406, 413, 415, 429)


def problems(*statuses: int) -> dict[Any, OpenApiResponse]:
    """The error answers of an operation, as application/problem+json."""
    return {
        (status, "application/problem+json"): OpenApiResponse(
            ProblemSerializer, description=_MEANING[status]
        )
        for status in statuses
    }


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A program's token, as a way in."""

    target_class = "api.rest.core.authentication.TokenIdentity"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """The Authorization header."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "`sdl_...`, made at /api/v1/tokens/. Scopes: read, play,"
            " race, chat.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The session cookie, as a way in."""

    target_class = "api.rest.core.authentication.SessionIdentity"
    name = "cookie"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """The cookie's name."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "Writes also need the csrftoken cookie's value in"
            " X-CSRFToken.",
        }


@lru_cache(maxsize=1)
def _schema() -> Any:
    made: Any = SchemaGenerator  # untyped
    return made().get_schema(request=None, public=True)


@lru_cache(maxsize=4)
def _written(renderer: type[BaseRenderer]) -> bytes:
    text: str | bytes = renderer().render(_schema())
    return text.encode() if isinstance(text, str) else text


class _Generator(SchemaGenerator):
    """Gives the file that was made first; it is the same for everybody."""

    def get_schema(self, request: Any = None, public: bool = False) -> Any:
        """The file, as data."""
        return _schema()


class _Json(OpenApiJsonRenderer):
    """The file as JSON, written once."""

    def render(self, *_: Any, **__: Any) -> bytes:
        """The same bytes each time."""
        return _written(OpenApiJsonRenderer)


class _Yaml(OpenApiYamlRenderer):
    """The file as YAML, written once."""

    def render(self, *_: Any, **__: Any) -> bytes:
        """The same bytes each time."""
        return _written(OpenApiYamlRenderer)


class SchemaView(SpectacularAPIView):
    """The OpenAPI file."""

    generator_class = _Generator
    renderer_classes = [_Yaml, _Json]


def errors_everywhere(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Add the errors that every operation may answer with."""
    shape = {"schema": {"$ref": "#/components/schemas/Problem"}}
    for path in result.get("paths", {}).values():
        for operation in path.values():
            for status in _ANYWHERE:
                operation["responses"].setdefault(
                    str(status),
                    {
                        "description": _MEANING.get(status, "Not with this method"),
                        "content": {"application/problem+json": shape},
                    },
                )
    return result
