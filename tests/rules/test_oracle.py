"""The engine agrees with a second, simple implementation of the rules."""

import pytest

from game.rules import Ruleset, State, broken_off_score, deal, legal_moves, start
from tests.golden import perft
from tests.rules.oracle import Oracle
from tests.rules.table import COMPARED, walks

EACH = pytest.mark.parametrize("rules", COMPARED, ids=lambda r: r.key)


def _same(state: State, oracle: Oracle) -> None:
    assert {str(move) for move in legal_moves(state)} == oracle.legal()
    assert list(state.room) == oracle.room
    assert list(state.dungeon) == oracle.pile
    assert state.health == oracle.health
    assert (state.weapon or "") == oracle.weapon
    assert list(state.kill_stack) == oracle.slain
    assert sorted(state.discard) == sorted(oracle.gone)
    assert (state.status != "playing") == oracle.over
    assert broken_off_score(state) == oracle.score()


@EACH
def test_random_runs_agree(rules: Ruleset) -> None:
    cleared = 0
    for walk in walks(rules, 80, "oracle"):
        first = walk[0].before
        deck = [str(card) for card in first.room + first.dungeon]
        oracle = Oracle(rules.key, deck, first.health, first.cap)
        _same(first, oracle)
        for step in walk:
            oracle.play(str(step.move))
            _same(step.after, oracle)
        cleared += walk[-1].after.status == "cleared"
    assert cleared > 10


def _count(rules: Ruleset, deck: list[str], line: list[str], depth: int) -> int:
    oracle = Oracle(rules.key, list(deck), 20, 20)
    for code in line:
        oracle.play(code)
    codes = oracle.legal()
    if depth == 1:
        return len(codes)
    return sum(_count(rules, deck, [*line, code], depth - 1) for code in codes)


@EACH
@pytest.mark.parametrize("seed", perft.SEEDS)
def test_perft_agrees(rules: Ruleset, seed: str) -> None:
    table = perft.stored()[rules.key][seed]
    first = start(rules, deal(seed))
    deck = [str(card) for card in first.room + first.dungeon]
    assert [_count(rules, deck, [], depth) for depth in (1, 2, 3, 4, 5, 6)] == table
