"""36 whole runs, given move by move: every step of each holds."""

import json
from pathlib import Path
from typing import Any

import pytest

from game.rules import (
    MOVES,
    RULESETS,
    State,
    apply,
    deal,
    fold,
    format_record,
    legal_moves,
    make_record,
    parse_record,
    score,
    start,
    steps,
    why_illegal,
)
from game.rules.snapshot import from_text, to_text

Case = dict[str, Any]
CASES: list[Case] = json.loads(
    (Path(__file__).parents[1] / "cases" / "playthroughs.json").read_text()
)
each = pytest.mark.parametrize(
    "case", CASES, ids=lambda c: f"{c['seed']}-{'cleared' if c['cleared'] else 'died'}"
)


def _start(case: Case) -> State:
    return start(RULESETS[case["ruleset"]], deal(case["seed"]))


def test_cases_cover_each_ruleset_and_ending() -> None:
    covered = {(case["ruleset"], case["cleared"]) for case in CASES}
    assert len(covered) == 8


@each
def test_every_step(case: Case) -> None:
    state = _start(case)
    assert len(case["moves"]) == len(case["states"])
    for index, (move, expected) in enumerate(
        zip(case["moves"], case["states"], strict=True)
    ):
        assert state.index == index
        assert state.status == "playing"
        assert score(state) is None
        legal = {str(move) for move in legal_moves(state)}
        assert sorted(legal) == sorted(expected["legal_before"])
        assert {code for code in MOVES if why_illegal(state, code) is None} == legal
        state, _ = apply(state, move)
        assert state.health == expected["health"]
        assert list(state.room) == expected["room"]
        assert len(state.dungeon) == expected["dungeon_left"]
        assert state.weapon == expected["weapon"]
        assert list(state.kill_stack) == expected["slain"]
    assert state.status == ("cleared" if case["cleared"] else "died")
    assert score(state) == case["score"]


@each
def test_snapshots(case: Case) -> None:
    state, deck = _start(case), deal(case["seed"])
    rules = RULESETS[case["ruleset"]]
    assert from_text(to_text(state), rules, "normal", deck) == state
    for step in steps(rules, deck, case["moves"]):
        assert from_text(to_text(step.after), rules, "normal", deck) == step.after


@each
def test_record(case: Case) -> None:
    moves = case["moves"]
    for length in {0, 1, len(moves) // 2, len(moves)}:
        record = make_record(case["ruleset"], "normal", case["seed"], moves[:length])
        text = format_record(record)
        again = parse_record(text)
        assert again == record
        assert format_record(again) == text
        assert list(again.moves) == moves[:length]
        assert again.state() == fold(
            RULESETS[case["ruleset"]], deal(case["seed"]), moves[:length]
        )
    how = "cleared" if case["cleared"] else "died"
    assert _result(case) == f"{how} {case['score']}"


def _result(case: Case) -> str:
    return make_record(case["ruleset"], "normal", case["seed"], case["moves"]).result


def test_room_has_the_carried_card_first() -> None:
    """Carried card first, then the dealt ones, as rules.md has it."""
    for case in CASES:
        state = _start(case)
        for move in case["moves"]:
            before = state
            state, effects = apply(state, move)
            dealt = [e.cards for e in effects if e.kind == "dealt"]
            if dealt:
                carried = state.room[: len(state.room) - len(dealt[0])]
                assert set(carried) < set(before.room)
                assert state.room[len(carried) :] == dealt[0]
