"""The greedy player's evaluation of a position, and fast playouts that use it.

Owns the weights of greedy-1, and the playout on card codes that the sampling players
and the difficulty of a dungeon are computed with. A playout plays a given card order;
the caller decides whether that is the true one or a sampled one.
"""

from typing import Final

from game.analysis.solver.encoding import FRESH_LIMIT, ONE, POTION, WEAPON, SolverRules
from game.analysis.solver.plans import plan_table
from game.analysis.solver.room import RoomRules

# greedy-1, fitted by hill climbing on other dungeons. One point of health is worth 1.
WEAPON_WEIGHT: Final = 1.30
WORN_OUT: Final = -0.07
LIMIT_WEIGHT: Final = 1.07
LEFT_POTION: Final = 1.38
LEFT_WEAPON: Final = 1.80
LEFT_WEAPON_BASE: Final = -1.09
LEFT_MONSTER: Final = -0.87
LOW_HEALTH: Final = 8
LOW_HEALTH_COST: Final = 0.56
AVOIDING: Final = 8.9
# Value of a sampled end: 1 for a clearance, and a little for each point of score.
SCORE_WEIGHT: Final = 0.003


def _weapon_value(weapon: int) -> float:
    strength, limit = weapon >> 4, weapon & 15
    if not strength:
        return 0.0
    reach = WORN_OUT + LIMIT_WEIGHT * (limit - 2) / (FRESH_LIMIT - 2)
    return WEAPON_WEIGHT * strength * reach


def _left_value(card: int, weapon: int) -> float:
    """The value of a card that stays in the room for later."""
    if card >= POTION:
        return LEFT_POTION * (card - POTION)
    if card >= WEAPON:
        return LEFT_WEAPON * (card - WEAPON) + LEFT_WEAPON_BASE
    strength, limit = weapon >> 4, weapon & 15
    damage = max(0, card - strength) if card < limit else card
    return LEFT_MONSTER * damage


def _health_value(health: int) -> float:
    return health - LOW_HEALTH_COST * max(0, LOW_HEALTH - health)


WEAPON_VALUES: Final = tuple(map(_weapon_value, range(256)))
HEALTH_VALUES: Final = tuple(map(_health_value, range(64)))
# Value of the card left (0: none) and the weapon in hand together, by both.
LEFT_VALUES: Final = tuple(
    tuple(
        _weapon_value(weapon) + (_left_value(card, weapon) if card else 0.0)
        for weapon in range(256)
    )
    for card in range(POTION + 11)
)
AVOID_VALUES: Final = tuple(value + AVOIDING for value in WEAPON_VALUES)
NO_PATH: Final = -1e9

# (value, card left, health, weapon) of the greedy path through a room; health 0: none.
RoomChoice = tuple[float, int, int, int]


class GreedyEvaluator:
    """Greedy paths through rooms, with a cache, and playouts of whole runs."""

    LIMIT = 60_000

    def __init__(self, rules: SolverRules) -> None:
        self.rules = rules
        self.plan_table = plan_table(rules.reaches_equal, is_exact=False)
        self.room_rules = RoomRules(rules)
        self.rooms: dict[bytes, dict[int, RoomChoice]] = {}
        self.cached = 0

    def best_path(self, room: bytes, weapon: int, health: int) -> RoomChoice:
        """The greedy path through a full room (sorted), leaving one card."""
        best: RoomChoice = (NO_PATH, 0, 0, 0)
        best_value = NO_PATH
        cap = self.rules.cap
        for at, card in enumerate(room):
            carried_values = LEFT_VALUES[card]
            faced = room[:at] + room[at + 1 :]
            for a, p, b, after in self.plan_table.plans(faced, weapon, False):
                h = health - a
                if h <= 0:
                    continue
                if p:
                    h = (min(cap, h + p)) - b
                    if h <= 0:
                        continue
                value = HEALTH_VALUES[h] + carried_values[after]
                if value > best_value:
                    best_value = value
                    best = (value, card, h, after)
        return best

    def compute_and_cache(self, room: bytes, weapon: int, health: int) -> RoomChoice:
        """Compute the greedy path and keep it, within a bound on memory."""
        if self.cached > self.LIMIT:
            self.rooms.clear()
            self.cached = 0
        self.cached += 1
        choice = self.best_path(room, weapon, health)
        self.rooms.setdefault(room, {})[weapon << 8 | health] = choice
        return choice

    def play_out(self, cards: bytes, health: int, weapon: int, may_avoid: bool) -> int:
        """The score of a greedy run from the start of a room: the first four cards.

        A death scores minus all monsters not yet faced, whatever the ruleset.
        """
        rooms, avoid = self.rooms, self.rules.can_avoid
        may_avoid = may_avoid and avoid
        while len(cards) > 3:
            room = bytes(sorted(cards[:4]))
            known = rooms.get(room)
            choice = known.get(weapon << 8 | health) if known else None
            if choice is None:
                choice = self.compute_and_cache(room, weapon, health)
            value, carried_card, h, after = choice
            if (
                may_avoid
                and HEALTH_VALUES[health] + AVOID_VALUES[weapon] > value
                and len(cards) > 4
            ):
                cards = cards[4:] + cards[:4]
                may_avoid = False
                continue
            if not h:
                return -sum([card for card in cards if card < WEAPON])
            health, weapon = h, after
            cards = ONE[carried_card] + cards[4:]
            may_avoid = avoid
        return (
            self.room_rules.best_ending(cards, health, weapon, False)
            if cards
            else health
        )

    def score_value(self, score: int) -> float:
        """The value of a sampled end, for the sampling players."""
        return (1.0 if score > 0 else 0.0) + SCORE_WEIGHT * score
