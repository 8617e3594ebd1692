"""Scoundrel itself: cards, rulesets, shuffle, legality, transitions, scoring.

Pure: no Django, no clock, no randomness, no input or output. Start reading at `state`,
then `legality` and `transition`; `observation` is what a player may see. The names
below are the public API (docs/rules.md); programs import them from here.

    state = start(RULESETS["tavern-1"], deal("any seed"))
    state, effects = apply(state, legal_moves(state)[0])
"""

from game.rules.cards import CARDS, DECK, Card, Kind
from game.rules.effects import Effect
from game.rules.errors import (
    IllegalMove,
    InvalidPosition,
    InvalidSeed,
    MalformedMove,
    Refusal,
    UnknownRuleset,
)
from game.rules.legality import legal_moves, why_illegal
from game.rules.moves import MOVES, Action, Move, parse_move
from game.rules.observation import observe
from game.rules.record import Record, format_record, make_record, parse_record
from game.rules.replay import Step, fold, steps
from game.rules.rulesets import (
    DEFAULT_RULESET,
    RULESETS,
    Difficulty,
    Ruleset,
    find_ruleset,
)
from game.rules.scoring import breakdown, broken_off_score, score
from game.rules.shuffle import check_seed, deal, seal_of
from game.rules.state import State, start
from game.rules.transition import apply

__all__ = [
    "CARDS",
    "DECK",
    "DEFAULT_RULESET",
    "MOVES",
    "RULESETS",
    "Action",
    "Card",
    "Difficulty",
    "Effect",
    "IllegalMove",
    "InvalidPosition",
    "InvalidSeed",
    "Kind",
    "MalformedMove",
    "Move",
    "Record",
    "Refusal",
    "Ruleset",
    "State",
    "Step",
    "UnknownRuleset",
    "apply",
    "breakdown",
    "broken_off_score",
    "check_seed",
    "deal",
    "find_ruleset",
    "fold",
    "format_record",
    "legal_moves",
    "make_record",
    "observe",
    "parse_move",
    "parse_record",
    "score",
    "seal_of",
    "start",
    "steps",
    "why_illegal",
]
