"""The possible results of facing some cards of a room, whatever the other cards are.

A plan is (a, p, b, weapon): lose a, heal p (never above the cap), lose b, end with that
weapon. p = 0 means no healing, and then b = 0. A plan holds for every health, so one
table serves every position with those cards and that weapon. Sources: lemmas L2 and L5
of docs/analysis-code.md.
"""

from game.analysis.solver.encoding import FRESH_LIMIT, POTION, WEAPON

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
    best: list[Plan] = []
    # Sorted so that a plan can only be replaced by one that comes before it.
    for plan in sorted(plans, key=lambda t: (t[0], t[2], -t[3])):
        for other in best:
            if dominates(other, plan):
                break
        else:
            best.append(plan)
    return tuple(best)


class PlanTable:
    """Plans by cards to face and weapon, computed on demand and bounded in number.

    `is_exact` keeps every distinct plan, as a search for the best death needs if
    `SolverRules.deaths_are_monotone` is false: there more health can be worse.
    """

    LIMIT = 60_000

    def __init__(self, reaches_equal: bool, is_exact: bool) -> None:
        self.step = 1 if reaches_equal else 0
        self.is_exact = is_exact
        self.size = 0
        self.tables: dict[tuple[bytes, bool], dict[int, tuple[Plan, ...]]] = {}

    def by_weapon(self, cards: bytes, potion_used: bool) -> dict[int, tuple[Plan, ...]]:
        """The plans computed so far for these cards (sorted), by weapon."""
        table = self.tables.get((cards, potion_used))
        if table is None:
            table = self.tables[cards, potion_used] = {}
        return table

    def plans(self, cards: bytes, weapon: int, potion_used: bool) -> tuple[Plan, ...]:
        """Every plan worth keeping that faces all of `cards` (sorted), in any order."""
        table = self.by_weapon(cards, potion_used)
        plans = table.get(weapon)
        if plans is None:
            if self.size > self.LIMIT:
                self.tables.clear()
                self.size = 0
            self.size += 1
            plans = table[weapon] = self._compute(cards, weapon, potion_used)
        return plans

    def _compute(
        self, cards: bytes, weapon: int, potion_used: bool
    ) -> tuple[Plan, ...]:
        if not cards:
            return ((0, 0, 0, weapon),)
        plans: set[Plan] = set()
        previous = 0
        for at, card in enumerate(cards):
            if card == previous:
                continue
            previous = card
            rest = cards[:at] + cards[at + 1 :]
            if card < WEAPON:
                self._fight(plans, card, rest, weapon, potion_used)
            elif card < POTION:
                plans.update(
                    self.plans(rest, (card - 16) << 4 | FRESH_LIMIT, potion_used)
                )
            elif potion_used:
                plans.update(self.plans(rest, weapon, True))
            else:
                for a, _, _, after in self.plans(rest, weapon, True):
                    plans.add((0, card - POTION, a, after))
        return tuple(plans) if self.is_exact else undominated(plans)

    def _fight(
        self, plans: set[Plan], value: int, rest: bytes, weapon: int, potion_used: bool
    ) -> None:
        for a, p, b, after in self.plans(rest, weapon, potion_used):
            plans.add((a + value, p, b, after))
        if value < weapon & 15:
            strength = weapon >> 4
            loss = value - strength if value > strength else 0
            worn = strength << 4 | value + self.step
            for a, p, b, after in self.plans(rest, worn, potion_used):
                plans.add((a + loss, p, b, after))


_TABLES: dict[tuple[bool, bool], PlanTable] = {}


def plan_table(reaches_equal: bool, is_exact: bool) -> PlanTable:
    """The table for these rules, shared by all dungeons, as no plan depends on one."""
    return _TABLES.setdefault(
        (reaches_equal, is_exact), PlanTable(reaches_equal, is_exact)
    )
