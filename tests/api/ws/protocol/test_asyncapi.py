"""The AsyncAPI document and the table hold every message, as it is declared."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from api.ws.protocol.asyncapi import asyncapi, message_table
from api.ws.protocol.close_codes import CLOSE_CODES
from api.ws.protocol.messages import CLIENT, SERVER


@pytest.mark.parametrize("name", [*CLIENT, *SERVER])
def test_every_message_is_in_the_document_and_the_table(name):
    key = name.replace(".", "_")
    document = asyncapi()
    assert document["components"]["messages"][key]["name"] == name
    assert document["channels"]["race"]["messages"].keys() | {"lobby_snapshot"} >= {key}
    action = "receive" if name in CLIENT else "send"
    assert document["operations"][f"{action}_{key}"]["action"] == action
    assert f"| `{name}` |" in message_table()


def test_every_close_code_is_in_the_table():
    assert all(f"| {code} |" in message_table() for code in CLOSE_CODES)


def test_every_object_says_what_it_is_and_holds_nothing_more():
    schemas = asyncapi()["components"]["schemas"]
    objects = {name: one for name, one in schemas.items() if "properties" in one}
    assert len(objects) > len(CLIENT) + len(SERVER)
    for name, schema in objects.items():
        assert schema["description"], name
        assert schema["additionalProperties"] == (name == "Error"), name
        Draft202012Validator.check_schema(schema)


def test_references_lead_somewhere():
    document = asyncapi()
    references = re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document))
    assert references
    for reference in references:
        place = document
        for step in reference.split("/"):
            place = place[step]


def test_bounds_and_required_fields_are_stated():
    components = asyncapi()["components"]
    payload = components["messages"]["move_play"]["payload"]
    assert payload["required"] == ["v", "t", "d", "id"]
    move = components["schemas"]["MovePlay"]
    assert move["properties"]["index"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 999,
    }
    assert move["properties"]["move"]["maxLength"] == 16
    assert components["schemas"]["Hello"]["required"] == []
    assert "default" not in components["schemas"]["Hello"]["properties"]["since"]


def test_choices_have_a_name_of_their_own():
    schemas = asyncapi()["components"]["schemas"]
    reference = {"$ref": "#/components/schemas/RunStatus"}
    assert schemas["Run"]["properties"]["status"] == reference
    assert "abandoned" in schemas["RunStatus"]["enum"]
