"""The effects of a move, in order, for displays, replays and reviews.

Each effect is a named tuple; `as_json` gives its public shape. Effects contain only
cards that the player can see. Each has its `kind` as a field, because named tuples of
different classes are equal if their fields are: else `Died(card) == Wasted(card)`.
"""

from typing import Literal, NamedTuple, cast

from game.rules.cards import Card
from game.rules.schemas import Effect as EffectJson


class Fought(NamedTuple):
    """A monster was fought: the damage, and the health left (0 or below: dead)."""

    card: Card
    armed: bool
    damage: int
    health: int
    kind: Literal["fought"] = "fought"


class Equipped(NamedTuple):
    """A weapon was equipped; the old one and its kill stack were discarded."""

    card: Card
    discarded: tuple[Card, ...]
    kind: Literal["equipped"] = "equipped"


class Healed(NamedTuple):
    """A potion healed `amount` (0 at full health); health never exceeds the cap."""

    card: Card
    amount: int
    health: int
    kind: Literal["healed"] = "healed"


class Wasted(NamedTuple):
    """A potion after the first in a room did nothing."""

    card: Card
    kind: Literal["wasted"] = "wasted"


class Avoided(NamedTuple):
    """The room was put under the pile, in this order."""

    cards: tuple[Card, ...]
    kind: Literal["avoided"] = "avoided"


class Dealt(NamedTuple):
    """These cards were dealt into the room, after the carried card if there is one."""

    cards: tuple[Card, ...]
    kind: Literal["dealt"] = "dealt"


class Died(NamedTuple):
    """The player died by this card, and the run ended."""

    card: Card
    kind: Literal["died"] = "died"


class Cleared(NamedTuple):
    """Every card was faced and the player is alive: the run ended."""

    kind: Literal["cleared"] = "cleared"


Effect = Fought | Equipped | Healed | Wasted | Avoided | Dealt | Died | Cleared


def as_json(effect: Effect) -> EffectJson:
    """The effect as {kind, ...its fields}: cards as codes, tuples as lists."""
    fields = effect._asdict()
    values = {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items()}
    return cast("EffectJson", {"kind": effect.kind, **values})
