"""What is generated from the messages is what lies in the tree."""

import json
import re
import shutil
import subprocess

import pytest

from api.ws.protocol.describe import members, shapes
from api.ws.protocol.generate import FILES, ROOT, stale
from api.ws.protocol.generate_asyncapi import asyncapi
from api.ws.protocol.generate_table import table
from api.ws.protocol.generate_typescript import typescript
from api.ws.protocol.messages import CLIENT, SERVER


def test_nothing_is_stale():
    assert [file.name for file, _ in stale()] == []


def test_a_stale_file_is_found(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    assert list(stale(tmp_path)) == []
    page = tmp_path / "frontend/src/realtime/messages.ts"
    page.write_text(page.read_text().replace("since?", "from?"))
    assert [file for file, _ in stale(tmp_path)] == [page]


def test_the_words_around_the_table_stay(tmp_path):
    text = "# The wire\n\nBefore.\n"
    made = FILES["docs/protocol.md"](text)
    assert made.startswith(text)
    edited = made.replace("`move.play`", "`gone`") + "\nAfter.\n"
    again = FILES["docs/protocol.md"](edited)
    assert again.startswith(text)
    assert again.endswith("\nAfter.\n")
    assert "`move.play`" in again


@pytest.mark.parametrize("name", [*CLIENT, *SERVER])
def test_every_message_is_in_every_file(name):
    assert re.search(rf'^  "?{re.escape(name)}"?: \w+;$', typescript(), re.MULTILINE)
    assert f"`{name}`" in table()
    assert f'"name": "{name}"' in asyncapi()


def test_every_message_and_shape_says_what_it_is():
    for shape in (*CLIENT.values(), *SERVER.values(), *shapes()):
        assert shape.__doc__
        assert not shape.__doc__.startswith(f"{shape.__name__}("), shape


def test_asyncapi_refers_only_to_what_it_has():
    document = json.loads(asyncapi())
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', asyncapi()):
        place = document
        for step in reference.split("/"):
            place = place[step]
    asked = document["components"]["messages"]["move_play"]["payload"]
    assert asked["required"] == ["v", "t", "d", "id"]
    index = asked["properties"]["d"]["properties"]["index"]
    assert index == {"type": "integer", "minimum": 0, "maximum": 999}


def test_types_are_those_that_typescript_knows(tmp_path):
    compiler = ROOT / "frontend/node_modules/.bin/tsc"
    if not compiler.exists():
        pytest.skip("the page's packages are not installed")
    source = tmp_path / "messages.ts"
    source.write_text(typescript())
    command = [str(compiler), "--noEmit", "--strict", "--target", "es2022", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_bounds_are_read():
    index, move = members(CLIENT["move.play"])
    assert index.bounds is not None
    assert move.bounds is not None
    assert (index.bounds.most, move.bounds.most) == (999, 16)
    assert [one.is_required for one in members(CLIENT["hello"])] == [False]
