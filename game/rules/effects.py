"""What a move did, in order, for whatever shows, replays or reviews it.

Each effect is a small value with a `kind`; `as_json` gives its public shape. Effects
name only cards that the player can see.
"""

from typing import Any, NamedTuple

from game.rules.cards import Card


class Fought(NamedTuple):
    """A monster was fought: what it took, and the health left (0 or below: dead)."""

    card: Card
    armed: bool
    damage: int
    health: int

    @property
    def kind(self) -> str:
        """The effect's name."""
        return "fought"


class Equipped(NamedTuple):
    """A weapon was taken up; the old one and its kill stack went to the discard."""

    card: Card
    discarded: tuple[Card, ...]

    @property
    def kind(self) -> str:
        """The effect's name."""
        return "equipped"


class Healed(NamedTuple):
    """A potion healed `amount` (0 at full health), never above the cap."""

    card: Card
    amount: int
    health: int

    @property
    def kind(self) -> str:
        """The effect's name."""
        return "healed"


class Wasted(NamedTuple):
    """A potion after the first in a room did nothing."""

    card: Card

    @property
    def kind(self) -> str:
        """The effect's name."""
        return "wasted"


class Avoided(NamedTuple):
    """The room went under the pile, in this order."""

    cards: tuple[Card, ...]

    @property
    def kind(self) -> str:
        """The effect's name."""
        return "avoided"


class Dealt(NamedTuple):
    """These cards came into the room, behind the carried one if there is one."""

    cards: tuple[Card, ...]

    @property
    def kind(self) -> str:
        """The effect's name."""
        return "dealt"


class Died(NamedTuple):
    """The run ended here, by this card."""

    card: Card

    @property
    def kind(self) -> str:
        """The effect's name."""
        return "died"


class Cleared(NamedTuple):
    """Every card has been faced, and the player lives."""

    @property
    def kind(self) -> str:
        """The effect's name."""
        return "cleared"


Effect = Fought | Equipped | Healed | Wasted | Avoided | Dealt | Died | Cleared


def as_json(effect: Effect) -> dict[str, Any]:
    """{kind, and the effect's own fields}; cards as codes, tuples as lists."""
    return {
        "kind": effect.kind,
        **{
            k: list(v) if isinstance(v, tuple) else v
            for k, v in effect._asdict().items()
        },
    }
