"""Rated results that suggest that entrants lose on purpose. They flag play for review.

A race of any size counts as its pairs. A loss is *thrown* if the loser gave up, or
faced hardly any card, or hurried so much that they cannot have tried. Players who are
simply weaker lose, but throw few of their races.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

MIN_RESULTS: Final = 10
# Opponents met less often than this are considered together with all others only.
MIN_MEETINGS: Final = 3
WON_SHARE: Final = 0.9
THROWN_SHARE: Final = 0.5
# Two full rooms. A player who tries dies there in about one run of ten.
EARLY_END_CARDS: Final = 6
# Mean time of a move, over this many moves or more. A fast player takes longer.
HURRIED_MS: Final = 500
HURRIED_MOVES: Final = 10
MIN_THROWN_TO_ANOTHER: Final = 2

_GAVE_UP: Final = frozenset({"forfeited", "abandoned"})


class Seat(NamedTuple):
    """One player's result in a rated race; `has_thrown`: they lost on purpose."""

    account: str
    place: int
    has_thrown: bool


class Record(NamedTuple):
    """Results of an account against opponents: `thrown` of those `won` were thrown."""

    results: int = 0
    won: int = 0
    thrown: int = 0

    def plus(self, other: "Record") -> "Record":
        """The sum of both."""
        return Record(
            self.results + other.results,
            self.won + other.won,
            self.thrown + other.thrown,
        )

    @property
    def is_nearly_all_won(self) -> bool:
        """Whether nearly all results are wins. A difference in skill can do that."""
        return self.won >= WON_SHARE * self.results

    @property
    def is_mostly_thrown(self) -> bool:
        """Whether at least half of the results are wins that the loser threw."""
        return self.thrown >= THROWN_SHARE * self.results


class OneSided(NamedTuple):
    """An account to which opponents lost on purpose, as it seems."""

    account: str
    opponents: tuple[str, ...]
    record: Record
    is_linked: bool


class Circle(NamedTuple):
    """Accounts that throw races to each other, directly or round a circle."""

    accounts: tuple[str, ...]
    thrown: int


Records = Mapping[tuple[str, str], Record]


class LostRun(NamedTuple):
    """How a run went: its status, cards faced, moves, and the time they took."""

    status: str
    faced: int
    moves: int = 0
    elapsed_ms: int = 0


def is_thrown(run: LostRun) -> bool:
    """Whether a run looks thrown, if it lost.

    One that hurries may have shown its cards to an accomplice.
    """
    if run.status in _GAVE_UP:
        return True
    if run.status == "cleared":
        return False
    hurried = run.moves >= HURRIED_MOVES and run.elapsed_ms < HURRIED_MS * run.moves
    return hurried or run.faced <= EARLY_END_CARDS


def pair_records(races: Iterable[Sequence[Seat]]) -> dict[tuple[str, str], Record]:
    """The record of each ordered pair of accounts that met in these races."""
    pairs: dict[tuple[str, str], Record] = defaultdict(Record)
    for seats in races:
        for seat in seats:
            for other in seats:
                if seat.account == other.account:
                    continue
                won = seat.place < other.place
                result = Record(1, int(won), int(won and other.has_thrown))
                pair = seat.account, other.account
                pairs[pair] = pairs[pair].plus(result)
    return dict(pairs)


def one_sided_results(
    records: Records, linked: Mapping[str, Collection[str]]
) -> list[OneSided]:
    """The accounts that won nearly all of MIN_RESULTS or more results, mostly thrown.

    Counted are first the opponents whom the account met repeatedly and each of whom
    lost that way; then all its opponents together, which finds accounts that are used
    once. Results against an account in `linked` need not be thrown.
    """
    by_account: dict[str, dict[str, Record]] = defaultdict(dict)
    for (account, opponent), record in records.items():
        by_account[account][opponent] = record
    results = (
        _one_sided(account, opponents, linked.get(account, ()))
        for account, opponents in sorted(by_account.items())
    )
    return [result for result in results if result is not None]


def _one_sided(
    account: str, opponents: Mapping[str, Record], linked: Collection[str]
) -> OneSided | None:
    repeated = {
        opponent: record
        for opponent, record in opponents.items()
        if record.results >= MIN_MEETINGS
        and record.is_nearly_all_won
        and (record.is_mostly_thrown or opponent in linked)
    }
    record = _sum(repeated.values())
    if record.results < MIN_RESULTS:
        repeated, record = dict(opponents), _sum(opponents.values())
        if record.results < MIN_RESULTS or not (
            record.is_nearly_all_won and record.is_mostly_thrown
        ):
            return None
    involved = any(opponent in linked for opponent in repeated)
    return OneSided(account, tuple(sorted(repeated)), record, involved)


def _sum(records: Iterable[Record]) -> Record:
    total = Record()
    for record in records:
        total = total.plus(record)
    return total


def circles(records: Records) -> list[Circle]:
    """The groups of accounts that throw at least MIN_RESULTS races to each other.

    An account belongs to a group if it throws races to one of the group and gets races
    thrown by one of the group: two who take turns, or A to B to C to A.
    """
    gains: dict[str, set[str]] = defaultdict(set)
    for (account, opponent), record in records.items():
        thrown_by_both = record.thrown + records[opponent, account].thrown
        if (
            record.thrown >= MIN_THROWN_TO_ANOTHER
            and thrown_by_both >= THROWN_SHARE * record.results
        ):
            gains[account].add(opponent)
    circles = []
    for group in _strongly_connected(gains):
        thrown = sum(
            records[account, opponent].thrown
            for account in group
            for opponent in gains[account] & group
        )
        if thrown >= MIN_RESULTS:
            circles.append(Circle(tuple(sorted(group)), thrown))
    return circles


def _strongly_connected(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The sets of two or more accounts that can all reach each other."""
    backwards: dict[str, set[str]] = defaultdict(set)
    for account, others in graph.items():
        for other in others:
            backwards[other].add(account)
    groups: list[set[str]] = []
    visited: set[str] = set()
    for account in sorted(graph):
        if account in visited:
            continue
        group = _reachable_from(account, graph) & _reachable_from(account, backwards)
        visited |= group | {account}
        if len(group) > 1:
            groups.append(group)
    return groups


def _reachable_from(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    """The accounts on a path from `start`; itself only if a path leads back."""
    reached: set[str] = set()
    queue = [start]
    while queue:
        fresh = graph.get(queue.pop(), set()) - reached
        reached |= fresh
        queue += fresh
    return reached
