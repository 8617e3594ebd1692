"""What Scoundrel looks like with the order known, and without it.

Pure, like the rules below it: no Django, no chance of its own.
"""

from game.analysis.solver import Solution, solve, winnable

__all__ = ["Solution", "solve", "winnable"]
