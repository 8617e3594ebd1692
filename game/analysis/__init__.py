"""Analysis of dungeons and runs: solver, players, difficulty, reviews, screening.

Pure, like the rules below it: no Django, and no random numbers except from a given
seed. Read docs/analysis-code.md.

    solve(state).best; review(ruleset, deck, moves).values; assess(ruleset, deck).band
"""

from game.analysis.assessment import ANALYSIS_VERSION, Assessment, assess, band_of
from game.analysis.chances import ChanceChange, chances, iter_chances
from game.analysis.coach import COACH_VERSION, Advice, advise
from game.analysis.players import PLAYERS, Player, SeededRandom, View, view_of
from game.analysis.review import MoveReview, Review, TurningPoint, review
from game.analysis.screening import ScreeningSummary, Signal, screen, summarize_signals
from game.analysis.solver import Solution, is_winnable, solve

__all__ = [
    "ANALYSIS_VERSION",
    "COACH_VERSION",
    "PLAYERS",
    "Advice",
    "Assessment",
    "ChanceChange",
    "MoveReview",
    "Player",
    "Review",
    "ScreeningSummary",
    "SeededRandom",
    "Signal",
    "Solution",
    "TurningPoint",
    "View",
    "advise",
    "assess",
    "band_of",
    "chances",
    "is_winnable",
    "iter_chances",
    "review",
    "screen",
    "solve",
    "summarize_signals",
    "view_of",
]
