"""The worked examples: their lines are legal, and their numbers are those of the rules.

The expected numbers are those of the rules text, written out here once.
"""

import pytest

from game.rules import RULESETS, legal_moves
from game.teaching import EXAMPLES, example_outcomes, example_position, example_title
from game.teaching.examples import Example


def scores(key: str, line: int) -> dict[str, int | None]:
    example = EXAMPLES[key]
    found = example_outcomes(example, example.lines[line])
    return {one.ruleset.removesuffix("-1"): one.score for one in found}


@pytest.mark.parametrize(
    ("key", "line", "expected"),
    [
        ("order", 0, (19, 19, 19, 19)),
        ("order", 1, (11, 11, 11, 11)),
        ("bare", 0, (9, 9, 9, 9)),
        ("bare", 1, (13, 13, 13, 13)),
        ("equal", 0, (None, 17, None, None)),
        ("death", 0, (-24, -24, -5, -11)),
        ("clearance", 0, (27, 20, 20, 27)),
        ("clearance-short", 0, (13, 13, 13, 13)),
        ("clearance-wasted", 0, (27, 20, 27, 27)),
    ],
)
def test_scores_by_ruleset(
    key: str, line: int, expected: tuple[int | None, ...]
) -> None:
    names = ("tavern", "bound", "flee", "original")
    assert scores(key, line) == dict(zip(names, expected, strict=True))


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_texts_are_filled_and_lines_can_be_played(example: Example) -> None:
    for text in (example_title(example), example.words()):
        assert not {"{", "}"} & set(text)
    allowed = [
        outcome.ruleset
        for line in example.lines
        for outcome in example_outcomes(example, line)
        if outcome.refused is None
    ]
    assert set(allowed) == set(RULESETS)


def test_potion_at_full_health_uses_the_allowance() -> None:
    example, rules = EXAMPLES["potion"], RULESETS["tavern-1"]
    state, effects = example_position(example, rules, ["5H"])
    assert (state.health, state.potion_used) == (20, True)
    assert effects[0].kind == "healed"
    state, effects = example_position(example, rules, ["5H", "7Cb", "8H"])
    assert (state.health, effects[0].kind) == (13, "wasted")


def test_last_room_cannot_be_avoided() -> None:
    state, _ = example_position(EXAMPLES["last-room"], RULESETS["tavern-1"], [])
    assert "avoid" not in legal_moves(state)
    assert len(state.room) == 2
