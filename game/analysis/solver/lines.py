"""Turns the search's chain of nodes into the moves that lead through it.

The search keeps only the position at the end of each room. The moves are found here by
trying the few hundred paths through that room. Replaying the moves on the engine then
proves the score independently of the search.
"""

from collections.abc import Iterator
from typing import NamedTuple

from game.analysis.solver.bounds import normal_form, remaining_cards
from game.analysis.solver.encoding import WEAPON, code_of
from game.analysis.solver.position import Position
from game.analysis.solver.room import RoomRules
from game.analysis.solver.search import Node
from game.rules import Card, Move, parse_move
from game.rules.moves import AVOID

Cards = tuple[Card, ...]


class LinePosition(NamedTuple):
    """A position with its actual cards, room first; the other fields as in Position."""

    cards: Cards
    room: int
    faces: int
    health: int
    weapon: int
    potion_used: bool


class RoomPath(NamedTuple):
    """Moves through a room to its end or a death, and the position after them.

    `last` is the card faced last, `met` the health it was faced with.
    """

    moves: tuple[Move, ...]
    left: Cards
    health: int
    weapon: int
    last: Card
    met: int


def line_to(root: Position, cards: Cards, end: Node, best: int) -> tuple[Move, ...]:
    """The moves from the root that score `best`, which the search found at `end`."""
    chain: list[Node] = []
    node: Node | None = end
    while node is not None:
        chain.append(node)
        node = node[4]
    chain.reverse()
    room_rules = RoomRules(root.rules)
    position = LinePosition(
        cards, root.room, root.faces, root.health, root.weapon, root.potion_used
    )
    may_avoid = root.may_avoid
    line: list[Move] = []
    for target in chain[1:]:
        moves, position = _moves_to_node(room_rules, position, may_avoid, target)
        line += moves
        may_avoid = root.rules.can_avoid and len(position.cards) > 4
    line += _moves_to_end(room_rules, position, may_avoid, best)
    return tuple(line)


def _room_choices(
    position: LinePosition, may_avoid: bool
) -> Iterator[tuple[tuple[Move, ...], LinePosition]]:
    """Both rooms that can be faced: this one, and the next if this may be avoided."""
    yield (), position
    if may_avoid:
        yield (AVOID,), position._replace(cards=position.cards[4:] + position.cards[:4])


def room_paths(room_rules: RoomRules, position: LinePosition) -> Iterator[RoomPath]:
    """Every order and way of facing the cards of a room; a path stops at a death."""

    def extend(
        moves: tuple[Move, ...],
        room: Cards,
        health: int,
        weapon: int,
        potion_used: bool,
    ) -> Iterator[RoomPath]:
        for i, card in enumerate(room):
            rest = room[:i] + room[i + 1 :]
            code = code_of(card)
            steps = room_rules.outcomes(code, health, weapon, potion_used)
            suffixes = ("b", "w") if code < WEAPON else ("",)
            for suffix, (h, w, d) in zip(suffixes, steps, strict=False):
                path = (*moves, parse_move(card + suffix))
                if h <= 0 or len(path) == position.faces:
                    yield RoomPath(path, rest, h, w, card, health)
                else:
                    yield from extend(path, rest, h, w, d)

    yield from extend(
        (),
        position.cards[: position.room],
        position.health,
        position.weapon,
        position.potion_used,
    )


def _moves_to_node(
    room_rules: RoomRules, position: LinePosition, may_avoid: bool, target: Node
) -> tuple[tuple[Move, ...], LinePosition]:
    health, weapon, _, group, _ = target
    for before, start in _room_choices(position, may_avoid):
        pile = start.cards[start.room :]
        for path in room_paths(room_rules, start):
            cards = path.left + pile
            if path.health != health or bytes(map(code_of, cards)) != group.cards:
                continue
            form, _ = normal_form(
                remaining_cards(group.cards),
                path.weapon,
                room_rules.rules.reaches_equal,
            )
            if form == weapon:
                room = min(4, len(cards))
                after = LinePosition(
                    cards, room, 3 if room == 4 else room, health, path.weapon, False
                )
                return before + path.moves, after
    raise AssertionError("the search reached a node that the rules do not allow")


def _moves_to_end(
    room_rules: RoomRules, position: LinePosition, may_avoid: bool, best: int
) -> tuple[Move, ...]:
    for before, start in _room_choices(position, may_avoid):
        pile = start.cards[start.room :]
        for path in room_paths(room_rules, start):
            if _end_score(room_rules, path, pile) == best:
                return before + path.moves
    raise AssertionError("the search found a score that the rules do not allow")


def _end_score(room_rules: RoomRules, path: RoomPath, pile: Cards) -> int | None:
    """The score if the run ends with this path, else None."""
    if path.health <= 0:
        dungeon = sum(card.value for card in pile if card.is_monster)
        return (
            room_rules.death_score(path.health, bytes(map(code_of, path.left)))
            - dungeon
        )
    if path.left or pile:
        return None
    return path.health + room_rules.potion_bonus(
        code_of(path.last), path.met, path.health
    )
