"""The search: layers of card lists, the most promising positions of each first.

Every faced room removes three cards, so lists are kept in layers by length. A sweep
goes down the layers and opens the best waiting positions of each; sweeps widen until
nothing waits (then the result is proved) or the upper bound is reached. Nothing is
opened twice. Proofs: docs/analysis-code.md.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop
from typing import Final

from game.analysis.solver.bounds import form_of, left_of, threshold_of
from game.analysis.solver.leaving import leave
from game.analysis.solver.position import Position
from game.analysis.solver.spots import Front, Node, Spot
from game.analysis.solver.terms import WEAPON
from game.analysis.solver.walk import NO_DEATH, Walk

FIRST_WIDTH: Final = 12
WIDEST: Final = 2_000


class Search:
    """One question about one root. `deaths`: the best death, once a win is ruled out.

    `best` is the best score found and `end` the node it ends from (None while the score
    is only the one given as known). `cut` tells that a budget stopped the search.
    """

    def __init__(self, root: Position, best: int, top: int, deaths: bool) -> None:
        self.root = root
        self.terms = root.terms
        self.best = best
        self.top = top
        self.deaths = deaths
        self.front = Front(root.terms, exact=deaths and not root.terms.monotone_deaths)
        self.walk = Walk(root.terms)
        self.end: Node | None = None
        self.opened = 0
        self.cut = False
        self._fatal: dict[tuple[bytes, int, int], int] = {}

    def run(self, may_go_on: Callable[[int], bool], goal: int | None = None) -> None:
        """Sweep until proved, or `best` reaches `goal`, or the budget says no.

        `may_go_on(opened)` is asked before each list, but not in the first sweep: there
        is always some answer.
        """
        goal = self.top if goal is None else min(goal, self.top)
        if self.best >= goal:
            return
        self._open_root()
        width = FIRST_WIDTH
        self._sweep(width, goal, lambda _: True)
        while self.front.layers and self.best < goal and not self.cut:
            width = min(WIDEST, width * 2)
            self._sweep(width, goal, may_go_on)

    def _sweep(self, width: int, goal: int, may_go_on: Callable[[int], bool]) -> None:
        """Go down the layers once, opening about `width` positions of each."""
        layers = self.front.layers
        for size in range(max(layers, default=0), 0, -1):
            heap = layers.get(size)
            if heap is None:
                continue
            left = width
            while heap and left > 0:
                if not may_go_on(self.opened):
                    self.cut = True
                    return
                left -= self._open(heappop(heap)[2])
                if self.best >= goal:
                    return
            if not heap:
                del layers[size]

    def _open_root(self) -> None:
        root = self.root
        left = left_of(root.cards, root.faces, root.drank)
        weapon, gain = form_of(left, root.weapon, self.terms.inclusive)
        spot = Spot(root.cards, left)
        node: Node = (root.health, weapon, root.health + gain, spot, None)
        if len(root.cards) == root.faces:
            self._finish(root.cards, [node], root.drank)
            return
        self._leave([node], root.cards, root.faces, root.drank)
        if root.may_avoid:
            self._leave([node], root.cards[4:] + root.cards[:4])

    def _open(self, spot: Spot) -> int:
        """Open what waits at a spot; the number of positions opened."""
        threshold = threshold_of(spot.left, self.best, self.terms)
        waiting = self.front.take(spot, threshold)
        if not waiting:
            return 0
        self.opened += len(waiting)
        cards = spot.cards
        if len(cards) < 4:
            self._finish(cards, waiting)
            return len(waiting)
        self._leave(waiting, cards)
        if len(cards) > 4 and self.terms.avoid:
            self._leave(waiting, cards[4:] + cards[:4])
        return len(waiting)

    def _leave(
        self, waiting: list[Node], cards: bytes, faces: int = 3, drank: bool = False
    ) -> None:
        if self.deaths:
            self._die(waiting, cards[: faces + 1], faces, drank)
        leave(self.front, waiting, cards, (faces, drank), self.best)

    def _finish(self, cards: bytes, waiting: list[Node], drank: bool = False) -> None:
        """Face every card of a last room."""
        for node in waiting:
            value = self.walk.ending(cards, node[0], node[1], drank)
            if value > self.best:
                self.best, self.end = value, node

    def _die(self, waiting: list[Node], room: bytes, faces: int, drank: bool) -> None:
        """Score the best death each position can have in this very room."""
        monsters = sum(card for card in waiting[0][3].cards if card < WEAPON)
        for node in waiting:
            key = (room, node[0], node[1])
            rel = self._fatal.get(key)
            if rel is None:
                rel = self.walk.fatal(room, faces, node[0], node[1], drank)
                self._fatal[key] = rel
            if rel > NO_DEATH and rel - monsters > self.best:
                self.best, self.end = rel - monsters, node
