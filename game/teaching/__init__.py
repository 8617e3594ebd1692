"""What teaches the rules: the guided dungeon and the examples of the rules page.

Pure, like the rules below it. The texts contain no number that depends on the rules:
`texts` computes each one with the engine.
"""

from game.teaching.examples import (
    EXAMPLES,
    Example,
    example_outcomes,
    example_position,
    example_title,
)
from game.teaching.guided import RULESET as LESSON_RULESET
from game.teaching.guided import SEED as LESSON_SEED
from game.teaching.guided import Guidance, NotInLesson, guide

__all__ = [
    "EXAMPLES",
    "LESSON_RULESET",
    "LESSON_SEED",
    "Example",
    "Guidance",
    "NotInLesson",
    "example_outcomes",
    "example_position",
    "example_title",
    "guide",
]
