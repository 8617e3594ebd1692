"""Requesters take turns, whatever the number of their jobs."""

import random

import pytest

from game.contest.fair_queue import next_turn


@pytest.mark.parametrize(
    ("served", "own_last", "turn"),
    [(0, None, 0), (7, None, 7), (7, 3, 7), (7, 7, 8), (7, 12, 13), (0, 0, 1)],
)
def test_next_turn(served: int, own_last: int | None, turn: int) -> None:
    assert next_turn(served=served, own_last=own_last) == turn


@pytest.mark.parametrize("chance", range(20))
def test_no_requester_is_served_twice_while_another_waits(chance: int) -> None:
    """At most two jobs of each other requester come before one's first."""
    rnd = random.Random(chance)
    last: dict[str, int] = {}
    queue: list[tuple[int, int, str]] = []
    served, waiting = 0, dict[str, int]()
    passed: dict[str, dict[str, int]] = {}
    for number in range(400):
        who = rnd.choice("aaaaaaabbc")
        if rnd.random() < 0.6:
            turn = next_turn(served=served, own_last=last.get(who))
            last[who] = turn
            queue.append((turn, number, who))
            waiting[who] = waiting.get(who, 0) + 1
            passed.setdefault(who, {})
        elif queue:
            queue.sort()
            served, _, who = queue.pop(0)
            waiting[who] -= 1
            passed[who] = {}
            for other in waiting:
                if other != who and waiting[other]:
                    seen = passed[other]
                    seen[who] = seen.get(who, 0) + 1
                    assert seen[who] <= 2, (number, who, other)
