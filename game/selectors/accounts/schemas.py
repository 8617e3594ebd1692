"""The JSON objects of accounts, players, tokens and blocks."""

from typing import Annotated, Any, TypedDict

from msgspec import Meta

from game.models import SCOPES
from game.selectors.core.wire import Email, Instant, Number, one_of
from game.selectors.runs.schemas import DifficultyKey, RulesetKey

Scope = Annotated[str, one_of("ScopesEnum", SCOPES)]


class AccountRecord(TypedDict):
    """An account as its owner sees it, also in the export."""

    id: str
    name: str
    email: Email | None
    is_guest: bool
    is_bot: bool
    is_verified: bool
    preferences: dict[str, Any]
    notices: Annotated[int, Meta(description="Notices that you have not seen yet.")]
    created_at: Instant


class Account(AccountRecord):
    """Your own account."""

    staff_role: Annotated[
        str,
        Meta(
            description='"", or the role of a moderator: helper, moderator,'
            ' administrator. Always "" for programs.'
        ),
    ]


class Block(TypedDict):
    """A player you have blocked."""

    player: str
    since: Instant


class Blocks(TypedDict):
    """The players you have blocked."""

    results: list[Block]


class Token(TypedDict):
    """A token, without its secret text."""

    id: str
    name: str
    starts_with: str
    scopes: list[Scope]
    created_at: Instant
    expires_at: Instant
    used_at: Instant | None


class Tokens(TypedDict):
    """Your tokens."""

    results: list[Token]


class NewToken(Token):
    """A new token, with its secret text, which is shown only once."""

    token: Annotated[str, Meta(pattern="^sdl_[0-9a-f]{64}$")]


class Best(TypedDict):
    """A player's best score in one ruleset and difficulty."""

    ruleset: RulesetKey
    difficulty: DifficultyKey
    score: int
    runs: int
    cleared: int


class Player(TypedDict):
    """A player's public profile. Its numbers count runs on dungeons that were secret
    when the run began: not on a typed seed, a daily's deck in practice, or a ghost's
    dungeon.
    """

    name: str
    since: Instant
    is_bot: bool
    is_guest: bool
    runs: int
    cleared: int
    reviewed: int
    accuracy: Number | None
    best: list[Best]
