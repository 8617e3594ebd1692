"""A second, simple implementation of Scoundrel, to compare the engine with.

Written from the rules' text alone and in another manner: one mutable table, cards as
text, four rulesets told apart by name. It imports nothing of the game.
"""

RANKS = "23456789TJQKA"


def value(card: str) -> int:
    """2 to 14."""
    return RANKS.index(card[0]) + 2


def danger(cards: list[str]) -> int:
    """The sum of the values of the monsters."""
    return sum(value(card) for card in cards if card[1] in "CS")


class Oracle:
    """One run on a table: `legal()`, `play(code)`, `score()`."""

    def __init__(self, name: str, deck: list[str], health: int, cap: int) -> None:
        self.name, self.health, self.cap = name, health, cap
        self.room, self.pile = deck[:4], deck[4:]
        self.weapon = ""
        self.slain: list[str] = []
        self.gone: list[str] = []
        self.faced = 0
        self.full = len(self.room) == 4
        self.drank = self.fled = False
        self.last, self.met_at = "", health

    @property
    def over(self) -> bool:
        return self.health <= 0 or not (self.room or self.pile)

    def reaches(self, card: str) -> bool:
        if not self.weapon:
            return False
        if not self.slain:
            return True
        gap = value(self.slain[-1]) - value(card)
        return gap >= 0 if self.name == "bound-1" else gap > 0

    def legal(self) -> set[str]:
        if self.over:
            return set()
        codes: set[str] = set()
        for card in self.room:
            if card[1] in "DH":
                codes.add(card)
                continue
            codes.add(card + "b")
            if self.reaches(card):
                codes.add(card + "w")
        if self.full and not self.faced and not self.fled and self.pile:
            codes.add("avoid")
        return codes

    def play(self, code: str) -> None:
        if code == "avoid":
            self.pile += self.room
            self.room, self.pile = self.pile[:4], self.pile[4:]
            self.fled, self.drank = True, False
            return
        card = code[:2]
        self.room.remove(card)
        self.faced += 1
        self.last, self.met_at = card, self.health
        if card[1] == "D":
            self.gone += [self.weapon, *self.slain] if self.weapon else []
            self.weapon, self.slain = card, []
        elif card[1] == "H":
            if not self.drank:
                self.health = min(self.cap, self.health + value(card))
            self.drank = True
            self.gone.append(card)
        elif code[2] == "w":
            self.health -= max(0, value(card) - value(self.weapon))
            self.slain.append(card)
        else:
            self.health -= value(card)
            self.gone.append(card)
        if self.health > 0 and self.full and self.faced == 3:
            self._next_room()

    def _next_room(self) -> None:
        while len(self.room) < 4 and self.pile:
            self.room.append(self.pile.pop(0))
        self.full = len(self.room) == 4
        self.faced = 0
        self.drank = self.fled = False

    def score(self) -> int:
        """The score of a run that is over, or of breaking off now."""
        if self.over and self.health > 0:
            return self.health + self._bonus()
        health = self.health if self.over else 0
        if self.name == "flee-1":
            return -danger(self.pile)
        if self.name == "original-1":
            return health - danger(self.pile)
        return health - danger(self.pile) - danger(self.room)

    def _bonus(self) -> int:
        if self.last[1] != "H" or self.name == "bound-1":
            return 0
        decides = self.met_at if self.name == "flee-1" else self.health
        return value(self.last) if decides == self.cap else 0
