"""A position of a run (immutable), and the first position of a run.

The state has the whole dungeon, so it must stay on the server; `observation` makes what
a player may see.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from game.rules.cards import Card, Kind, parse_card, parse_cards
from game.rules.errors import InvalidPosition
from game.rules.rulesets import Limit, Ruleset

Status = Literal["playing", "cleared", "died"]
PLAYING: Final = "playing"
CLEARED: Final = "cleared"
DIED: Final = "died"

ROOM_SIZE = 4
FACED_IN_FULL_ROOM = 3


class State(NamedTuple):
    """A position: everything that later moves and the score depend on.

    `dungeon` is the face-down pile from the top; its last `known` cards were avoided by
    the player, who therefore knows them. `last` is the card faced last, `last_met_at`
    the health before it was faced. `index` is the number of moves played so far.
    """

    ruleset: Ruleset
    difficulty: str
    cap: int
    health: int
    room: tuple[Card, ...]
    dungeon: tuple[Card, ...]
    known: int
    weapon: Card | None
    kill_stack: tuple[Card, ...]
    discard: tuple[Card, ...]
    faced_in_room: int
    room_full: bool
    potion_used: bool
    avoided_last: bool
    last: Card | None
    last_met_at: int
    status: Status
    # Hides tuple.index, which is not used for states.
    index: int  # type: ignore[assignment]

    @property
    def bottom(self) -> tuple[Card, ...]:
        """The avoided cards still under the pile, in the order they will be dealt."""
        return self.dungeon[len(self.dungeon) - self.known :]


def reach(state: State) -> int:
    """The highest monster value the weapon may be used on: 0 unarmed, 14 if fresh."""
    if state.weapon is None:
        return 0
    if not state.kill_stack:
        return 14
    last = state.kill_stack[-1].value
    return last if state.ruleset.limit is Limit.EQUAL_OR_WEAKER else last - 1


def start(
    ruleset: Ruleset,
    deck: Iterable[Card | str],
    difficulty: str = "normal",
    health: int | None = None,
    weapon: str | None = None,
    kill_stack: Iterable[str] = (),
) -> State:
    """The first position of a run: the room dealt, nothing faced.

    `deck` has distinct cards or codes, top first, and may be shorter than 44. `health`,
    `weapon` and `kill_stack` (last kill last, it is the limit) set up single positions
    for tests and analysis.
    Raises InvalidPosition, UnknownRuleset (difficulty).
    """
    level = ruleset.difficulty(difficulty)
    pile = parse_cards(deck)
    stack = parse_cards(kill_stack)
    weapon_card = None if weapon is None else parse_card(weapon)
    if not pile:
        raise InvalidPosition("A dungeon has at least one card.")
    if health is None:
        health = level.health
    if not 1 <= health <= level.cap:
        raise InvalidPosition(f"Health must be 1 to {level.cap}.", {"health": health})
    _check_held(weapon_card, stack, pile)
    return State(
        ruleset=ruleset,
        difficulty=level.key,
        cap=level.cap,
        health=health,
        room=pile[:ROOM_SIZE],
        dungeon=pile[ROOM_SIZE:],
        known=0,
        weapon=weapon_card,
        kill_stack=stack,
        discard=(),
        faced_in_room=0,
        room_full=len(pile) >= ROOM_SIZE,
        potion_used=False,
        avoided_last=False,
        last=None,
        last_met_at=health,
        status=PLAYING,
        index=0,
    )


def _check_held(
    held: Card | None, stack: tuple[Card, ...], pile: tuple[Card, ...]
) -> None:
    if held is None and stack:
        raise InvalidPosition("A kill stack needs a weapon.")
    if held is not None and held.kind is not Kind.WEAPON:
        raise InvalidPosition(f"{held} is not a weapon.")
    if not all(card.is_monster for card in stack):
        raise InvalidPosition("A kill stack holds monsters only.")
    if (held is not None and held in pile) or not set(stack).isdisjoint(pile):
        raise InvalidPosition("A card appears twice.")
