"""Dungeons that chance draws in the tests' own process.

A test that plays a few moves must not fail on a dungeon that kills whoever plays them
so. A secret seed is therefore drawn again until the first moves let a careless player
live; all else about it stays chance.
"""

import secrets
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from game.rules import RULESETS, apply, deal, parse_move, start
from game.rules.observation import observe
from game.services import dungeons

MOVES_LIVED = 6
Choose = Callable[[dict[str, Any]], str]


def first_move(run: dict[str, Any]) -> str:
    """The first legal move that is not deadly, or avoiding; else the first."""
    alive = [one for one in run["legal"] if not one["lethal"]]
    facing = [one for one in alive if one["action"] != "avoid"]
    return str((facing or alive or run["legal"])[0]["move"])


def very_first_move(run: dict[str, Any]) -> str:
    """The first legal move."""
    return str(run["legal"][0]["move"])


def is_merciful(seed: str) -> bool:
    """Whether both ways to play live through the first moves in every ruleset."""
    deck = deal(seed)
    ways: tuple[Choose, ...] = (first_move, very_first_move)
    return all(_lives(rules, deck, way) for rules in RULESETS.values() for way in ways)


def _lives(rules: Any, deck: Any, choose: Choose) -> bool:
    state = start(rules, deck)
    for _ in range(MOVES_LIVED):
        state, _effects = apply(state, parse_move(choose(observe(state))))
        if state.health <= 0:
            return False
    return True


def merciful_hex(size: int) -> str:
    """As secrets.token_hex, of a seed that is_merciful."""
    while not is_merciful(found := secrets.token_hex(size)):
        pass
    return found


@pytest.fixture(autouse=True)
def merciful_dungeons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every dungeon drawn here for a run or a race lets its players live a while."""
    chance = SimpleNamespace(token_hex=merciful_hex, token_bytes=secrets.token_bytes)
    monkeypatch.setattr(dungeons, "secrets", chance)
