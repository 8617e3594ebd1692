"""Declaration, encoding and schemas of the objects that REST and the websocket send.

Each object is one TypedDict in a `schemas` module; the function that builds it returns
that type, so the type checker compares the two. `encode` writes such an object as JSON;
`json_schemas` describes it, for OpenAPI and AsyncAPI, which the page's types are
generated from. Why TypedDicts: docs/adr/0002-wire-objects.md.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from game.rules import Card, Move
from game.rules import schemas as rules_schemas

# A time in UTC, RFC 3339 with milliseconds, such as 2026-11-29T08:00:00.123Z.
Instant = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
# A day, such as 2026-11-29.
Day = Annotated[str, Meta(extra_json_schema={"format": "date"})]
Url = Annotated[str, Meta(extra_json_schema={"format": "uri"})]
Email = Annotated[str, Meta(extra_json_schema={"format": "email"})]
Number = Annotated[float, Meta(extra_json_schema={"format": "double"})]

CARD_PATTERN: Final = "^[2-9TJQKA][CS]$|^[2-9T][DH]$"
_REF: Final = "#/components/schemas/{name}"


def one_of(name: str, values: Iterable[str]) -> Meta:
    """Return metadata for a text with these values; `name` is its schema's name."""
    return Meta(
        title=name, extra_json_schema={"enum": [str(value) for value in values]}
    )


def _as_text(value: Any) -> str:
    # Cards and moves are text with further attributes.
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON.")


# The bytes of an object: compact, UTF-8.
encode = msgspec.json.Encoder(enc_hook=_as_text).encode


def reason_of(error: msgspec.ValidationError) -> tuple[str, str]:
    """Return the invalid field, or "" for the whole object, and what was expected.

    Such as ("index", "Expected `int` <= 999.").
    """
    expected, _, field = str(error).partition(" - at `$.")
    return field.rstrip("`"), expected.partition(" matching regex")[0] + "."


def json_schemas(declared: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schemas of these objects and of the objects in them, by name.

    References point into `#/components/schemas/`. Each named choice has its own entry.
    """
    _, schemas = msgspec.json.schema_components(
        list(declared), schema_hook=_custom_schema, ref_template=_REF
    )
    choices: dict[str, dict[str, Any]] = {}
    tidy_schemas = {name: _tidy(schema, choices) for name, schema in schemas.items()}
    return {**choices, **tidy_schemas}


def _custom_schema(kind: type) -> dict[str, Any]:
    if kind is Card:
        return {"type": "string", "pattern": CARD_PATTERN}
    if kind is Move:
        return {"type": "string"}
    raise NotImplementedError


# Choices of the rules are Literal types without a title; their names are taken from the
# module that declares them.
_RULES_CHOICES: Final = {
    frozenset(get_args(value)): name
    for name, value in vars(rules_schemas).items()
    if get_origin(value) is Literal
}


def _tidy(schema: dict[str, Any], choices: dict[str, Any]) -> dict[str, Any]:
    """Return an object's schema without titles, its description as one paragraph."""
    tidy = {key: value for key, value in schema.items() if key != "title"}
    if "description" in tidy:
        tidy["description"] = " ".join(tidy["description"].split())
    if "enum" in tidy:
        return {"type": "string", **tidy}
    properties = schema.get("properties", {})
    tidy["properties"] = {
        name: _name_choices(inner, choices) for name, inner in properties.items()
    }
    return tidy


def _name_choices(node: Any, choices: dict[str, Any]) -> Any:
    """Return the schema with a reference in place of each named choice."""
    if isinstance(node, list):
        return [_name_choices(inner, choices) for inner in node]
    if not isinstance(node, dict):
        return node
    if "enum" in node:
        values = node["enum"]
        name = node.get("title") or _RULES_CHOICES.get(frozenset(values))
        if name is None:
            return node
        choices[name] = {"type": "string", "enum": values}
        return {"$ref": _REF.format(name=name)}
    named = {key: _name_choices(inner, choices) for key, inner in node.items()}
    if named.get("default", ...) is None:
        del named["default"]  # the field is optional, which says the same
    if node == {"type": "object"}:
        named["additionalProperties"] = {}
    return named
