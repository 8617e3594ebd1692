"""What Scoundrel looks like with the order known, and without it.

Pure, like the rules below it: no Django, no chance but what a seed gives. Read
docs/analysis-code.md.

    solve(state).best; review(ruleset, deck, moves).values; assess(ruleset, deck).band
"""

from game.analysis.chances import ChanceChange, chances, each_chance
from game.analysis.par import ANALYSIS_VERSION, Assessment, assess, band_of
from game.analysis.players import PLAYERS, Chance, Player, View, view_of
from game.analysis.review import MoveReview, Review, TurningPoint, review
from game.analysis.screening import Signal, Standing, screen, standing
from game.analysis.solver import Solution, solve, winnable

__all__ = [
    "ANALYSIS_VERSION",
    "PLAYERS",
    "Assessment",
    "Chance",
    "ChanceChange",
    "MoveReview",
    "Player",
    "Review",
    "Signal",
    "Solution",
    "Standing",
    "TurningPoint",
    "View",
    "assess",
    "band_of",
    "chances",
    "each_chance",
    "review",
    "screen",
    "solve",
    "standing",
    "view_of",
    "winnable",
]
