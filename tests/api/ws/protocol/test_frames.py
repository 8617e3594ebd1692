"""Parsing client frames raises BadFrame and nothing else; writing server frames."""

import json
from contextlib import suppress

import msgspec
import msgspec.structs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.ws.protocol.frames import (
    MAX_FRAME_BYTES,
    BadFrame,
    Frame,
    read_frame,
    write_frame,
)
from api.ws.protocol.messages import CLIENT, ChatSay, Hello, MovePlay, Ping, RaceReady
from tests.api.ws.protocol.bad_frames import BAD_FRAMES, GOOD

SIGNS = ((1, 0), (-1, 0), (1, -1), (-1, 1))


def frame(kind: str, **fields: object) -> str:
    return json.dumps({"v": 1, "t": kind, "id": "k1", "d": fields})


def code_of(text: str | None) -> str:
    with pytest.raises(BadFrame) as caught:
        read_frame(text)
    return caught.value.code


def test_messages_are_parsed():
    assert read_frame(frame("hello")) == Frame("k1", Hello())
    assert read_frame(frame("hello", since=7)) == Frame("k1", Hello(since=7))
    assert read_frame(frame("race.ready")) == Frame("k1", RaceReady())
    assert read_frame(frame("ping", t0=1.5)) == Frame("k1", Ping(t0=1.5))
    assert read_frame(frame("move.play", index=3, move="JSw")) == Frame(
        "k1", MovePlay(index=3, move="JSw")
    )


def test_optional_fields_may_be_missing_or_null():
    assert read_frame('{"v":1,"t":"hello"}') == Frame(None, Hello())
    assert read_frame(frame("hello", since=None)) == Frame("k1", Hello())


def test_a_client_frame_may_have_at_and_seq():
    text = '{"v":1,"t":"hello","id":"x","at":"2026-11-29T12:00:00Z","seq":4,"d":{}}'
    assert read_frame(text) == Frame("x", Hello())


@pytest.mark.parametrize("kind", BAD_FRAMES)
def test_bad_frames_are_refused_with_a_code(kind):
    assert code_of(BAD_FRAMES[kind]).startswith("frame.")


def test_binary_frames_are_refused():
    assert code_of(None) == "frame.binary"


def test_the_refusal_has_the_frame_id():
    with pytest.raises(BadFrame) as caught:
        read_frame(frame("hello", more=1))
    assert (caught.value.code, caught.value.frame_id) == ("frame.unknown_field", "k1")


@pytest.mark.parametrize(
    ("text", "fits"), [("a", True), ("", False), ("a" * 500, True), ("a" * 501, False)]
)
def test_texts_have_a_minimum_and_maximum_length(text, fits):
    if fits:
        assert read_frame(frame("chat.say", text=text)).message == ChatSay(text)
    else:
        assert code_of(frame("chat.say", text=text)) == "frame.invalid"


def test_the_size_limit_counts_bytes():
    padding = MAX_FRAME_BYTES - len(GOOD) - 2
    fits = GOOD[:-1] + " " * padding + "}"
    assert read_frame(fits).message == Ping(1)
    assert code_of(fits.replace('"a"', '"' + "é" * 2000 + '"')) == "frame.too_large"


@given(st.text(max_size=300))
def test_any_text_raises_only_bad_frame(text):
    with pytest.raises(BadFrame):
        read_frame(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    ["v", "t", "id", "d", "since", "index", "move", "text", "t0", "x"]
                ),
                inner,
                max_size=5,
            )
        ),
    )
)
def test_any_json_raises_only_bad_frame(value):
    with suppress(BadFrame):
        read_frame(json.dumps(value))


@given(st.sampled_from(sorted(CLIENT)), st.dictionaries(st.text(), st.integers()))
def test_any_body_raises_only_bad_frame(kind, body):
    with suppress(BadFrame):
        read_frame(json.dumps({"v": 1, "t": kind, "id": "a", "d": body}))


NUMBERS = [
    *("9" * 4000, "-" + "9" * 4000, "1e400", "-1e400", "1e-400", "1e5", "1.5", "-0"),
    *(str(sign * 2**bits + off) for bits in (31, 53, 63, 64) for sign, off in SIGNS),
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda text: text[:24])
def test_numbers_are_in_range_or_refused(number):
    """In every field of every message, and in the envelope."""
    texts = [
        f'{{"v":1,"t":"{kind}","id":"a","d":{{"{one.name}":{number}}}}}'
        for kind, shape in CLIENT.items()
        for one in msgspec.structs.fields(shape)
    ]
    texts.append(
        f'{{"v":1,"t":"move.play","id":"a","d":{{"index":{number},"move":"x"}}}}'
    )
    texts.extend(
        f'{{"v":1,"t":"hello","{name}":{number}}}'
        for name in ("v", "seq", "id", "at", "t", "d")
    )
    for text in texts:
        try:
            message = read_frame(text).message
        except BadFrame:
            continue
        for value in msgspec.structs.asdict(message).values():
            assert value is None or isinstance(value, str) or abs(value) < 2**53


def test_server_frames_have_the_envelope():
    found = json.loads(write_frame("heartbeat", {"seq": 4}, frame_id="a"))
    assert found["v"] == 1
    assert found["t"] == "heartbeat"
    assert found["id"] == "a"
    assert found["d"] == {"seq": 4}
    assert found["at"].endswith("Z")
    assert "seq" not in found
    event = json.loads(write_frame("race.event", {}, seq=9, at="then"))
    assert (event["seq"], event["at"]) == (9, "then")
