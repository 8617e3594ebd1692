"""A replay as the rows of a table: each move, its effects, and the state after it.

`replay_json` refuses replays that are not public.
"""

from itertools import pairwise
from typing import Any

from game.rules.schemas import Effect, Table
from game.selectors.runs.schemas import Replay

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANKS = {"T": "10"}


def card(code: str) -> dict[str, str]:
    """Return a card for the page: {code, rank, suit, words, kind}."""
    rank, suit = _RANKS.get(code[0], code[0]), code[1]
    kind = {"D": "weapon", "H": "potion"}.get(suit, "monster")
    words = f"{rank} of {SUIT_WORDS[suit]}"
    return {
        "code": code,
        "rank": rank,
        "suit": SUITS[suit],
        "words": words,
        "kind": kind,
    }


def replay_rows(replay: Replay) -> list[dict[str, Any]]:
    """Return the rows, the start first, as the dicts of `_row`."""
    rows = [_row(replay["start"], move="", at_ms=0, description="Begins.")]
    for step in replay["moves"]:
        description = " ".join(filter(None, map(_describe, step["effects"])))
        rows.append(
            _row(
                step["after"],
                move=step["move"],
                at_ms=step["at_ms"],
                description=description,
            )
        )
    for before, row in pairwise(rows):
        row["took_s"] = round(row["at_s"] - before["at_s"], 1)
    return rows


def _row(after: Table, *, move: str, at_ms: int, description: str) -> dict[str, Any]:
    weapon = after["weapon"]
    return {
        "index": after["index"],
        "move": move,
        "at_s": at_ms / 1000,
        "took_s": None,
        "description": description,
        "health": after["health"],
        "room": [card(code) for code in after["room"]],
        "weapon": card(weapon["card"]) if weapon else None,
        "limit": weapon["limit"] if weapon else None,
        "left": after["dungeon_left"],
    }


def _describe(effect: Effect) -> str:
    kind = effect["kind"]
    if kind == "fought":
        how = "armed" if effect["armed"] else "bare-handed"
        return f"Fights {how}: {effect['damage']} damage."
    return {
        "equipped": "Takes up the weapon.",
        "healed": f"Heals {effect.get('amount')}.",
        "wasted": "Wastes the potion.",
        "avoided": "Avoids the room.",
        "died": "Dies.",
        "cleared": "Clears the dungeon.",
    }.get(kind, "")
