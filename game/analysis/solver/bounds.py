"""What can still be gained from the cards left, whatever their order: lemmas L3 and L4.

The cards left are four bit masks, so that taking a card out is one operation and the
damage nobody can avoid is a table look-up. Proofs: docs/analysis-code.md.
"""

from typing import Final, NamedTuple

from game.analysis.solver.terms import POTION, WEAPON, Terms

# Bit v - 2 of a mask stands for value v.
_VALUES: Final = range(2, 15)
NEVER: Final = 10_000


def _damage_table(strength: int) -> bytes:
    """By mask of monster values: what they cost against a weapon of that strength."""
    table = bytearray(1 << len(_VALUES))
    for mask in range(1, len(table)):
        rest = mask & (mask - 1)
        value = (mask ^ rest).bit_length() + 1
        table[mask] = table[rest] + max(0, value - strength)  # 104 at the most
    return bytes(table)


def _strongest_two(mask: int) -> tuple[int, int]:
    first = mask.bit_length() + 1 if mask else 0
    rest = mask ^ (1 << first - 2) if mask else 0
    return first, rest.bit_length() + 1 if rest else 0


def _largest(count: int) -> tuple[int, ...]:
    """By mask of potions: the `count` largest, added up."""
    sums = []
    for mask in range(1 << 9):
        values = [v for v in range(10, 1, -1) if mask >> v - 2 & 1]
        sums.append(sum(values[:count]))
    return tuple(sums)


DAMAGE: Final = tuple(_damage_table(strength) for strength in range(11))
STRONGEST: Final = tuple(_strongest_two(mask) for mask in range(1 << 9))
LARGEST: Final = tuple(_largest(count) for count in range(16))
TOP: Final = tuple(mask.bit_length() + 1 if mask else 0 for mask in range(1 << 9))
# By limit: the monster values a weapon of that limit may be used on.
BELOW: Final = (0, 0, *((1 << limit - 2) - 1 for limit in range(2, 16)))


class Left(NamedTuple):
    """The cards left: monster values, values there twice, weapons, potions.

    `heals`: how many rooms are left, and so potions that can heal.
    """

    once: int
    twice: int
    weapons: int
    potions: int
    heals: int


def left_of(cards: bytes, faces: int = 3, drank: bool = False) -> Left:
    """The masks of a list of cards, `faces` of which are still to face in its room."""
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
    later = rooms_of(len(cards) - faces)
    return Left(once, twice, weapons, potions, later + (not drank))


def rooms_of(cards: int) -> int:
    """How many rooms that many cards make: each takes three, the last what is left."""
    return (cards + 2) // 3


def without(left: Left, faced: bytes, heals: int) -> Left:
    """What is left once those cards have been faced and the next room is dealt."""
    once, twice, weapons, potions, _ = left
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
    return Left(once, twice, weapons, potions, heals)


def form_of(left: Left, weapon: int, inclusive: bool) -> tuple[int, int]:
    """The normal form of a weapon (L3), and what health can still gain with it (L4).

    The second figure is potions less unavoidable damage, so negative as a rule.
    """
    once, twice, weapons, potions, heals = left
    first, second = STRONGEST[weapons]
    if inclusive:
        second = first
    gain = LARGEST[heals][potions] - DAMAGE[first][once] - DAMAGE[second][twice]
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
        if inclusive:
            other = strength
        elif strength < first:
            best, other = first, strength
        gain += DAMAGE[first][usable] - DAMAGE[best][usable]
        gain += DAMAGE[second][again] - DAMAGE[other][again]
    return strength << 4 | highest + 1, gain


def idle_potion(left: Left, worth_over: int) -> int:
    """What a last potion worth more than that takes from the healing of L4.

    Where the bonus wants full health before the last potion, that potion heals
    nothing: health + gain must exceed the cap by this much. The smallest costs least.
    """
    largest, potions = LARGEST[left.heals], left.potions
    worth = potions >> worth_over - 1 << worth_over - 1 if worth_over > 0 else potions
    return largest[potions] - largest[potions ^ (worth & -worth)]


def death_slack(left: Left, terms: Terms) -> int:
    """How far a death may score above health + gain, where monsters are uncounted.

    With R the monsters left in dungeon and room when the run ends and F = health - R,
    F <= health + gain always (L4). A death scores F where all monsters count; where the
    room's do not, F + (the three left in the room at most); where health does not count
    either, that and also what the killer overshot by, at most its value less one.
    """
    if terms.room_counts:
        return 0
    largest: list[int] = []
    for value in range(14, 1, -1):
        bit = 1 << value - 2
        largest += [value] * (bool(left.once & bit) + bool(left.twice & bit))
    if terms.health_counts:
        return sum(largest[:3])
    return max(0, sum(largest[:4]) - 1)


def threshold_of(left: Left, best: int, terms: Terms) -> int:
    """What health + gain must reach, with these cards left, to beat `best` (L4)."""
    if best < 0:
        return best + 1 - death_slack(left, terms)
    if best < terms.cap:
        return best + 1
    if terms.bonus and terms.cap + TOP[left.potions] > best:
        if terms.bonus_met:
            return terms.cap + idle_potion(left, best - terms.cap)
        return terms.cap
    return NEVER


def upper_bound(left: Left, health: int, weapon: int, terms: Terms) -> int:
    """No play from here scores more (L4)."""
    ahead = health + form_of(left, weapon, terms.inclusive)[1]
    if ahead <= 0:
        return min(0, ahead + death_slack(left, terms))
    if ahead < terms.cap:
        return ahead
    return terms.cap + (TOP[left.potions] if terms.bonus else 0)
