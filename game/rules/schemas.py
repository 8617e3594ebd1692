"""The JSON objects that the rules hand out, each declared once.

Typing alone, so that the rules need no library. The API's documents and the page's
types are derived from these declarations (`game.selectors.core.wire`).
"""

from typing import Literal, NotRequired, TypedDict

from game.rules.cards import Card
from game.rules.moves import Action, Move

# A run that broke off is, to the rules, one that is still being played.
RunStatus = Literal["playing", "cleared", "died", "abandoned", "expired", "forfeited"]
PartName = Literal["health", "last_potion", "monsters_in_room", "monsters_in_dungeon"]
EffectKind = Literal[
    "fought", "equipped", "healed", "wasted", "avoided", "dealt", "died", "cleared"
]


class Weapon(TypedDict):
    """The weapon held; `limit` is null while it is fresh."""

    card: Card
    kill_stack: list[Card]
    limit: int | None
    limit_inclusive: bool


class LegalMove(TypedDict):
    """A legal move and what it would cost or heal."""

    move: Move
    card: Card | None
    action: Action
    armed: bool | None
    damage: int
    heal: int
    wasted: bool
    health_after: int
    lethal: bool
    drops: list[Card]


class BlockedMove(TypedDict):
    """An armed fight, or avoiding, that is refused here, and why."""

    move: Move
    code: str
    detail: str


class Part(TypedDict):
    """A line of a score's breakdown."""

    part: PartName
    value: int


class Table(TypedDict):
    """The cards and numbers of a position, as its player sees them."""

    index: int
    status: RunStatus
    health: int
    cap: int
    room: list[Card]
    faced_in_room: int
    faced: int
    room_number: int
    weapon: Weapon | None
    potion_used: bool
    avoided_last: bool
    dungeon_left: int
    bottom: list[Card]


class Observation(Table):
    """A position with its legal moves and its score."""

    legal: list[LegalMove]
    blocked: list[BlockedMove]
    score: int | None
    potential_score: int
    breakdown: list[Part] | None


class Effect(TypedDict):
    """What a move did; `kind` says which of the other fields there are."""

    kind: EffectKind
    card: NotRequired[Card]
    cards: NotRequired[list[Card]]
    discarded: NotRequired[list[Card]]
    armed: NotRequired[bool]
    damage: NotRequired[int]
    amount: NotRequired[int]
    health: NotRequired[int]
