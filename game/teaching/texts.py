"""Fills the numbers of a text in, computed by the engine from a position.

A text has fields in braces: a word, and for most words a path, which is one or more
moves joined by `>` and played from the position.

    {health}            the health now
    {damage:4D>9Cw}     the damage of the last move of the path
    {heal:7H}           what the last move of the path heals
    {left:6Sb}          the health after the path
    {limit:9Cw}         the value that the weapon's next monster must be below or equal
    {score:4H>6Cw}      the score after the path
    {last:4H>6Cw}       the bonus for the last potion in that score

A card in square brackets, such as [9C], stays: the page shows its name there.
"""

import re
from collections.abc import Callable
from typing import Final

from game.rules import State, apply, score
from game.rules.effects import Fought, Healed
from game.rules.scoring import last_potion_bonus

_FIELD: Final = re.compile(r"\{(\w+)(?::([^}]*))?\}")


def fill(text: str, state: State) -> str:
    """The text with every field replaced by its number.

    Raises IllegalMove, MalformedMove, KeyError for a text that does not fit the state.
    """
    return _FIELD.sub(lambda match: str(_number(match[1], match[2], state)), text)


def _number(word: str, path: str | None, state: State) -> int:
    changed = {"damage": 0, "heal": 0}
    for move in path.split(">") if path else ():
        state, effects = apply(state, move)
        first = effects[0]
        changed = {
            "damage": first.damage if isinstance(first, Fought) else 0,
            "heal": first.amount if isinstance(first, Healed) else 0,
        }
    return changed[word] if word in changed else _OF_STATE[word](state)


def _limit(state: State) -> int:
    return state.kill_stack[-1].value


def _score(state: State) -> int:
    points = score(state)
    if points is None:
        raise KeyError("score")
    return points


_OF_STATE: Final[dict[str, Callable[[State], int]]] = {
    "health": lambda state: state.health,
    "left": lambda state: state.health,
    "cap": lambda state: state.cap,
    "limit": _limit,
    "score": _score,
    "last": last_potion_bonus,
}
