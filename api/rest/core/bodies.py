"""Request bodies: strict JSON objects, without unknown fields."""

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
        # Escapes may stand for characters that no database column accepts.
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
    """Lets REST framework parse bodies by `load_object`."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The object. Raises body.too_large, and what `load_object` raises."""
        raw = stream.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise ServiceRefusal(
                Kind.TOO_LARGE, "body.too_large", f"At most {LARGEST} bytes."
            )
        return load_object(raw)


class Text(serializers.CharField):
    """A string field that refuses numbers instead of converting them."""

    def to_internal_value(self, data: Any) -> str:
        """The text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Body(serializers.Serializer[Any]):
    """A request body that refuses unknown fields."""

    def to_internal_value(self, data: Any) -> Any:
        """The values of the fields. Each unknown field is an error."""
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
    """The body of a request without fields."""
