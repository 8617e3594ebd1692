"""The worked examples of the rules page: small positions with lines to compare.

Each is a position of a few cards. A line is a way to play it; its outcome is computed
by the engine under every ruleset, so the page retypes no number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from game.rules import (
    DEFAULT_RULESET,
    RULESETS,
    Effect,
    IllegalMove,
    Ruleset,
    State,
    apply,
    score,
    start,
)
from game.rules.state import Status
from game.teaching.texts import fill


class Line(NamedTuple):
    """One way to play an example: a heading, the moves, and what they show."""

    title: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A position: `deck` from the top, and what the player has."""

    key: str
    title: str
    text: str
    deck: tuple[str, ...]
    lines: tuple[Line, ...]
    health: int = 20
    weapon: str | None = None
    kill_stack: tuple[str, ...] = ()

    def words(self) -> str:
        """The text with its numbers, under the default ruleset."""
        return fill(self.text, start_example(self, RULESETS[DEFAULT_RULESET]))


class Outcome(NamedTuple):
    """What a line comes to under a ruleset.

    `refused`: why one of its moves is not allowed there, else None; then the health and
    the score are those before that move. `score` is None while the run goes on.
    """

    ruleset: str
    health: int
    score: int | None
    status: Status
    refused: str | None


_PUBLISHED: Final = (
    Example(
        "order",
        "The order decides: {damage:6Sw>9Cb} or {damage:9Cw}",
        "You hold a fresh [8D]. Strongest first, the [9C] costs {damage:9Cw} and the"
        " [6S] costs {damage:9Cw>6Sw}. The other way round the [6S] costs"
        " {damage:6Sw}, but then the weapon only reaches monsters below {limit:6Sw}"
        " and the [9C] costs {damage:6Sw>9Cb}.",
        ("9C", "6S"),
        (
            Line("Strongest first", ("9Cw", "6Sw")),
            Line("Weakest first", ("6Sw", "9Cb")),
        ),
        weapon="8D",
    ),
    Example(
        "bare",
        "Bare hands spare the weapon",
        "Your [8D] has killed the [QS], so it reaches monsters below {limit}. Used on"
        " the [4S] it only reaches below {limit:4Sw}, and the [JC] costs"
        " {damage:4Sw>JCb}. A bare-handed fight costs the whole value, {damage:4Sb},"
        " but leaves the limit as it is: the [JC] then costs {damage:4Sb>JCw}. Best is"
        " the [JC] first.",
        ("4S", "JC"),
        (
            Line("The weak one armed", ("4Sw", "JCb")),
            Line("The weak one bare-handed", ("4Sb", "JCw")),
            Line("The strong one first", ("JCw", "4Sw")),
        ),
        weapon="8D",
        kill_stack=("QS",),
    ),
    Example(
        "equal",
        "A monster as strong as the last one",
        "Your [5D] has killed the [8C]. In most rulesets it no longer reaches the [8S],"
        " which costs {damage:8Sb} bare-handed. Try it under Bound.",
        ("8S", "2C"),
        (
            Line("Armed", ("8Sw", "2Cw")),
            Line("Bare-handed", ("8Sb", "2Cw")),
        ),
        weapon="5D",
        kill_stack=("8C",),
    ),
    Example(
        "potion",
        "A potion at full health",
        "At {health} of {cap} health the [5H] heals {heal:5H}, and it still uses up the"
        " one potion of this room: the [8H] is wasted afterwards. Fight first, then"
        " drink.",
        ("5H", "8H", "7C", "3S"),
        (
            Line("Drink first", ("5H", "7Cb", "8H")),
            Line("Fight first", ("7Cb", "3Sb", "8H")),
        ),
    ),
    Example(
        "last-room",
        "The last room has two cards",
        "All cards of a room with fewer than four are faced, and it cannot be avoided."
        " You have {health} health, the [4H] heals {heal:4H}, and the [6C] costs"
        " {damage:6Cw} armed.",
        ("4H", "6C"),
        (
            Line("Drink, then fight", ("4H", "6Cw")),
            Line("Fight, then drink", ("6Cw", "4H")),
        ),
        health=12,
        weapon="6D",
        kill_stack=("KS",),
    ),
    Example(
        "death",
        "The score of a death: {score:9Sb}",
        "You have {health} health and fight the [9S] bare-handed: {left:9Sb} health,"
        " and you are dead. The [KC] stays in the room and the [5S] in the pile. The"
        " card that killed you does not count. Potions and weapons do not count.",
        ("9S", "KC", "2H", "3D", "5S"),
        (Line("Fight it", ("9Sb",)),),
        health=3,
    ),
    Example(
        "clearance",
        "The score of a clearance: {score:7H}",
        "The last card is the [7H], and it leaves you at {left:7H} of {cap} health:"
        " its value, {last:7H}, counts on top.",
        ("7H",),
        (Line("Drink it", ("7H",)),),
        health=13,
    ),
    Example(
        "clearance-short",
        "The same with less health: {score:5H}",
        "The last card is the [5H]. It leaves you at {left:5H}, below {cap}, so only"
        " your health counts.",
        ("5H",),
        (Line("Drink it", ("5H",)),),
        health=8,
    ),
    Example(
        "clearance-wasted",
        "A wasted last potion: {score:5H>7H}",
        "You are at {health} health and two potions are left. The second is wasted, but"
        " it is the last card you face. Its value, {last:5H>7H}, counts on top.",
        ("5H", "7H"),
        (
            Line("The stronger one last", ("5H", "7H")),
            Line("The weaker one last", ("7H", "5H")),
        ),
    ),
)
EXAMPLES: Final[Mapping[str, Example]] = MappingProxyType(
    {example.key: example for example in _PUBLISHED}
)


def start_example(example: Example, ruleset: Ruleset) -> State:
    """The first position of an example under a ruleset."""
    return start(
        ruleset,
        example.deck,
        health=example.health,
        weapon=example.weapon,
        kill_stack=example.kill_stack,
    )


def example_title(example: Example) -> str:
    """The title with its numbers, under the default ruleset."""
    return fill(example.title, start_example(example, RULESETS[DEFAULT_RULESET]))


def example_position(
    example: Example, ruleset: Ruleset, moves: Sequence[str]
) -> tuple[State, tuple[Effect, ...]]:
    """The position after these moves, and the effects of the last one.

    Raises IllegalMove, MalformedMove.
    """
    state = start_example(example, ruleset)
    effects: tuple[Effect, ...] = ()
    for move in moves:
        state, effects = apply(state, move)
    return state, effects


def example_outcomes(example: Example, line: Line) -> list[Outcome]:
    """What a line of an example comes to under each ruleset."""
    return [_outcome(example, line, ruleset) for ruleset in RULESETS.values()]


def _outcome(example: Example, line: Line, ruleset: Ruleset) -> Outcome:
    state, refused = start_example(example, ruleset), None
    for move in line.moves:
        try:
            state, _ = apply(state, move)
        except IllegalMove as refusal:
            refused = refusal.text
            break
    return Outcome(ruleset.key, state.health, score(state), state.status, refused)
