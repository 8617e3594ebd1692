"""The JSON objects of dailies: one day, the archive, one's own year, a share."""

from typing import Annotated, TypedDict

from msgspec import Meta

from game.contest import beacon, calendar, commitments, drawing, ranked_attempts
from game.rules.schemas import RunStatus
from game.selectors.core.wire import Day, Instant, Number, Url, one_of
from game.selectors.runs.schemas import BoardPool, DifficultyKey, RulesetKey

Band = Annotated[str, one_of("Band", calendar.Band)]
DailyPhase = Annotated[str, one_of("DailyPhase", calendar.DailyPhase)]
SelectionReason = Annotated[str, one_of("SelectionReason", drawing.SelectionReason)]
UnrankedReason = Annotated[
    str, one_of("UnrankedReason", ranked_attempts.UnrankedReason)
]


class DailyRanking(TypedDict):
    """Whether your attempt is ranked, or would be if you started it now, and if not,
    why (`reason`, `words`) and what to do about it (`to_do`).

    It may change until the board is settled.
    """

    is_ranked: bool
    reason: UnrankedReason | None
    words: str | None
    to_do: str | None


CommitmentKind = Annotated[str, one_of("CommitmentKind", commitments.EntryKind)]
BeaconState = Annotated[str, one_of("BeaconState", beacon.BeaconState)]


class DailyYou(TypedDict):
    """Your own part in a daily; all but `may_rank` and `pool` are null before your
    attempt. `pool`: the board that your attempt is on, or would be on. `deadline_at`:
    when your attempt expires; outages move it.
    """

    may_rank: bool
    pool: BoardPool
    deadline_at: Instant | None
    run: str | None
    status: RunStatus | None
    ranked: bool | None
    score: int | None
    rank: int | None
    of: int | None
    percentile: Number | None


class Assessment(TypedDict):
    """The assessment of the dungeon, shown after the reveal."""

    winnable: bool
    best: int | None
    cleared: int
    games: int
    band: Band
    version: str


class ChainHead(TypedDict):
    """The number and hash of the last entry of a chain; 0 and zeros if it is empty."""

    number: int
    hash: str


class ChainEntryRef(TypedDict):
    """An entry of the chain of commitments about this daily."""

    number: int
    kind: CommitmentKind
    hash: str


class DailyChain(TypedDict):
    """The chain of commitments: its head now, and the entries about this daily."""

    head: ChainHead
    entries: list[ChainEntryRef]


class DailyBeacon(TypedDict):
    """The public random value that a daily named when it was drawn.

    `published_at` is when the network publishes the round. `signature` and `randomness`
    are null until the dungeon is chosen, and if it was chosen without the value.
    """

    network: str
    chain: str
    round: int
    published_at: Instant
    state: BeaconState
    signature: str | None
    randomness: str | None


class BeaconNetwork(TypedDict):
    """The drand network whose rounds dailies name."""

    network: str
    chain: str
    public_key: str


class Fairness(TypedDict):
    """The heads of both chains, signed.

    `signature` is the Ed25519 signature of the text `statement` by `public_key`, both
    in hexadecimal. `beacon` is null if new dailies name no public value.
    """

    at: Instant
    dailies: ChainHead
    audit: ChainHead
    statement: str
    public_key: str
    signature: str
    beacon: BeaconNetwork | None


class DailyLine(TypedDict):
    """A daily in a list; `seal` is null until its dungeon has been chosen, `band` (how
    hard it was found to be) until the reveal.
    """

    date: Day
    number: int
    ruleset: RulesetKey
    difficulty: DifficultyKey
    phase: DailyPhase
    planned: Band
    band: Band | None
    seal: str | None
    master_seal: str
    drawn_at: Instant
    opens_at: Instant
    closes_at: Instant
    settled_at: Instant | None
    players: int


class Daily(DailyLine):
    """One daily; seed, master, candidate and assessment come with the reveal."""

    ends_at: Instant
    settles_at: Instant
    seed: str | None
    master: str | None
    candidate: int | None
    choice: SelectionReason | None
    assessment: Assessment | None
    digest: str | None
    revision: int | None
    ranking: Annotated[
        DailyRanking | None,
        Meta(
            description="Of your attempt, before and after you start it, also without"
            " an account; null if you have none and can start none."
        ),
    ]
    beacon: DailyBeacon | None
    chain: DailyChain
    you: DailyYou | None


class Dailies(TypedDict):
    """The archive, newest first; its first page also has the coming dailies."""

    results: list[DailyLine]
    next: Url | None
    ahead: list[DailyLine]
    chain: ChainHead


class Streak(TypedDict):
    """Days in a row; `freeze_ready_on` is null while a freeze is available. `bridged`:
    the days since `last_on`, at most ten, that do not break it: the server was down, or
    a moderator bridged them.
    """

    current: int
    longest: int
    played_today: bool
    last_on: Day | None
    frozen_on: Day | None
    freeze_ready_on: Day | None
    bridged: list[Day]


class YearDay(TypedDict):
    """An attempt of yours."""

    date: Day
    ruleset: RulesetKey
    run: str
    status: RunStatus
    score: int | None
    ranked: bool


class Badge(TypedDict):
    """A badge you have earned."""

    key: str
    name: str
    words: str
    earned_on: Day


class Year(TypedDict):
    """A year of your dailies."""

    year: int
    days: list[YearDay]
    streak: Streak
    badges: list[Badge]


class Mark(TypedDict):
    """A mark of the text and its meaning."""

    mark: str
    words: str


class Share(TypedDict):
    """What you may share of your attempt; `path` and `picture` have no host."""

    text: str
    path: str
    picture: str
    marks: list[Mark]
