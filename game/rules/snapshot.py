"""A position as compact text, stored in the run's row; ten times faster than replaying.

The text has no hidden card: the pile is stored as a number of cards of the deck, and
the reader passes the deck. So a snapshot in a log or a backup reveals nothing. The
moves are the source of truth; `replay.fold` can recompute any snapshot.
"""

from collections.abc import Sequence

from game.rules.cards import CARDS, Card
from game.rules.errors import InvalidPosition
from game.rules.rulesets import Ruleset
from game.rules.state import CLEARED, DIED, PLAYING, State, Status

VERSION = "1"
PARTS = 15
_STATUS_CODES: dict[Status, str] = {PLAYING: "p", CLEARED: "c", DIED: "d"}
_STATUSES: dict[str, Status] = {code: name for name, code in _STATUS_CODES.items()}


def to_text(state: State) -> str:
    """The snapshot of a state, about 60 to 160 ASCII characters."""
    flags = (
        ("f" if state.room_full else "")
        + ("u" if state.potion_used else "")
        + ("a" if state.avoided_last else "")
    )
    return "|".join(
        (
            VERSION,
            _STATUS_CODES[state.status],
            str(state.index),
            str(state.health),
            str(state.cap),
            flags,
            str(state.faced_in_room),
            "".join(state.room),
            str(len(state.dungeon) - state.known),
            "".join(state.bottom),
            state.weapon or "",
            "".join(state.kill_stack),
            "".join(state.discard),
            state.last or "",
            str(state.last_met_at),
        )
    )


def from_text(
    text: str, ruleset: Ruleset, difficulty: str, deck: Sequence[Card]
) -> State:
    """The state of a snapshot of a run on that deck.

    Raises InvalidPosition for text of another version or that is not a snapshot.
    """
    parts = text.split("|")
    if parts[0] != VERSION or len(parts) != PARTS:
        raise InvalidPosition("That snapshot has another version.")
    try:
        bottom = _cards(parts[9])
        flags = parts[5]
        return State(
            ruleset,
            difficulty,
            int(parts[4]),
            int(parts[3]),
            _cards(parts[7]),
            _undealt_cards(deck, int(parts[8])) + bottom,
            len(bottom),
            CARDS[parts[10]] if parts[10] else None,
            _cards(parts[11]),
            _cards(parts[12]),
            int(parts[6]),
            "f" in flags,
            "u" in flags,
            "a" in flags,
            CARDS[parts[13]] if parts[13] else None,
            int(parts[14]),
            _STATUSES[parts[1]],
            int(parts[2]),
        )
    except (KeyError, ValueError) as error:
        raise InvalidPosition("That is not a snapshot.") from error


def _undealt_cards(deck: Sequence[Card], count: int) -> tuple[Card, ...]:
    """The cards of the pile that were never dealt: always the end of the deck."""
    if not 0 <= count <= len(deck):
        raise ValueError("more cards than the deck has")
    return tuple(deck[len(deck) - count :])


def unseen_in(text: str) -> int:
    """How many cards of the deck were never dealt, from the text of a snapshot."""
    return int(text.split("|")[8])


def _cards(text: str) -> tuple[Card, ...]:
    return tuple([CARDS[text[at : at + 2]] for at in range(0, len(text), 2)])
