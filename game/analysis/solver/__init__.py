"""The exact solver for a known dungeon. Pure; proofs in docs/analysis-code.md.

Read `solve` (phases, budgets), then `search` (layers), `plans` (one room), `bounds`.
"""

from game.analysis.solver.solve import Solution, is_winnable, solve

__all__ = ["Solution", "is_winnable", "solve"]
