"""Upper bounds from the remaining cards, whatever their order: lemmas L3 and L4.

The remaining cards are four bit masks, so removing a card is one operation and the
unavoidable damage is a table look-up. Proofs: docs/analysis-code.md.
"""

from typing import Final, NamedTuple

from game.analysis.solver.encoding import POTION, WEAPON, SolverRules

# Bit v - 2 of a mask stands for value v.
_VALUES: Final = range(2, 15)
UNREACHABLE: Final = 10_000


def _damage_table(strength: int) -> bytes:
    """Damage by mask of monster values, against a weapon of that strength."""
    table = bytearray(1 << len(_VALUES))
    for mask in range(1, len(table)):
        others = mask & (mask - 1)
        value = (mask ^ others).bit_length() + 1
        table[mask] = table[others] + max(0, value - strength)  # 104 at the most
    return bytes(table)


def _strongest_two(mask: int) -> tuple[int, int]:
    first = mask.bit_length() + 1 if mask else 0
    others = mask ^ (1 << first - 2) if mask else 0
    return first, others.bit_length() + 1 if others else 0


def _sums_of_largest(count: int) -> tuple[int, ...]:
    """Sum of the `count` largest potions, by mask of potions."""
    sums = []
    for mask in range(1 << 9):
        values = [v for v in range(10, 1, -1) if mask >> v - 2 & 1]
        sums.append(sum(values[:count]))
    return tuple(sums)


DAMAGE: Final = tuple(_damage_table(strength) for strength in range(11))
STRONGEST: Final = tuple(_strongest_two(mask) for mask in range(1 << 9))
SUM_OF_LARGEST: Final = tuple(_sums_of_largest(count) for count in range(16))
BEST_POTION: Final = tuple(
    mask.bit_length() + 1 if mask else 0 for mask in range(1 << 9)
)
# Mask of the monster values that a weapon may be used on, by the weapon's limit.
BELOW: Final = (0, 0, *((1 << limit - 2) - 1 for limit in range(2, 16)))


class Remaining(NamedTuple):
    """The remaining cards as masks: monster values, doubled values, weapons, potions.

    `heals`: how many potions can still heal, which is the number of remaining rooms.
    """

    once: int
    twice: int
    weapons: int
    potions: int
    heals: int


def remaining_cards(
    cards: bytes, faces: int = 3, potion_used: bool = False
) -> Remaining:
    """The masks of a card list; `faces` cards of its room are still to be faced."""
    once = twice = weapons = potions = 0
    for card in cards:
        if card < WEAPON:
            bit = 1 << card - 2
            twice |= once & bit
            once |= bit
        elif card < POTION:
            weapons |= 1 << card - WEAPON - 2
        else:
            potions |= 1 << card - POTION - 2
    later = room_count(len(cards) - faces)
    return Remaining(once, twice, weapons, potions, later + (not potion_used))


def room_count(cards: int) -> int:
    """How many rooms that many cards make: three in each, the rest in the last."""
    return (cards + 2) // 3


def without(remaining: Remaining, faced: bytes, heals: int) -> Remaining:
    """What remains after facing those cards, once the next room is dealt."""
    once, twice, weapons, potions, _ = remaining
    for card in faced:
        if card < WEAPON:
            bit = 1 << card - 2
            if twice & bit:
                twice ^= bit
            else:
                once ^= bit
        elif card < POTION:
            weapons ^= 1 << card - 18
        else:
            potions ^= 1 << card - 34
    return Remaining(once, twice, weapons, potions, heals)


def normal_form(
    remaining: Remaining, weapon: int, reaches_equal: bool
) -> tuple[int, int]:
    """The normal form of a weapon (L3), and the most that health can still gain (L4).

    The gain is potions less unavoidable damage, so it is usually negative.
    """
    once, twice, weapons, potions, heals = remaining
    first, second = STRONGEST[weapons]
    if reaches_equal:
        second = first
    gain = SUM_OF_LARGEST[heals][potions] - DAMAGE[first][once] - DAMAGE[second][twice]
    usable = once & BELOW[weapon & 15]
    if not usable or weapon < 16:
        return 0, gain
    highest = usable.bit_length() + 1
    strength = weapon >> 4
    if strength > highest:  # noqa: PLR1730 - min() is a call
        strength = highest
    if strength > second:
        again = twice & BELOW[weapon & 15]
        best, other = strength, first
        if reaches_equal:
            other = strength
        elif strength < first:
            best, other = first, strength
        gain += DAMAGE[first][usable] - DAMAGE[best][usable]
        gain += DAMAGE[second][again] - DAMAGE[other][again]
    return strength << 4 | highest + 1, gain


def unused_potion_cost(remaining: Remaining, worth_over: int) -> int:
    """The healing lost (L4) if the last potion is worth more than `worth_over`.

    If the bonus needs full health before the last potion, that potion heals nothing,
    so health + gain must exceed the cap by this much. The smallest potion costs least.
    """
    largest, potions = SUM_OF_LARGEST[remaining.heals], remaining.potions
    worth = potions >> worth_over - 1 << worth_over - 1 if worth_over > 0 else potions
    return largest[potions] - largest[potions ^ (worth & -worth)]


def death_slack(remaining: Remaining, rules: SolverRules) -> int:
    """By how much a death may score above health + gain, if some monsters do not count.

    Let R be the monsters in dungeon and room when the run ends and F = health - R. Then
    F <= health + gain (L4). A death scores F if all monsters count. If the room's do
    not, it scores at most F plus the three largest remaining. If health does not count
    either, it also gains the health below 0, at most the last monster's value less one.
    """
    if rules.death_counts_room:
        return 0
    largest: list[int] = []
    for value in range(14, 1, -1):
        bit = 1 << value - 2
        largest += [value] * (bool(remaining.once & bit) + bool(remaining.twice & bit))
    if rules.death_counts_health:
        return sum(largest[:3])
    return max(0, sum(largest[:4]) - 1)


def threshold_of(remaining: Remaining, best: int, rules: SolverRules) -> int:
    """What health + gain must reach to beat `best` with these remaining cards (L4)."""
    if best < 0:
        return best + 1 - death_slack(remaining, rules)
    if best < rules.cap:
        return best + 1
    if rules.has_potion_bonus and rules.cap + BEST_POTION[remaining.potions] > best:
        if rules.bonus_by_met_health:
            return rules.cap + unused_potion_cost(remaining, best - rules.cap)
        return rules.cap
    return UNREACHABLE


def upper_bound(
    remaining: Remaining, health: int, weapon: int, rules: SolverRules
) -> int:
    """The most that any play from here can score (L4)."""
    bound = health + normal_form(remaining, weapon, rules.reaches_equal)[1]
    if bound <= 0:
        return min(0, bound + death_slack(remaining, rules))
    if bound < rules.cap:
        return bound
    return rules.cap + (BEST_POTION[remaining.potions] if rules.has_potion_bonus else 0)
