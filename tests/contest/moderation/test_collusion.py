"""Which results suggest that entrants lose on purpose, in races of any size."""

import pytest

from game.contest.moderation.collusion import (
    EARLY_END_CARDS,
    HURRIED_MOVES,
    HURRIED_MS,
    LostRun,
    Record,
    Seat,
    circles,
    is_thrown,
    one_sided_results,
    pair_records,
)

Race = list[Seat]


def race(text: str) -> Race:
    """A race from "ada bo! cy": in order of place; ! marks a thrown run."""
    return [
        Seat(name.rstrip("!"), place, name.endswith("!"))
        for place, name in enumerate(text.split(), start=1)
    ]


def races(*rows: tuple[int, str]) -> list[Race]:
    """Each race that many times."""
    return [race(text) for times, text in rows for _ in range(times)]


ONCE = tuple("jklmnopqrs")
SEVEN_LOSERS = "s1! s2! s3! s4! s5! s6! s7!"


@pytest.mark.parametrize(
    ("rows", "linked", "flagged"),
    [
        ([(10, "ada bo!")], {}, {"ada": ("bo",)}),
        ([(9, "ada bo!")], {}, {}),
        ([(20, "ada bo")], {}, {}),  # one is simply better
        ([(10, "ada bo")], {"ada": {"bo"}, "bo": {"ada"}}, {"ada": ("bo",)}),
        ([(5, "ada bo!"), (5, "ada bo")], {}, {"ada": ("bo",)}),
        ([(4, "ada bo!"), (6, "ada bo")], {}, {}),
        ([(9, "ada bo!"), (2, "bo ada")], {}, {}),
        # A few races against each of several accounts.
        (
            [(4, "ada bo!"), (3, "ada cy!"), (3, "ada di!"), (40, "eve ada")],
            {},
            {"ada": ("bo", "cy", "di")},
        ),
        ([(4, "ada bo!"), (3, "ada cy!"), (2, "ada di!"), (9, "eve ada")], {}, {}),
        # Accounts that are used once.
        (
            [(1, f"ada {name}!") for name in ONCE],
            {},
            {"ada": ONCE},
        ),
        ([(1, f"ada {name}") for name in ONCE], {}, {}),
        # Larger races count as their pairs.
        (
            [(2, f"win {SEVEN_LOSERS}")],
            {},
            {"win": tuple(SEVEN_LOSERS.replace("!", "").split())},
        ),
        ([(1, f"win {SEVEN_LOSERS}")], {}, {}),
        ([(10, "ada bo cy di")], {}, {}),
        ([], {}, {}),
    ],
)
def test_one_sided_results(
    rows: list[tuple[int, str]],
    linked: dict[str, set[str]],
    flagged: dict[str, tuple[str, ...]],
) -> None:
    found = one_sided_results(pair_records(races(*rows)), linked)
    assert {one.account: one.opponents for one in found} == flagged
    assert all(one.is_linked is bool(linked) for one in found)


@pytest.mark.parametrize(
    ("rows", "groups"),
    [
        ([(5, "ada bo!"), (5, "bo ada!")], [(("ada", "bo"), 10)]),
        ([(5, "ada bo!"), (4, "bo ada!")], []),
        ([(5, "ada bo"), (5, "bo ada")], []),
        ([(20, "ada bo!")], []),
        (
            [(4, "ada bo!"), (3, "bo cy!"), (3, "cy ada!")],
            [(("ada", "bo", "cy"), 10)],
        ),
        ([(4, "ada bo!"), (6, "bo cy!"), (1, "cy ada!")], []),
        # Honest races of the same accounts outweigh a few thrown ones.
        ([(5, "ada bo!"), (5, "bo ada!"), (11, "ada bo")], []),
        # Who is outside the circle is not flagged.
        (
            [(5, "ada bo!"), (5, "bo ada!"), (5, "ada eve!"), (5, "eve dan!")],
            [(("ada", "bo"), 10)],
        ),
        # Larger races count as their pairs.
        ([(5, "ada bo! eve"), (5, "bo ada! eve")], [(("ada", "bo"), 10)]),
    ],
)
def test_circles(
    rows: list[tuple[int, str]], groups: list[tuple[tuple[str, ...], int]]
) -> None:
    found = circles(pair_records(races(*rows)))
    assert [(one.accounts, one.thrown) for one in found] == groups


def test_equal_places_are_no_win() -> None:
    both = [Seat("ada", 1, True), Seat("bo", 1, True)]
    assert pair_records([both]) == {
        ("ada", "bo"): Record(1, 0, 0),
        ("bo", "ada"): Record(1, 0, 0),
    }


@pytest.mark.parametrize(
    ("status", "faced", "wanted"),
    [
        ("forfeited", 40, True),
        ("abandoned", 40, True),
        ("died", EARLY_END_CARDS, True),
        ("died", EARLY_END_CARDS + 1, False),
        ("expired", 0, True),
        ("expired", 20, False),  # in a speed race the slower player runs out of time
        ("cleared", 44, False),
    ],
)
def test_thrown_runs(status: str, faced: int, wanted: bool) -> None:
    assert is_thrown(LostRun(status, faced)) is wanted


@pytest.mark.parametrize(
    ("status", "moves", "elapsed_ms", "wanted"),
    [
        ("died", 30, 14_000, True),
        ("expired", 30, 14_000, True),
        ("died", 30, HURRIED_MS * 30, False),
        ("died", HURRIED_MOVES, HURRIED_MS * HURRIED_MOVES - 1, True),
        ("died", HURRIED_MOVES - 1, 100, False),
        ("cleared", 44, 14_000, False),
    ],
)
def test_hurried_runs_count_as_thrown(
    status: str, moves: int, elapsed_ms: int, wanted: bool
) -> None:
    assert is_thrown(LostRun(status, 20, moves, elapsed_ms)) is wanted
