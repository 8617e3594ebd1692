"""The guided dungeon: every step, every mistake, and what it must teach."""

import pytest

from game.rules import IllegalMove, MalformedMove, legal_moves, observe
from game.teaching.guided import STEPS, NotInLesson, guide


def walk() -> list[list[str]]:
    """The moves before each step of the lesson, taking the first accepted move."""
    moves: list[str] = []
    before = []
    for _ in STEPS:
        before.append(list(moves))
        now = guide(moves)
        moves += now.skipped or now.advised[:1]
    return [*before, moves]


BEFORE = walk()


def test_the_lesson_ends_with_a_clearance() -> None:
    end = guide(BEFORE[-1])
    assert (end.step, end.advised, end.skipped) == (len(STEPS), (), ())
    assert end.state.status == "cleared"
    assert f"health you have left: {end.state.health}." in end.text


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_each_legal_move_is_accepted_or_explained(step: int) -> None:
    now = guide(BEFORE[step])
    assert (now.step, now.steps, now.mistake) == (step, len(STEPS), None)
    if now.skipped:
        assert not now.advised
        return
    assert now.advised
    for move in legal_moves(now.state):
        after = guide([*BEFORE[step], move])
        if move in now.advised:
            assert (after.mistake, after.step) == (None, step + 1)
        else:
            assert after.mistake
            assert after.step == step
            assert after.state.index == now.state.index + 1
            assert after.advised == now.advised


def test_no_text_has_an_unfilled_field() -> None:
    for moves in BEFORE:
        now = guide(moves)
        others = () if now.skipped else legal_moves(now.state)
        explained = [guide([*moves, move]).mistake or "" for move in others]
        words = [now.title, now.text, *explained]
        for text in words:
            assert not {"{", "}"} & set(text)
            assert "CARD" not in text


def test_the_lesson_teaches_every_rule() -> None:
    seen = [observe(guide(moves).state) for moves in BEFORE]
    moves = BEFORE[-1]
    assert "avoid" in moves
    assert any(move.endswith("b") for move in moves)
    assert any(move.endswith("w") for move in moves)
    assert {one["room_number"] for one in seen} >= {1, 2, 3, 4, 14, 15}
    assert any(len(one["bottom"]) == 4 for one in seen)
    assert len([one for one in seen if one["room_number"] == 15]) == 3
    # Two potions in one room, of which one is carried.
    second = [one for one in seen if one["room_number"] == 2]
    assert all("4H" in one["room"] for one in second)
    # Choices of the player: each takes seconds, so the lesson takes minutes.
    assert sum(not step.skipped for step in STEPS) <= 20


def test_free_orders_meet_again() -> None:
    one = guide(["4D", "9Cw", "5Cw", "6Sb", "4Cw", "7H"])
    other = guide(["4D", "9Cw", "5Cw", "4Cw", "6Sb", "7H"])
    assert one.step == other.step
    assert one.state.room == other.state.room
    assert one.state.health == other.state.health


def test_refuses_moves_after_a_mistake_and_other_moves() -> None:
    with pytest.raises(NotInLesson):
        guide(["9Cb", "4D"])
    skipping = next(i for i, step in enumerate(STEPS) if step.skipped)
    with pytest.raises(NotInLesson):
        guide([*BEFORE[skipping], STEPS[skipping].skipped[0]])
    with pytest.raises(IllegalMove):
        guide(["9Cw"])
    with pytest.raises(IllegalMove):
        guide([*BEFORE[-1], "avoid"])
    with pytest.raises(MalformedMove):
        guide(["jump"])
