"""What facing some cards of a room can come to. Knows nothing of the rest of the list.

A plan is (a, p, b, weapon): lose a, heal p (never above the cap), lose b, end with that
weapon; p = 0 is no healing, and then b = 0. It holds for every health, so one table
serves every position with those cards and that weapon. Sources: lemmas L2 and L5 of
docs/analysis-code.md.
"""

from game.analysis.solver.terms import FRESH_LIMIT, POTION, WEAPON

Plan = tuple[int, int, int, int]


def dominates(x: Plan, y: Plan) -> bool:
    """Whether plan x is at least as good as y whatever the health (L5)."""
    return (
        x[1] == y[1]
        and x[0] <= y[0]
        and x[2] <= y[2]
        and x[3] >> 4 >= y[3] >> 4
        and x[3] & 15 >= y[3] & 15
    )


def undominated(plans: set[Plan]) -> tuple[Plan, ...]:
    """The plans that no other plan replaces, best first."""
    kept: list[Plan] = []
    # Sorted so that a plan can only be replaced by one that comes before it.
    for plan in sorted(plans, key=lambda t: (t[0], t[2], -t[3])):
        for other in kept:
            if dominates(other, plan):
                break
        else:
            kept.append(plan)
    return tuple(kept)


class PlanBook:
    """Plans by (cards to face, weapon), filled as needed and bounded in size.

    `exact` keeps every distinct plan: needed where more health can be worse (the deaths
    of a ruleset whose `Terms.monotone_deaths` is false).
    """

    LIMIT = 60_000

    def __init__(self, inclusive: bool, exact: bool) -> None:
        self.step = 1 if inclusive else 0
        self.exact = exact
        self.size = 0
        self.shelves: dict[tuple[bytes, bool], dict[int, tuple[Plan, ...]]] = {}

    def shelf(self, cards: bytes, drank: bool) -> dict[int, tuple[Plan, ...]]:
        """The plans made so far for these cards (sorted), by weapon."""
        shelf = self.shelves.get((cards, drank))
        if shelf is None:
            shelf = self.shelves[cards, drank] = {}
        return shelf

    def of(self, cards: bytes, weapon: int, drank: bool) -> tuple[Plan, ...]:
        """Every plan worth keeping that faces all of `cards` (sorted), in any order."""
        shelf = self.shelf(cards, drank)
        found = shelf.get(weapon)
        if found is None:
            if self.size > self.LIMIT:
                self.shelves.clear()
                self.size = 0
            self.size += 1
            found = shelf[weapon] = self._make(cards, weapon, drank)
        return found

    def _make(self, cards: bytes, weapon: int, drank: bool) -> tuple[Plan, ...]:
        if not cards:
            return ((0, 0, 0, weapon),)
        made: set[Plan] = set()
        seen = 0
        for at, card in enumerate(cards):
            if card == seen:
                continue
            seen = card
            rest = cards[:at] + cards[at + 1 :]
            if card < WEAPON:
                self._fight(made, card, rest, weapon, drank)
            elif card < POTION:
                made.update(self.of(rest, (card - 16) << 4 | FRESH_LIMIT, drank))
            elif drank:
                made.update(self.of(rest, weapon, True))
            else:
                for a, _, _, after in self.of(rest, weapon, True):
                    made.add((0, card - POTION, a, after))
        return tuple(made) if self.exact else undominated(made)

    def _fight(
        self, made: set[Plan], value: int, rest: bytes, weapon: int, drank: bool
    ) -> None:
        for a, p, b, after in self.of(rest, weapon, drank):
            made.add((a + value, p, b, after))
        if value < weapon & 15:
            strength = weapon >> 4
            loss = value - strength if value > strength else 0
            worn = strength << 4 | value + self.step
            for a, p, b, after in self.of(rest, worn, drank):
                made.add((a + loss, p, b, after))


_BOOKS: dict[tuple[bool, bool], PlanBook] = {}


def plan_book(inclusive: bool, exact: bool) -> PlanBook:
    """The plans of these terms, shared by all dungeons: no plan depends on one."""
    return _BOOKS.setdefault((inclusive, exact), PlanBook(inclusive, exact))
