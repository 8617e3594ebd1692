"""Where a search has been: lists of cards, and the positions met at each."""

from __future__ import annotations

from heapq import heappush

from game.analysis.solver.bounds import TOP, Left
from game.analysis.solver.plans import PlanBook, plan_book
from game.analysis.solver.terms import Terms

# (health, weapon, health + what can still be gained, where, the node before it)
Node = tuple[int, int, int, "Spot", "Node | None"]


class Spot:
    """One list of cards at the door of its first room, and the positions met there."""

    __slots__ = ("cards", "left", "nodes", "waiting")

    def __init__(self, cards: bytes, left: Left) -> None:
        self.cards = cards
        self.left = left
        self.nodes: dict[int, Node] = {}
        self.waiting: list[Node] = []


class Front:
    """All spots of a search, those with something waiting queued by length of list.

    `exact`: positions at a spot merge only when their health agrees too; otherwise the
    healthier of two with the same weapon replaces the other (lemma L1).
    """

    def __init__(self, terms: Terms, exact: bool) -> None:
        self.terms = terms
        self.book: PlanBook = plan_book(terms.inclusive, exact)
        self.health_key = 256 if exact else 0
        self.spots: dict[bytes, Spot] = {}
        self.layers: dict[int, list[tuple[int, int, Spot]]] = {}
        self._tick = 0

    def queue(self, spot: Spot, ahead: int) -> None:
        """Put a spot where its layer will find it: best bound first, then oldest."""
        self._tick += 1
        heap = self.layers.setdefault(len(spot.cards), [])
        heappush(heap, (-ahead - TOP[spot.left.potions], self._tick, spot))

    def take(self, spot: Spot, threshold: int) -> list[Node]:
        """What waits at a spot and is still worth opening; nothing waits afterwards."""
        nodes, scale = spot.nodes, self.health_key
        waiting = [
            node
            for node in spot.waiting
            if node[2] >= threshold and nodes[node[0] * scale + node[1]] is node
        ]
        spot.waiting = []
        return waiting
