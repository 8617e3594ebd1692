"""What a move did, in order, for whatever shows, replays or reviews it.

Each effect is a small value; `as_json` gives its public shape. Effects name only cards
that the player can see. Each carries its `kind` as a field, because named tuples of two
classes are equal when their fields are: without it `Died(card) == Wasted(card)`.
"""

from typing import Any, Literal, NamedTuple

from game.rules.cards import Card


class Fought(NamedTuple):
    """A monster was fought: what it took, and the health left (0 or below: dead)."""

    card: Card
    armed: bool
    damage: int
    health: int
    kind: Literal["fought"] = "fought"


class Equipped(NamedTuple):
    """A weapon was taken up; the old one and its kill stack went to the discard."""

    card: Card
    discarded: tuple[Card, ...]
    kind: Literal["equipped"] = "equipped"


class Healed(NamedTuple):
    """A potion healed `amount` (0 at full health), never above the cap."""

    card: Card
    amount: int
    health: int
    kind: Literal["healed"] = "healed"


class Wasted(NamedTuple):
    """A potion after the first in a room did nothing."""

    card: Card
    kind: Literal["wasted"] = "wasted"


class Avoided(NamedTuple):
    """The room went under the pile, in this order."""

    cards: tuple[Card, ...]
    kind: Literal["avoided"] = "avoided"


class Dealt(NamedTuple):
    """These cards came into the room, behind the carried one if there is one."""

    cards: tuple[Card, ...]
    kind: Literal["dealt"] = "dealt"


class Died(NamedTuple):
    """The run ended here, by this card."""

    card: Card
    kind: Literal["died"] = "died"


class Cleared(NamedTuple):
    """Every card has been faced, and the player lives."""

    kind: Literal["cleared"] = "cleared"


Effect = Fought | Equipped | Healed | Wasted | Avoided | Dealt | Died | Cleared


def as_json(effect: Effect) -> dict[str, Any]:
    """{kind, and the effect's own fields}; cards as codes, tuples as lists."""
    fields = effect._asdict()
    shown = {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items()}
    return {"kind": effect.kind, **shown}
