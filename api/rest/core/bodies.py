"""Request bodies: JSON objects, strictly, and no field that is not known."""

import json
from collections.abc import Mapping
from typing import Any

from rest_framework import parsers, serializers

from game.services.core.errors import Kind, ServiceRefusal

LARGEST = 16 * 1024


def _malformed(code: str, text: str) -> ServiceRefusal:
    return ServiceRefusal(Kind.MALFORMED, code, text)


def load_object(raw: bytes) -> dict[str, Any]:
    """The JSON object of a body; an empty body is an empty object.

    Raises body.malformed for anything else: other JSON, text that is not UTF-8, lone
    surrogates, NUL, nesting past the parser's depth, NaN.
    """
    if not raw.strip():
        return {}
    try:
        found = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
        # Escapes can smuggle what no database column takes; spelling it out finds them.
        if b"\\u" in raw:
            _check_escapes(found)
    except (ValueError, RecursionError) as error:
        raise _malformed("body.malformed", "The body is not valid JSON.") from error
    if not isinstance(found, dict):
        raise _malformed("body.not_an_object", "The body must be a JSON object.")
    return found


def _check_escapes(found: Any) -> None:
    spelt = json.dumps(found, ensure_ascii=False)
    spelt.encode("utf-8")
    if "\\u0000" in spelt:
        raise ValueError("NUL")


def _no_constant(text: str) -> Any:
    raise ValueError(text)


class StrictJSONParser(parsers.JSONParser):
    """The rest framework's way to `load_object`."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The body's object, within the size a body may have."""
        raw = stream.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise ServiceRefusal(
                Kind.TOO_LARGE, "body.too_large", f"At most {LARGEST} bytes."
            )
        return load_object(raw)


class Text(serializers.CharField):
    """Text that was sent as text: a number is not turned into one."""

    def to_internal_value(self, data: Any) -> str:
        """The text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Body(serializers.Serializer[Any]):
    """A request body: what it does not name, it refuses."""

    def to_internal_value(self, data: Any) -> Any:
        """Django's values of the fields; unknown ones are errors of their own."""
        unknown = sorted(set(data) - set(self.fields))
        if unknown:
            raise serializers.ValidationError(
                {
                    name: [
                        serializers.ErrorDetail("There is no such field.", "unknown")
                    ]
                    for name in unknown
                }
            )
        return super().to_internal_value(data)


class EmptyBody(Body):
    """A request that says nothing more than its address."""
