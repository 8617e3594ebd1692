"""Request bodies: strict JSON objects, without unknown fields."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec
import msgspec.structs
from rest_framework import parsers, serializers

from game.selectors.core.wire import reason_of
from game.services.core.errors import Kind, ServiceRefusal

MAX_BODY_BYTES = 16 * 1024
# A run has at most 58 moves.
MAX_MOVES = 60


def _malformed(code: str, text: str) -> ServiceRefusal:
    return ServiceRefusal(Kind.MALFORMED, code, text)


def load_object(raw: bytes) -> dict[str, Any]:
    """Return the JSON object of a body; an empty body is an empty object.

    Raises body.malformed for anything else: other JSON, text that is not UTF-8, lone
    surrogates, NUL, nesting past the parser's depth, NaN.
    """
    if not raw.strip():
        return {}
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant)
        # Escapes can encode characters that no database column accepts.
        if b"\\u" in raw:
            _check_escapes(value)
    except (ValueError, RecursionError) as error:
        raise _malformed("body.malformed", "The body is not valid JSON.") from error
    if not isinstance(value, dict):
        raise _malformed("body.not_an_object", "The body must be a JSON object.")
    return value


def _check_escapes(value: Any) -> None:
    """Raise ValueError for lone surrogates and NUL."""
    text = json.dumps(value, ensure_ascii=False)
    text.encode("utf-8")
    if "\\u0000" in text:
        raise ValueError("NUL")


def _refuse_constant(text: str) -> Any:
    """Raise ValueError: NaN and Infinity are not JSON."""
    raise ValueError(text)


BodyT = TypeVar("BodyT", bound=msgspec.Struct)


def read_body(raw: bytes, declared: type[BodyT]) -> BodyT:
    """Return the body as an object of the declared class.

    Raises body.malformed, body.not_an_object, body.invalid (with a list of the
    invalid fields).
    """
    body = load_object(raw)
    try:
        return msgspec.convert(body, declared)
    except msgspec.ValidationError as error:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "body.invalid",
            "Some fields are invalid.",
            {"errors": list(_field_errors(body, declared))},
        ) from error


def _field_errors(
    body: dict[str, Any], declared: type[msgspec.Struct]
) -> Iterator[dict[str, str]]:
    fields = msgspec.structs.fields(declared)
    for name in sorted(set(body) - {field.name for field in fields}):
        yield {"field": name, "code": "unknown", "detail": "There is no such field."}
    for field in fields:
        if field.name not in body and not field.required:
            continue
        try:
            msgspec.convert(body.get(field.name), field.type)
        except msgspec.ValidationError as error:
            _, detail = reason_of(error)
            yield {"field": field.name, "code": "invalid", "detail": detail}


class StrictJSONParser(parsers.JSONParser):
    """Parses request bodies with `load_object`."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the object. Raises body.too_large, and what `load_object` raises."""
        raw = stream.read(MAX_BODY_BYTES + 1)
        if len(raw) > MAX_BODY_BYTES:
            raise ServiceRefusal(
                Kind.TOO_LARGE,
                "body.too_large",
                f"The body may have at most {MAX_BODY_BYTES} bytes.",
            )
        return load_object(raw)


class Text(serializers.CharField):
    """A string field that refuses numbers instead of converting them."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text. Fails with `invalid` for anything but a string."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


def moves_field() -> serializers.ListField:
    """Return a field of move codes, such as ["8D", "9Cw"]; empty if it is missing."""
    return serializers.ListField(
        child=Text(max_length=5), max_length=MAX_MOVES, default=list
    )


class Body(serializers.Serializer[Any]):
    """A request body that refuses unknown fields."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the values of the fields. Each unknown field is an error."""
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
