"""How the greedy player values a position, and a whole run played by that value.

Owns the weights (greedy-1) and the fast play-out on card codes that the sampling
players and the difficulty of a dungeon rest on. It plays the order it is given; who
gives it decides what is known.
"""

from typing import Final

from game.analysis.solver.plans import plan_book
from game.analysis.solver.terms import FRESH_LIMIT, ONE, POTION, WEAPON, Terms
from game.analysis.solver.walk import Walk

# greedy-1, fitted by hill-climbing on other dungeons. Health counts 1 a point.
WEAPON_WORTH: Final = 1.30
WORN_OUT: Final = -0.07
LIMIT_WORTH: Final = 1.07
LEFT_POTION: Final = 1.38
LEFT_WEAPON: Final = 1.80
LEFT_WEAPON_BASE: Final = -1.09
LEFT_MONSTER: Final = -0.87
LOW_HEALTH: Final = 8
LOW_HEALTH_COST: Final = 0.56
AVOIDING: Final = 8.9
# What a sampled end is worth: a clearance 1, and a little for each point of score.
SCORE_WORTH: Final = 0.003


def _weapon_worth(weapon: int) -> float:
    strength, limit = weapon >> 4, weapon & 15
    if not strength:
        return 0.0
    reach = WORN_OUT + LIMIT_WORTH * (limit - 2) / (FRESH_LIMIT - 2)
    return WEAPON_WORTH * strength * reach


def _left_worth(card: int, weapon: int) -> float:
    """The worth of a card left in the room for later."""
    if card >= POTION:
        return LEFT_POTION * (card - POTION)
    if card >= WEAPON:
        return LEFT_WEAPON * (card - WEAPON) + LEFT_WEAPON_BASE
    strength, limit = weapon >> 4, weapon & 15
    damage = max(0, card - strength) if card < limit else card
    return LEFT_MONSTER * damage


def _health_worth(health: int) -> float:
    return health - LOW_HEALTH_COST * max(0, LOW_HEALTH - health)


WORTH: Final = tuple(map(_weapon_worth, range(256)))
HEALTH: Final = tuple(map(_health_worth, range(64)))
# By card left (0: none) and weapon in hand: both terms in one look-up.
LEFT: Final = tuple(
    tuple(
        _weapon_worth(weapon) + (_left_worth(card, weapon) if card else 0.0)
        for weapon in range(256)
    )
    for card in range(POTION + 11)
)
AVOID_WORTH: Final = tuple(worth + AVOIDING for worth in WORTH)
NO_WAY: Final = -1e9

# (worth, card left, health, weapon) of the greedy way through a room; health 0: none.
Choice = tuple[float, int, int, int]


class Judgement:
    """The greedy way through rooms, remembered, and runs played by it."""

    LIMIT = 60_000

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.book = plan_book(terms.inclusive, exact=False)
        self.walk = Walk(terms)
        self.rooms: dict[bytes, dict[int, Choice]] = {}
        self.known = 0

    def choice(self, room: bytes, weapon: int, health: int) -> Choice:
        """The greedy way through a full room (sorted), leaving one card."""
        best: Choice = (NO_WAY, 0, 0, 0)
        worth = NO_WAY
        cap = self.terms.cap
        for at, card in enumerate(room):
            left = LEFT[card]
            faced = room[:at] + room[at + 1 :]
            for a, p, b, after in self.book.of(faced, weapon, False):
                h = health - a
                if h <= 0:
                    continue
                if p:
                    h = (min(cap, h + p)) - b
                    if h <= 0:
                        continue
                value = HEALTH[h] + left[after]
                if value > worth:
                    worth = value
                    best = (value, card, h, after)
        return best

    def remember(self, room: bytes, weapon: int, health: int) -> Choice:
        """Work out a choice and keep it, within a bound on memory."""
        if self.known > self.LIMIT:
            self.rooms.clear()
            self.known = 0
        self.known += 1
        found = self.choice(room, weapon, health)
        self.rooms.setdefault(room, {})[weapon << 8 | health] = found
        return found

    def play_out(self, cards: bytes, health: int, weapon: int, may_avoid: bool) -> int:
        """The score of the greedy run from a door: the room is the first four cards.

        A death counts minus every monster not yet faced, in all rulesets alike.
        """
        rooms, avoid = self.rooms, self.terms.avoid
        may_avoid = may_avoid and avoid
        while len(cards) > 3:
            room = bytes(sorted(cards[:4]))
            known = rooms.get(room)
            found = known.get(weapon << 8 | health) if known else None
            if found is None:
                found = self.remember(room, weapon, health)
            worth, left, h, after = found
            if (
                may_avoid
                and HEALTH[health] + AVOID_WORTH[weapon] > worth
                and len(cards) > 4
            ):
                cards = cards[4:] + cards[:4]
                may_avoid = False
                continue
            if not h:
                return -sum([card for card in cards if card < WEAPON])
            health, weapon = h, after
            cards = ONE[left] + cards[4:]
            may_avoid = avoid
        return self.walk.ending(cards, health, weapon, False) if cards else health

    def value(self, score: int) -> float:
        """What a sampled end is worth to a player who samples."""
        return (1.0 if score > 0 else 0.0) + SCORE_WORTH * score
