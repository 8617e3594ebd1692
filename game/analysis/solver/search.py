"""The search: layers of card lists, the most promising positions of each first.

Every faced room removes three cards, so card lists are kept in layers by length. A
sweep goes down the layers and expands the best pending nodes of each; sweeps widen
until nothing is pending (then the result is proved) or the upper bound is reached.
Proofs: docs/analysis-code.md.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final

from game.analysis.solver.bounds import (
    BEST_POTION,
    UNREACHABLE,
    Remaining,
    normal_form,
    remaining_cards,
    room_count,
    threshold_of,
    without,
)
from game.analysis.solver.encoding import ONE, WEAPON, SolverRules
from game.analysis.solver.plans import plan_table
from game.analysis.solver.position import Position
from game.analysis.solver.room import NO_DEATH, RoomRules

FIRST_WIDTH: Final = 12
WIDEST: Final = 2_000

# (health, weapon, health + what can still be gained, its group, its parent)
Node = tuple[int, int, int, "NodeGroup", "Node | None"]


class NodeGroup:
    """All nodes with the same card list, at the start of its first room."""

    __slots__ = ("cards", "nodes", "pending", "remaining")

    def __init__(self, cards: bytes, remaining: Remaining) -> None:
        self.cards = cards
        self.remaining = remaining
        self.nodes: dict[int, Node] = {}
        self.pending: list[Node] = []


class Frontier:
    """All groups of a search; those with pending nodes are queued by list length.

    `is_exact`: nodes of a group merge only if their health is equal too; otherwise the
    healthier of two with the same weapon replaces the other (lemma L1).
    """

    def __init__(self, rules: SolverRules, is_exact: bool) -> None:
        self.rules = rules
        self.plan_table = plan_table(rules.reaches_equal, is_exact)
        self.health_key = 256 if is_exact else 0
        self.groups: dict[bytes, NodeGroup] = {}
        self.layers: dict[int, list[tuple[int, int, NodeGroup]]] = {}
        self._queued = 0

    def queue(self, group: NodeGroup, bound: int) -> None:
        """Add a group to the queue of its layer: best bound first, then oldest."""
        self._queued += 1
        heap = self.layers.setdefault(len(group.cards), [])
        priority = -bound - BEST_POTION[group.remaining.potions]
        heappush(heap, (priority, self._queued, group))

    def take(self, group: NodeGroup, threshold: int) -> list[Node]:
        """Remove a group's pending nodes; return those still worth expanding."""
        nodes, scale = group.nodes, self.health_key
        pending = [
            node
            for node in group.pending
            if node[2] >= threshold and nodes[node[0] * scale + node[1]] is node
        ]
        group.pending = []
        return pending


def expand_room(  # noqa: C901, PLR0912, PLR0915 - the innermost loop
    frontier: Frontier,
    parents: list[Node],
    cards: bytes,
    faces_and_potion_used: tuple[int, bool],
    best: int,
) -> None:
    """Add and queue the nodes that every plan of every parent leads to.

    `cards`: the room and the pile behind it. The room has one card more than are to be
    faced; each of its cards in turn is the one left. Skips what cannot beat `best`.

    This function is long and reads its tables by position because a call or an
    attribute look-up here costs more than the arithmetic.
    """
    faces, potion_used = faces_and_potion_used
    rules, groups, scale = frontier.rules, frontier.groups, frontier.health_key
    table = frontier.plan_table
    cap, reaches_equal = rules.cap, rules.reaches_equal
    room, pile = bytes(sorted(cards[: faces + 1])), cards[faces + 1 :]
    before = parents[0][3].remaining
    heals = room_count(len(cards) - faces)
    previous = 0
    for at, card in enumerate(room):
        if card == previous:
            continue
        previous = card
        faced = room[:at] + room[at + 1 :]
        remaining = without(before, faced, heals)
        threshold = threshold_of(remaining, best, rules)
        if threshold == UNREACHABLE:
            continue
        forms: dict[int, tuple[int, int]] = {}
        known_plans = table.by_weapon(faced, potion_used)
        after = ONE[card] + pile
        group = groups.get(after)
        for parent in parents:
            start = parent[0]
            plans = known_plans.get(parent[1])
            if plans is None:
                plans = table.plans(faced, parent[1], potion_used)
            for a, p, b, weapon in plans:
                health = start - a
                if health <= 0:
                    continue
                if p:
                    health += p
                    if health > cap:  # noqa: PLR1730 - min() is a call
                        health = cap
                    health -= b
                    if health <= 0:
                        continue
                form = forms.get(weapon)
                if form is None:
                    form = forms[weapon] = normal_form(remaining, weapon, reaches_equal)
                bound = health + form[1]
                if bound < threshold:
                    continue
                if group is None:
                    group = groups[after] = NodeGroup(after, remaining)
                key = health * scale + form[0]
                known = group.nodes.get(key)
                if known is None or known[0] < health:
                    node = (health, form[0], bound, group, parent)
                    group.nodes[key] = node
                    if not group.pending:
                        frontier.queue(group, bound)
                    group.pending.append(node)


