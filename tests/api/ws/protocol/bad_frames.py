"""Frames that are not of the protocol, by what is wrong with them."""

from collections.abc import Iterator

GOOD = '{"v":1,"t":"ping","id":"a","d":{"t0":1}}'

BAD_FRAMES: dict[str, str] = {
    "empty object": "{}",
    "not JSON": "hello",
    "half a frame": '{"v":1,"t":"ping"',
    "a number": "1",
    "a list": '[{"v":1,"t":"ping"}]',
    "nested deep": "[" * 2000 + "]" * 2000,
    "objects nested deep": '{"d":' * 700 + "1" + "}" * 700,
    "too large": '{"v":1,"t":"ping","d":{"t0":' + " " * 4096 + "1}}",
    "another version": '{"v":2,"t":"ping","d":{"t0":1}}',
    "version as text": '{"v":"1","t":"ping","d":{"t0":1}}',
    "true for a number": '{"v":1,"t":"hello","d":{"since":true}}',
    "no type": '{"v":1,"d":{}}',
    "unknown type": '{"v":1,"t":"race.win","d":{}}',
    "unknown field": '{"v":1,"t":"hello","d":{"cards":[]}}',
    "unknown in the frame": '{"v":1,"t":"hello","d":{},"token":"sdl_x"}',
    "wrong type": '{"v":1,"t":"move.play","id":"a","d":{"index":"0","move":"8D"}}',
    "NUL in a text": '{"v":1,"t":"chat.say","id":"a","d":{"text":"\\u0000"}}',
    "half a pair": '{"v":1,"t":"chat.say","id":"a","d":{"text":"\\ud800"}}',
    "not a number": '{"v":1,"t":"ping","d":{"t0":NaN}}',
    "a name twice": '{"v":1,"v":1,"t":"ping","d":{"t0":1}}',
    "no key for a move": '{"v":1,"t":"move.play","d":{"index":0,"move":"8D"}}',
    "a huge number": '{"v":1,"t":"ping","d":{"t0":' + "9" * 400 + "}}",
    "below zero": '{"v":1,"t":"hello","d":{"since":-1}}',
    "an id with a space": '{"v":1,"t":"ping","id":"a b","d":{"t0":1}}',
}


def bad_frames(count: int) -> Iterator[str]:
    """`count` bad frames, of each kind in turn."""
    kinds = list(BAD_FRAMES.values())
    return (kinds[number % len(kinds)] for number in range(count))
