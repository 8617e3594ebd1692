"""Perft: how many legal move sequences of each length a dungeon has.

One wrong rule almost always changes a count, so the table guards the whole engine.
"""

import json
from pathlib import Path

from game.rules import Ruleset, State, apply, deal, legal_moves, start

TABLE = Path(__file__).parent / "perft.json"
SEEDS = ("perft-a", "perft-b", "perft-c")
DEPTH = 6


def perft(state: State, depth: int) -> int:
    """The number of legal move sequences of exactly that length from here."""
    moves = legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(perft(apply(state, move)[0], depth - 1) for move in moves)


def counts(ruleset: Ruleset, seed: str, depth: int = DEPTH) -> list[int]:
    """The counts of lengths 1 to depth, from a dungeon's first position."""
    first = start(ruleset, deal(seed))
    return [perft(first, length) for length in range(1, depth + 1)]


def stored() -> dict[str, dict[str, list[int]]]:
    """The table as it lies in the repository: ruleset, seed, counts."""
    table: dict[str, dict[str, list[int]]] = json.loads(TABLE.read_text())
    return table
