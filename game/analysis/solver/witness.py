"""From a chain of positions to the single moves that walk it.

The search remembers only where each room ended. Here each link is spelled out by trying
the few hundred ways through that room; replaying the line on the engine is then a proof
of the score that does not rest on the search.
"""

from collections.abc import Iterator
from typing import NamedTuple

from game.analysis.solver.bounds import form_of, left_of
from game.analysis.solver.position import Position
from game.analysis.solver.spots import Node
from game.analysis.solver.terms import WEAPON, code_of
from game.analysis.solver.walk import Walk
from game.rules import Card, Move, parse_move
from game.rules.moves import AVOID

Cards = tuple[Card, ...]


class Stand(NamedTuple):
    """Where a line has got to: the cards, room first, and the player."""

    cards: Cards
    room: int
    faces: int
    health: int
    weapon: int
    drank: bool


class Way(NamedTuple):
    """One way through a room: its moves, and what is left at its end or at death."""

    moves: tuple[Move, ...]
    left: Cards
    health: int
    weapon: int
    last: Card
    met: int


def line_to(root: Position, cards: Cards, end: Node, best: int) -> tuple[Move, ...]:
    """The moves from the root to the score `best`, which the search found at `end`."""
    chain: list[Node] = []
    node: Node | None = end
    while node is not None:
        chain.append(node)
        node = node[4]
    chain.reverse()
    walk = Walk(root.terms)
    at = Stand(cards, root.room, root.faces, root.health, root.weapon, root.drank)
    may_avoid = root.may_avoid
    line: list[Move] = []
    for target in chain[1:]:
        moves, at = _link(walk, at, may_avoid, target)
        line += moves
        may_avoid = root.terms.avoid and len(at.cards) > 4
    line += _last(walk, at, may_avoid, best)
    return tuple(line)


def _doors(at: Stand, may_avoid: bool) -> Iterator[tuple[tuple[Move, ...], Stand]]:
    """The room as it lies, and the one behind it if it may be avoided."""
    yield (), at
    if may_avoid:
        yield (AVOID,), at._replace(cards=at.cards[4:] + at.cards[:4])


def ways(walk: Walk, at: Stand) -> Iterator[Way]:
    """Every way to face the cards of a room, stopping at a death."""

    def go(
        moves: tuple[Move, ...], room: Cards, health: int, weapon: int, drank: bool
    ) -> Iterator[Way]:
        for i, card in enumerate(room):
            rest = room[:i] + room[i + 1 :]
            code = code_of(card)
            steps = walk.ways(code, health, weapon, drank)
            hands = ("b", "w") if code < WEAPON else ("",)
            for hand, (h, w, d) in zip(hands, steps, strict=False):
                done = (*moves, parse_move(card + hand))
                if h <= 0 or len(done) == at.faces:
                    yield Way(done, rest, h, w, card, health)
                else:
                    yield from go(done, rest, h, w, d)

    yield from go((), at.cards[: at.room], at.health, at.weapon, at.drank)


def _link(
    walk: Walk, at: Stand, may_avoid: bool, target: Node
) -> tuple[tuple[Move, ...], Stand]:
    health, weapon, _, spot, _ = target
    for before, door in _doors(at, may_avoid):
        pile = door.cards[door.room :]
        for way in ways(walk, door):
            cards = way.left + pile
            if way.health != health or bytes(map(code_of, cards)) != spot.cards:
                continue
            form, _ = form_of(left_of(spot.cards), way.weapon, walk.terms.inclusive)
            if form == weapon:
                room = min(4, len(cards))
                after = Stand(
                    cards, room, 3 if room == 4 else room, health, way.weapon, False
                )
                return before + way.moves, after
    raise AssertionError("the search walked a link that the rules do not allow")


def _last(walk: Walk, at: Stand, may_avoid: bool, best: int) -> tuple[Move, ...]:
    for before, door in _doors(at, may_avoid):
        pile = door.cards[door.room :]
        for way in ways(walk, door):
            if _value(walk, way, pile) == best:
                return before + way.moves
    raise AssertionError("the search scored an end that the rules do not allow")


def _value(walk: Walk, way: Way, pile: Cards) -> int | None:
    """The score if the run ends with this way, else None."""
    if way.health <= 0:
        dungeon = sum(card.value for card in pile if card.is_monster)
        return walk.death(way.health, bytes(map(code_of, way.left))) - dungeon
    if way.left or pile:
        return None
    return way.health + walk.bonus(code_of(way.last), way.met, way.health)
