"""A run as text and back: headers, then the moves room by room.

    [Ruleset "tavern-1"]
    [Difficulty "normal"]
    [Seed "any seed"]
    [Result "died -73"]

    1. 4D 7Sw 4Sw 2. avoid KCb died -73

Each room's number, as in `observation`, precedes its first move; an avoided room and
the one dealt in its place share a number. The text ends with the result. Other headers
are kept unchanged. `parse_record(format_record(r)) == r` for every record that
`make_record` made.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from game.rules.errors import InvalidPosition
from game.rules.moves import AVOID, Move, parse_move
from game.rules.replay import fold, steps
from game.rules.rulesets import find_ruleset
from game.rules.scoring import broken_off_score
from game.rules.shuffle import deal
from game.rules.state import PLAYING, State

_HEADER = re.compile(r'\[([A-Z][A-Za-z]*) "((?:[^"\\]|\\["\\])*)"\]', re.ASCII)
_HEADER_KEY = re.compile(r"[A-Z][A-Za-z]*", re.ASCII)
_RESERVED = ("Ruleset", "Difficulty", "Seed", "Result")
# How a run can end other than by its rules; `scoring` has the score.
BROKEN_OFF = ("abandoned", "expired", "forfeited")
_LENGTH = 16_384


@dataclass(frozen=True, slots=True)
class Record:
    """One run: its ruleset, difficulty, seed, moves and result.

    `result` is "cleared 12", "died -73", "abandoned -90", or "playing"; `headers` has
    the other headers (Player, Date, Seal...), in order.
    """

    ruleset: str
    difficulty: str
    seed: str
    moves: tuple[Move, ...]
    result: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def state(self) -> State:
        """The last position. Raises IllegalMove, UnknownRuleset, InvalidSeed."""
        rules = find_ruleset(self.ruleset)
        return fold(rules, deal(self.seed), self.moves, self.difficulty)


def make_record(
    ruleset: str,
    difficulty: str,
    seed: str,
    moves: Iterable[Move | str],
    broken_off: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Record:
    """The record of a run; `broken_off` (see BROKEN_OFF) if the rules did not end it.

    A header key is one capitalized ASCII word; unprintable characters are removed from
    header values. Raises IllegalMove, MalformedMove, UnknownRuleset, InvalidSeed,
    InvalidPosition (a bad header or `broken_off`).
    """
    if broken_off is not None and broken_off not in BROKEN_OFF:
        raise InvalidPosition(f"{broken_off!r} is not a way to break off a run.")
    other_headers = {key: _printable(value) for key, value in (headers or {}).items()}
    for key in other_headers:
        if key in _RESERVED or not _HEADER_KEY.fullmatch(key):
            raise InvalidPosition(f"{key[:40]!r} is not a header of a record.")
    played = tuple(parse_move(move) for move in moves)
    rules = find_ruleset(ruleset)
    state = fold(rules, deal(seed), played, difficulty)
    ending = broken_off if broken_off and state.status is PLAYING else state.status
    result = ending if ending == PLAYING else f"{ending} {broken_off_score(state)}"
    return Record(ruleset, difficulty, seed, played, result, other_headers)


def format_record(record: Record) -> str:
    """The record as text with a final newline. Raises what `Record.state` raises."""
    headers = {
        "Ruleset": record.ruleset,
        "Difficulty": record.difficulty,
        "Seed": record.seed,
        **record.headers,
        "Result": record.result,
    }
    lines = [f'[{key} "{_escape(value)}"]' for key, value in headers.items()]
    return "\n".join([*lines, "", *_wrap(_movetext(record)), ""])


def parse_record(text: object) -> Record:
    """Parse a record. Its moves must be legal and lead to its result.

    Raises InvalidPosition, MalformedMove, IllegalMove, UnknownRuleset, InvalidSeed.
    """
    if not isinstance(text, str) or len(text) > _LENGTH:
        raise InvalidPosition("That is not a record of a run.")
    headers, words = _split(text)
    missing = [key for key in _RESERVED if key not in headers]
    if missing:
        raise InvalidPosition(f"The record lacks {', '.join(missing)}.")
    result = headers.pop("Result")
    moves = tuple(
        parse_move(word) for word in words if not re.fullmatch(r"[0-9]{1,3}\.", word)
    )
    ruleset, difficulty, seed = (headers.pop(key) for key in _RESERVED[:3])
    ending = result.split(" ")[0]
    broken_off = ending if ending in BROKEN_OFF else None
    record = make_record(ruleset, difficulty, seed, moves, broken_off, headers)
    if record.result != result:
        raise InvalidPosition(
            f"The result is {result!r}, but the moves lead to {record.result!r}."
        )
    return record


def _printable(value: str) -> str:
    return "".join(c for c in value if c.isprintable())


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    headers: dict[str, str] = {}
    words: list[str] = []
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("["):
            match = _HEADER.fullmatch(line)
            if match is None or match[1] in headers:
                raise InvalidPosition(f"{line[:60]!r} is not a header of a record.")
            headers[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        else:
            words += line.split()
    result = headers.get("Result", "").split(" ")
    if words[-len(result) :] != result:
        raise InvalidPosition("The record does not end with its result.")
    return headers, words[: -len(result)]


def _movetext(record: Record) -> list[str]:
    rules = find_ruleset(record.ruleset)
    words: list[str] = []
    room, opens = 0, True
    for step in steps(rules, deal(record.seed), record.moves, record.difficulty):
        if opens:
            room += 1
            words.append(f"{room}.")
        words.append(str(step.move))
        opens = step.move is not AVOID and step.after.faced_in_room == 0
    return [*words, record.result]


def _wrap(words: list[str], width: int = 80) -> list[str]:
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
