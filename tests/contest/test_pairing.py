"""Pairing: nearest ratings first, a window that widens, no recent opponents."""

from hypothesis import given
from hypothesis import strategies as st

from game.contest.pairing import (
    LINKED_AFTER_S,
    UNLIMITED_AFTER_S,
    QueuedPlayer,
    find_pairs,
    rating_window,
)
from game.contest.phrases import PHRASES, phrase_key


def met(*queue: QueuedPlayer) -> set[frozenset[str]]:
    return {frozenset((a.account, b.account)) for a, b in find_pairs(queue)}


def one(
    name: str, rating: float = 1500, waited: float = 0, *lately: str
) -> QueuedPlayer:
    return QueuedPlayer(name, name, rating, waited, frozenset(lately))


def test_rating_window_widens_with_waiting() -> None:
    assert rating_window(0) == rating_window(-5) == 100
    assert rating_window(10) == 250
    assert rating_window(UNLIMITED_AFTER_S) == float("inf")


def test_nearest_rating_is_paired() -> None:
    queue = (one("ada", 1500, 9), one("bob", 1580), one("cleo", 1510))
    assert met(*queue) == {frozenset(("ada", "cleo"))}


def test_distant_ratings_are_paired_after_waiting() -> None:
    assert not met(one("ada", 1500, 1), one("bob", 1700))
    assert met(one("ada", 1500, 10), one("bob", 1700))
    assert met(one("ada", 900, UNLIMITED_AFTER_S), one("bob", 2500))


def test_who_lost_a_match_by_the_opponent_is_paired_first() -> None:
    queue = (one("ada", 1500, 40), one("bob", 1500, 39), one("cleo", 1500, 1))
    assert met(*queue) == {frozenset(("ada", "bob"))}
    first = queue[2]._replace(is_first=True)
    assert met(*queue[:2], first) == {frozenset(("cleo", "ada"))}


def test_recent_opponents_are_paired_only_without_others() -> None:
    ada, bob = one("ada", 1500, 9, "bob"), one("bob", 1500, 8, "ada")
    assert met(ada, bob) == {frozenset(("ada", "bob"))}
    cleo = one("cleo", 1560, 7)
    assert met(ada, bob, cleo) == {frozenset(("ada", "cleo"))}
    far = one("far", 2600, 1)
    assert not met(ada, bob, far)


def test_linked_accounts_are_paired_only_if_nobody_else_is_there() -> None:
    ada = one("ada", 1500, LINKED_AFTER_S)._replace(linked=frozenset(["bob"]))
    bob = one("bob", 1500, 1)._replace(linked=frozenset(["ada"]))
    assert met(ada, bob) == {frozenset(("ada", "bob"))}
    assert not met(ada._replace(waited_s=LINKED_AFTER_S - 0.1), bob)
    # A worse match, and one that waits for less time, comes first.
    cleo = one("cleo", 1590, 0)
    assert met(ada, bob, cleo) == {frozenset(("ada", "cleo"))}
    # Both find somebody else.
    dan = one("dan", 1590, 0)
    pairs = met(ada, bob, cleo, dan)
    assert len(pairs) == 2
    assert frozenset(("ada", "bob")) not in pairs
    apart = ada._replace(apart=frozenset(["bob"]))
    assert not met(apart, bob)


def test_longer_waiting_time_decides_the_window_whoever_is_first() -> None:
    first = one("ada", 1500, 1)._replace(is_first=True)
    assert met(first, one("bob", 2500, UNLIMITED_AFTER_S))


@given(
    st.lists(st.tuples(st.floats(800, 2400), st.floats(0, 90)), min_size=0, max_size=12)
)
def test_each_player_is_in_at_most_one_pair(drawn) -> None:
    queue = [one(f"p{i}", rating, waited) for i, (rating, waited) in enumerate(drawn)]
    found = [each.account for pair in find_pairs(queue) for each in pair]
    assert len(found) == len(set(found))
    assert find_pairs(queue) == find_pairs(list(reversed(queue)))


def test_phrases_are_found_by_key_and_by_words() -> None:
    for key, words in PHRASES.items():
        assert phrase_key(key) == phrase_key(words) == phrase_key(words.upper()) == key
    assert phrase_key("the next room is bad") is None
