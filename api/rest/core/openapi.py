"""Parts of the OpenAPI document that no view states: errors and authentication.

The file is made once a process: making it costs half a second, and anybody may ask.
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
            Problem, description=_MEANING[status]
        )
        for status in statuses
    }


class DeclaredObject(OpenApiSerializerExtension):
    """An object declared in a `schemas` module, where a serializer is expected."""

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_typeddict(target) or (
            isinstance(target, type) and issubclass(target, Struct)
        )

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        """The name of its declaration."""
        return str(self.target.__name__)

    def get_identity(self, auto_schema: Any, direction: Any) -> str:
        """The same: one name, one object."""
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Its schema; those of the objects in it are registered beside it."""
        found = json_schemas([self.target])
        own = found.pop(self.target.__name__)
        for name, schema in found.items():
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


class SessionScheme(OpenApiAuthenticationExtension):
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


def openapi_json() -> str:
    """The file as JSON."""
    return _written(OpenApiJsonRenderer).decode()


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


def name_choices(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Refer to the choices that have a name where a request body repeats one."""
    schemas = result["components"]["schemas"]
    named = {
        frozenset(schema["enum"]): name
        for name, schema in schemas.items()
        if "enum" in schema
    }
    for schema in schemas.values():
        for inner in schema.get("properties", {}).values():
            _name_choice(inner, named)
            _name_choice(inner.get("items", {}), named)
    return result


def _name_choice(schema: dict[str, Any], named: dict[frozenset[str], str]) -> None:
    schema.pop("x-spec-enum-id", None)
    name = named.get(frozenset(schema.get("enum", ())))
    if name is not None:
        for key in ("enum", "type", "description"):
            schema.pop(key, None)
        schema["$ref"] = f"#/components/schemas/{name}"


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
