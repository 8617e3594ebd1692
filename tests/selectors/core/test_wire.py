"""Objects are written and described as they are declared."""

import json
from typing import Annotated, Any, NotRequired, TypedDict

import msgspec
import pytest

from game.rules import CARDS, parse_move
from game.rules.schemas import RunStatus
from game.selectors.core.wire import Instant, encode, json_schemas, one_of, reason_of

Colour = Annotated[str, one_of("Colour", ["red", "blue"])]


class Inner(TypedDict):
    """What is
    inside."""

    at: Instant | None


class Outer(TypedDict):
    """What is outside."""

    colour: Colour | None
    status: RunStatus
    inner: list[Inner]
    more: NotRequired[dict[str, Any]]


class Sent(msgspec.Struct):
    """What is read."""

    number: Annotated[int, msgspec.Meta(ge=0, le=9)]
    word: Annotated[str, msgspec.Meta(pattern="^[a-z]$")] | None = None


def test_cards_and_moves_are_written_as_text() -> None:
    written = encode({"card": CARDS["8D"], "move": parse_move("JSw"), "name": "é"})
    assert written == '{"card":"8D","move":"JSw","name":"é"}'.encode()


def test_what_is_not_json_is_refused() -> None:
    with pytest.raises(TypeError, match="object is not JSON"):
        encode({"what": object()})


def test_objects_and_choices_are_described_by_name() -> None:
    found = json_schemas([Outer])
    assert set(found) == {"Outer", "Inner", "Colour", "RunStatus"}
    assert found["Colour"] == {"type": "string", "enum": ["red", "blue"]}
    assert set(found["RunStatus"]["enum"]) >= {"playing", "abandoned"}
    assert found["Inner"]["description"] == "What is inside."
    assert set(found["Outer"]["required"]) == {"colour", "status", "inner"}
    shown = found["Outer"]["properties"]
    assert {"$ref": "#/components/schemas/Colour"} in shown["colour"]["anyOf"]
    assert shown["inner"]["items"] == {"$ref": "#/components/schemas/Inner"}
    assert shown["more"] == {"type": "object", "additionalProperties": {}}
    assert "title" not in json.dumps(found)


def test_bounds_are_described_and_a_null_default_is_not() -> None:
    shown = json_schemas([Sent])["Sent"]["properties"]
    assert shown["number"] == {"type": "integer", "minimum": 0, "maximum": 9}
    assert "default" not in shown["word"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"number": 10}, ("number", "Expected `int` <= 9.")),
        ({"number": 1, "word": "A"}, ("word", "Expected `str`.")),
        ([], ("", "Expected `object`, got `array`.")),
    ],
)
def test_a_failed_conversion_names_field_and_reason(body: Any, reason: Any) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(body, Sent)
    assert reason_of(caught.value) == reason
