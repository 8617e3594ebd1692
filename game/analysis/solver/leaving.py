"""One room: face all but one of its cards, each in turn being the one left.

The innermost loop of the solver. It is long and reads its tables by position, because
here a call or an attribute costs more than the arithmetic it would name.
"""

from game.analysis.solver.bounds import (
    NEVER,
    form_of,
    rooms_of,
    threshold_of,
    without,
)
from game.analysis.solver.spots import Front, Node, Spot
from game.analysis.solver.terms import ONE


def leave(  # noqa: C901, PLR0912 - the loop of the solver, see above
    front: Front,
    waiting: list[Node],
    cards: bytes,
    faces_and_drank: tuple[int, bool],
    best: int,
) -> None:
    """Put what every plan of every waiting node leads to at its spot, and queue it.

    `cards`: the room and the pile behind it; of the room's cards (one more than are to
    be faced) each is left once. Skips what cannot beat `best`.
    """
    faces, drank = faces_and_drank
    terms, book, spots, scale = front.terms, front.book, front.spots, front.health_key
    cap, inclusive = terms.cap, terms.inclusive
    room, pile = bytes(sorted(cards[: faces + 1])), cards[faces + 1 :]
    before = waiting[0][3].left
    heals = rooms_of(len(cards) - faces)
    previous = 0
    for at, card in enumerate(room):
        if card == previous:
            continue
        previous = card
        faced = room[:at] + room[at + 1 :]
        left = without(before, faced, heals)
        threshold = threshold_of(left, best, terms)
        if threshold == NEVER:
            continue
        forms: dict[int, tuple[int, int]] = {}
        shelf = book.shelf(faced, drank)
        after = ONE[card] + pile
        there = spots.get(after)
        for node in waiting:
            start = node[0]
            plans = shelf.get(node[1])
            if plans is None:
                plans = book.of(faced, node[1], drank)
            for a, p, b, weapon in plans:
                health = start - a
                if health <= 0:
                    continue
                if p:
                    health += p
                    if health > cap:  # noqa: PLR1730 - min() is a call
                        health = cap
                    health -= b
                    if health <= 0:
                        continue
                form = forms.get(weapon)
                if form is None:
                    form = forms[weapon] = form_of(left, weapon, inclusive)
                ahead = health + form[1]
                if ahead < threshold:
                    continue
                if there is None:
                    there = spots[after] = Spot(after, left)
                key = health * scale + form[0]
                known = there.nodes.get(key)
                if known is None or known[0] < health:
                    met = (health, form[0], ahead, there, node)
                    there.nodes[key] = met
                    if not there.waiting:
                        front.queue(there, ahead)
                    there.waiting.append(met)