class Search:
    """One search from one root: for wins, or (`finds_deaths`) for the best death.

    `best` is the best score found and `end` the node it ends from (None while `best` is
    only the score given as known). `was_cut`: a budget stopped the search.
    """

    def __init__(self, root: Position, best: int, top: int, finds_deaths: bool) -> None:
        self.root = root
        self.rules = root.rules
        self.best = best
        self.top = top
        self.finds_deaths = finds_deaths
        is_exact = finds_deaths and not root.rules.deaths_are_monotone
        self.frontier = Frontier(root.rules, is_exact)
        self.room_rules = RoomRules(root.rules)
        self.end: Node | None = None
        self.expanded = 0
        self.was_cut = False
        self._deaths: dict[tuple[bytes, int, int], int] = {}

    def run(self, may_continue: Callable[[int], bool], goal: int | None = None) -> None:
        """Sweep until proved, until `best` reaches `goal`, or until the budget ends.

        `may_continue(expanded)` is called before each group, but not in the first
        sweep, so that there is always a result.
        """
        goal = self.top if goal is None else min(goal, self.top)
        if self.best >= goal:
            return
        self._expand_root()
        width = FIRST_WIDTH
        self._sweep(width, goal, lambda _: True)
        while self.frontier.layers and self.best < goal and not self.was_cut:
            width = min(WIDEST, width * 2)
            self._sweep(width, goal, may_continue)

    def _sweep(
        self, width: int, goal: int, may_continue: Callable[[int], bool]
    ) -> None:
        """Go down the layers once, expanding about `width` nodes of each."""
        layers = self.frontier.layers
        for size in range(max(layers, default=0), 0, -1):
            heap = layers.get(size)
            if heap is None:
                continue
            remaining_groups = width
            while heap and remaining_groups > 0:
                if not may_continue(self.expanded):
                    self.was_cut = True
                    return
                remaining_groups -= self._expand(heappop(heap)[2])
                if self.best >= goal:
                    return
            if not heap:
                del layers[size]

    def _expand_root(self) -> None:
        root = self.root
        remaining = remaining_cards(root.cards, root.faces, root.potion_used)
        weapon, gain = normal_form(remaining, root.weapon, self.rules.reaches_equal)
        group = NodeGroup(root.cards, remaining)
        node: Node = (root.health, weapon, root.health + gain, group, None)
        if len(root.cards) == root.faces:
            self._end_in_last_room(root.cards, [node], root.potion_used)
            return
        self._expand_cards([node], root.cards, root.faces, root.potion_used)
        if root.may_avoid:
            self._expand_cards([node], root.cards[4:] + root.cards[:4])

    def _expand(self, group: NodeGroup) -> int:
        """Expand a group's pending nodes; return how many were expanded."""
        threshold = threshold_of(group.remaining, self.best, self.rules)
        nodes = self.frontier.take(group, threshold)
        if not nodes:
            return 0
        self.expanded += len(nodes)
        cards = group.cards
        if len(cards) < 4:
            self._end_in_last_room(cards, nodes)
            return len(nodes)
        self._expand_cards(nodes, cards)
        if len(cards) > 4 and self.rules.can_avoid:
            self._expand_cards(nodes, cards[4:] + cards[:4])
        return len(nodes)

    def _expand_cards(
        self, nodes: list[Node], cards: bytes, faces: int = 3, potion_used: bool = False
    ) -> None:
        if self.finds_deaths:
            self._die_in_room(nodes, cards[: faces + 1], faces, potion_used)
        expand_room(self.frontier, nodes, cards, (faces, potion_used), self.best)

    def _end_in_last_room(
        self, cards: bytes, nodes: list[Node], potion_used: bool = False
    ) -> None:
        """Score the best way for each node to face every card of a last room."""
        for node in nodes:
            value = self.room_rules.best_ending(cards, node[0], node[1], potion_used)
            if value > self.best:
                self.best, self.end = value, node

    def _die_in_room(
        self, nodes: list[Node], room: bytes, faces: int, potion_used: bool
    ) -> None:
        """Score the best death of each node in this room."""
        monsters = sum(card for card in nodes[0][3].cards if card < WEAPON)
        for node in nodes:
            key = (room, node[0], node[1])
            death = self._deaths.get(key)
            if death is None:
                death = self.room_rules.best_death(
                    room, faces, node[0], node[1], potion_used
                )
                self._deaths[key] = death
            if death > NO_DEATH and death - monsters > self.best:
                self.best, self.end = death - monsters, node
