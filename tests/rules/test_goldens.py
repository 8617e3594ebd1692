"""Compare whole runs and move counts with stored ones, to notice changed rules."""

import pytest

from game.rules import Ruleset, deal, legal_moves, start, steps
from game.rules.replay import Step
from tests.golden import perft
from tests.golden.runs import KINDS, golden_text, path_of, record_in

ENDINGS = ("cleared", "died")


def _steps(ruleset: Ruleset, ending: str) -> tuple[Step, ...]:
    record = record_in(path_of(ruleset, ending).read_text())
    deck = deal(record.seed)
    return steps(ruleset, deck, record.moves, record.difficulty)


@pytest.mark.parametrize("ending", ENDINGS)
def test_golden_run_is_unchanged(ruleset: Ruleset, ending: str) -> None:
    text = path_of(ruleset, ending).read_text()
    record = record_in(text)
    assert record.ruleset == ruleset.key
    assert record.result.startswith(ending)
    assert golden_text(record) == text


def test_golden_runs_contain_every_effect(ruleset: Ruleset) -> None:
    kinds = {
        effect.kind
        for ending in ENDINGS
        for step in _steps(ruleset, ending)
        for effect in step.effects
    }
    assert kinds == KINDS | {"died", "cleared"}


@pytest.mark.parametrize("seed", perft.SEEDS)
def test_move_counts_are_unchanged(ruleset: Ruleset, seed: str) -> None:
    table = perft.stored()[ruleset.key][seed]
    assert len(table) == perft.DEPTH
    assert perft.counts(ruleset, seed) == table
    assert table[0] == len(legal_moves(start(ruleset, deal(seed))))
