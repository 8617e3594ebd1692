"""What the hub asks of the game, as one small face; all of it synchronous readings.

The hub is handed a `Source`, so it knows neither tables nor services and can be tried
against a made-up one. `api.ws.races.game_source` is the real one.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from api.ws.connection.sockets import Standing


class Event(NamedTuple):
    """A numbered event in full; never sent as it is, but through `Source.cut`.

    `row` and `body`, what is in it, are the source's own.
    """

    seq: int
    row: Any
    body: Any = None


class Role(NamedTuple):
    """How one viewer sees a race for now. Equal keys see the same of every event."""

    key: Hashable
    context: Any


class News(NamedTuple):
    """A race's events after some number, and how to show them.

    `role_of(account_id)` (None: any spectator) is good until the next news; `accounts`
    are those of the entrants. At `due_at` the race changes though nobody does anything.
    `picture` is the source's own, for its next news of this race.
    """

    head: int
    events: list[Event]
    accounts: frozenset[str]
    role_of: Callable[[str | None], Role]
    due_at: datetime | None
    is_over: bool
    picture: Any


class Chat(NamedTuple):
    """Messages, each {number, room, ...}, and whether an account may hear one now."""

    messages: list[dict[str, Any]]
    hears: Callable[[str, dict[str, Any]], bool]


class Head(Protocol):
    """How far a race is: its last event, its last message, its next due time."""

    @property
    def seq(self) -> int: ...  # noqa: D102
    @property
    def chat(self) -> int: ...  # noqa: D102
    @property
    def due_at(self) -> datetime | None: ...  # noqa: D102


class Source(Protocol):
    """The readings of the hub; each is called in a database thread."""

    def news(self, race_id: str, since: int | None, picture: Any) -> News:
        """The events after `since` (None: none of them), at most some hundreds.

        `picture` is that of the news before, or None. Raises race.not_found.
        """

    def told(self, rows: Sequence[Any], picture: Any) -> News | None:
        """The news that those rows of the doorbell's make; None where the database
        must be asked. Pure and cheap.
        """

    def key(self, event: Event, role: Role) -> Hashable:
        """Roles with equal keys are shown the same of that event; pure and cheap."""

    def cut(self, event: Event, role: Role) -> dict[str, Any]:
        """An event as that role may see it, {seq, kind, at, ...}; pure and cheap."""

    def subject(self, event: Event, news: News) -> str | None:
        """The account whose run an event changed, or None."""

    def starts(self, event: Event) -> bool:
        """Whether this event is the start of the race."""

    def heads(self, race_ids: Collection[str]) -> Mapping[str, Head]:
        """How far each race is, in one statement."""

    def missed(
        self, race_id: str, since: int, account_id: str
    ) -> list[dict[str, Any]] | None:
        """All events after `since`, cut for this viewer; None where they are too many
        or `since` lies ahead of the race.
        """

    def snapshot(self, race_id: str, account_id: str | None) -> dict[str, Any]:
        """The race for this viewer (None: for any spectator), {seq, run, ...}."""

    def runs(self, race_id: str, accounts: Collection[str]) -> dict[str, Any]:
        """The runs of those entrants, by account, each as its player sees it."""

    def chat(self, race_id: str, since: int) -> Chat | None:
        """What was said after message `since`."""

    def due(self, race_id: str) -> None:
        """Apply whatever time has brought about in that race."""

    def seen(self, present: Collection[tuple[str, str]]) -> None:
        """These (race, account) have a socket open here, now."""

    def gone(self, race_id: str, account_id: str) -> None:
        """The account's last socket on the race has closed here."""

    def watching(self, counts: Mapping[str, int]) -> None:
        """So many watch here without taking part, of each race."""

    def watch_elsewhere(self, race_id: str) -> int:
        """How many watch it in other processes."""

    def still_good(
        self, credentials: Collection[tuple[str, str]]
    ) -> dict[tuple[str, str], str]:
        """Which credentials are still good, each with its stamp."""

    def standings(self, accounts: Collection[str]) -> Mapping[str, Standing]:
        """How each account stands with the moderators."""

    def lobby(self, known: Any) -> tuple[Any, list[dict[str, Any]] | None]:
        """The lobby's mark, and its races unless the mark is the `known` one."""
