"""The rules of one room on card codes, card by card, for deaths and last rooms."""

from typing import Final

from game.analysis.solver.encoding import FRESH_LIMIT, POTION, WEAPON, SolverRules

NO_DEATH: Final = -10_000
# (health, weapon, whether a potion was faced in this room)
Outcome = tuple[int, int, bool]


class RoomRules:
    """What facing cards of one room leads to, under a ruleset."""

    def __init__(self, rules: SolverRules) -> None:
        self.rules = rules
        self.step = 1 if rules.reaches_equal else 0

    def outcomes(
        self, card: int, health: int, weapon: int, potion_used: bool
    ) -> list[Outcome]:
        """(health, weapon, potion_used) after facing the card, bare-handed first."""
        if card < WEAPON:
            outcomes = [(health - card, weapon, potion_used)]
            if card < weapon & 15:
                strength = weapon >> 4
                loss = card - strength if card > strength else 0
                worn = strength << 4 | card + self.step
                outcomes.append((health - loss, worn, potion_used))
            return outcomes
        if card < POTION:
            return [(health, (card - WEAPON) << 4 | FRESH_LIMIT, potion_used)]
        if potion_used:
            return [(health, weapon, True)]
        return [(min(self.rules.cap, health + card - POTION), weapon, True)]

    def best_death(
        self, room: bytes, faces: int, health: int, weapon: int, potion_used: bool
    ) -> int:
        """The best death in this room within `faces` cards, or NO_DEATH.

        The score of the death is this less all monsters of the card list.
        """
        strongest = sorted((c for c in room if c < WEAPON), reverse=True)[:faces]
        if sum(strongest) < health:
            return NO_DEATH
        monsters = sum(c for c in room if c < WEAPON)
        if not self.rules.death_counts_health:
            return monsters
        return self._best_death(room, faces, health, weapon, potion_used, monsters)

    def _best_death(
        self,
        room: bytes,
        faces: int,
        health: int,
        weapon: int,
        potion_used: bool,
        monsters: int,
    ) -> int:
        best = NO_DEATH
        for at, card in enumerate(room):
            rest = room[:at] + room[at + 1 :]
            for h, w, d in self.outcomes(card, health, weapon, potion_used):
                if h > 0:
                    if faces > 1:
                        best = max(
                            best, self._best_death(rest, faces - 1, h, w, d, monsters)
                        )
                    continue
                remaining_monsters = sum(c for c in rest if c < WEAPON)
                counted = (
                    monsters - remaining_monsters
                    if self.rules.death_counts_room
                    else monsters
                )
                best = max(best, h + counted)
        return best

    def best_ending(
        self, room: bytes, health: int, weapon: int, potion_used: bool
    ) -> int:
        """The best score of facing every card of a last room, by clearing or dying."""
        best = NO_DEATH
        for at, card in enumerate(room):
            rest = room[:at] + room[at + 1 :]
            for h, w, d in self.outcomes(card, health, weapon, potion_used):
                if h <= 0:
                    value = self.death_score(h, rest)
                elif rest:
                    value = self.best_ending(rest, h, w, d)
                else:
                    value = h + self.potion_bonus(card, health, h)
                best = max(best, value)
        return best

    def death_score(self, health: int, room: bytes) -> int:
        """The score of a death with an empty pile and these cards left in the room."""
        value = health if self.rules.death_counts_health else 0
        if self.rules.death_counts_room:
            value -= sum(c for c in room if c < WEAPON)
        return value

    def potion_bonus(self, last: int, met: int, health_after: int) -> int:
        """What the last card adds to a clearance, by the health before and after it."""
        if last < POTION or not self.rules.has_potion_bonus:
            return 0
        decides = met if self.rules.bonus_by_met_health else health_after
        return last - POTION if decides == self.rules.cap else 0
