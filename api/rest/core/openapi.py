"""The OpenAPI document, and the parts of it that views do not declare themselves.

Each process builds the document once, since that takes half a second and anonymous
clients may request it.
"""

from functools import lru_cache
from typing import Any, is_typeddict

from django.conf import settings
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
)
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import OpenApiResponse
from drf_spectacular.views import SpectacularAPIView
from msgspec import Struct
from rest_framework.renderers import BaseRenderer

from api.rest.core.errors import Problem
from game.selectors.core.wire import json_schemas

_DESCRIPTIONS = {
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
# The errors that every operation may answer with.
_COMMON_STATUSES = (400, 405, 406, 413, 415, 429)


def problems(*statuses: int) -> dict[Any, OpenApiResponse]:
    """Return the error responses of an operation, as application/problem+json."""
    return {
        (status, "application/problem+json"): OpenApiResponse(
            Problem, description=_DESCRIPTIONS[status]
        )
        for status in statuses
    }


class DeclaredObject(OpenApiSerializerExtension):
    """Lets `extend_schema` take the classes of `schemas` modules as serializers."""

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_typeddict(target) or (
            isinstance(target, type) and issubclass(target, Struct)
        )

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        """Return the name of the class."""
        return str(self.target.__name__)

    def get_identity(self, auto_schema: Any, direction: Any) -> str:
        """Return the name of the class, which is unique."""
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the class's schema, and register the schemas it refers to."""
        schemas = json_schemas([self.target])
        own = schemas.pop(self.target.__name__)
        for name, schema in schemas.items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(
                    name=name,
                    type=ResolvedComponent.SCHEMA,
                    schema=schema,
                    object=name,
                )
            )
        return own


class TokenScheme(OpenApiAuthenticationExtension):
    """Authentication with an API token."""

    target_class = "api.rest.core.authentication.TokenIdentity"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Describe the Authorization header."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "`sdl_...`, created at /api/v1/tokens/. Scopes: read, play,"
            " race, chat.",
        }


class SessionScheme(OpenApiAuthenticationExtension):
    """Authentication with the session cookie."""

    target_class = "api.rest.core.authentication.SessionIdentity"
    name = "cookie"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Describe the cookie."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "Writes also need the csrftoken cookie's value in"
            " X-CSRFToken.",
        }


@lru_cache(maxsize=1)
def _schema() -> Any:
    generator: Any = SchemaGenerator  # untyped
    return generator().get_schema(request=None, public=True)


def openapi_json() -> str:
    """Return the document as JSON text."""
    return _render(OpenApiJsonRenderer).decode()


@lru_cache(maxsize=4)
def _render(renderer: type[BaseRenderer]) -> bytes:
    text: str | bytes = renderer().render(_schema())
    return text.encode() if isinstance(text, str) else text


class _Generator(SchemaGenerator):
    """Returns the cached document; it is the same for every client."""

    def get_schema(self, request: Any = None, public: bool = False) -> Any:
        """Return the cached document."""
        return _schema()


class _Json(OpenApiJsonRenderer):
    """Renders the cached document as JSON, once."""

    def render(self, *_: Any, **__: Any) -> bytes:
        """The same bytes each time."""
        return _render(OpenApiJsonRenderer)


class _Yaml(OpenApiYamlRenderer):
    """Renders the cached document as YAML, once."""

    def render(self, *_: Any, **__: Any) -> bytes:
        """The same bytes each time."""
        return _render(OpenApiYamlRenderer)


class SchemaView(SpectacularAPIView):
    """The OpenAPI document."""

    generator_class = _Generator
    renderer_classes = [_Yaml, _Json]


def name_choices(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Replace enums that repeat a named schema by a reference to it."""
    schemas = result["components"]["schemas"]
    names_by_values = {
        frozenset(schema["enum"]): name
        for name, schema in schemas.items()
        if "enum" in schema
    }
    for schema in schemas.values():
        for inner in schema.get("properties", {}).values():
            _name_choice(inner, names_by_values)
            _name_choice(inner.get("items", {}), names_by_values)
    return result


def _name_choice(
    schema: dict[str, Any], names_by_values: dict[frozenset[str], str]
) -> None:
    schema.pop("x-spec-enum-id", None)
    name = names_by_values.get(frozenset(schema.get("enum", ())))
    if name is not None:
        for key in ("enum", "type", "description"):
            schema.pop(key, None)
        schema["$ref"] = f"#/components/schemas/{name}"


def errors_everywhere(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Add the common error responses to every operation."""
    shape = {"schema": {"$ref": "#/components/schemas/Problem"}}
    for path in result.get("paths", {}).values():
        for operation in path.values():
            for status in _COMMON_STATUSES:
                operation["responses"].setdefault(
                    str(status),
                    {
                        "description": _DESCRIPTIONS.get(status, "Method not allowed"),
                        "content": {"application/problem+json": shape},
                    },
                )
    return result
