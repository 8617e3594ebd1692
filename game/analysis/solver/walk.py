"""Card-by-card walks through one room: what a death in it or the end of a run pays."""

from typing import Final

from game.analysis.solver.terms import FRESH_LIMIT, POTION, WEAPON, Terms

NO_DEATH: Final = -10_000
# (health, weapon, whether a potion has been drunk in this room)
Step = tuple[int, int, bool]


class Walk:
    """The rules of one room on card codes, under some terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.step = 1 if terms.inclusive else 0

    def ways(self, card: int, health: int, weapon: int, drank: bool) -> list[Step]:
        """(health, weapon, drank) after facing the card, bare-handed first."""
        if card < WEAPON:
            ways = [(health - card, weapon, drank)]
            if card < weapon & 15:
                strength = weapon >> 4
                loss = card - strength if card > strength else 0
                worn = strength << 4 | card + self.step
                ways.append((health - loss, worn, drank))
            return ways
        if card < POTION:
            return [(health, (card - WEAPON) << 4 | FRESH_LIMIT, drank)]
        if drank:
            return [(health, weapon, True)]
        return [(min(self.terms.cap, health + card - POTION), weapon, True)]

    def fatal(
        self, room: bytes, faces: int, health: int, weapon: int, drank: bool
    ) -> int:
        """The best way to die in this room within `faces` cards, or NO_DEATH.

        Add to it minus the monsters of the whole list: the score of the death.
        """
        strongest = sorted((c for c in room if c < WEAPON), reverse=True)[:faces]
        if sum(strongest) < health:
            return NO_DEATH
        monsters = sum(c for c in room if c < WEAPON)
        if not self.terms.health_counts:
            return monsters
        return self._fatal(room, faces, health, weapon, drank, monsters)

    def _fatal(
        self,
        room: bytes,
        faces: int,
        health: int,
        weapon: int,
        drank: bool,
        monsters: int,
    ) -> int:
        best = NO_DEATH
        for at, card in enumerate(room):
            rest = room[:at] + room[at + 1 :]
            for h, w, d in self.ways(card, health, weapon, drank):
                if h > 0:
                    if faces > 1:
                        best = max(
                            best, self._fatal(rest, faces - 1, h, w, d, monsters)
                        )
                    continue
                left = sum(c for c in rest if c < WEAPON)
                counted = monsters - left if self.terms.room_counts else monsters
                best = max(best, h + counted)
        return best

    def ending(self, room: bytes, health: int, weapon: int, drank: bool) -> int:
        """The best score of a last room, all of whose cards are faced: clear or die."""
        best = NO_DEATH
        for at, card in enumerate(room):
            rest = room[:at] + room[at + 1 :]
            for h, w, d in self.ways(card, health, weapon, drank):
                if h <= 0:
                    value = self.death(h, rest)
                elif rest:
                    value = self.ending(rest, h, w, d)
                else:
                    value = h + self.bonus(card, health, h)
                best = max(best, value)
        return best

    def death(self, health: int, room: bytes) -> int:
        """The score of a death over an empty pile with these cards left in the room."""
        value = health if self.terms.health_counts else 0
        if self.terms.room_counts:
            value -= sum(c for c in room if c < WEAPON)
        return value

    def bonus(self, last: int, met: int, left: int) -> int:
        """What the last card adds to a clearance."""
        if last < POTION or not self.terms.bonus:
            return 0
        decides = met if self.terms.bonus_met else left
        return last - POTION if decides == self.terms.cap else 0
