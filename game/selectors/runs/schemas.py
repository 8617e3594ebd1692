"""The JSON objects of runs, moves, replays and rulesets."""

from typing import Annotated, TypedDict

from msgspec import Meta

from game.contest import ranking
from game.models import Run as RunModel
from game.rules import CARDS, MOVES, RULESETS, rulesets
from game.rules.schemas import Effect, Observation, Part, RunStatus, Table
from game.selectors.core.wire import Instant, Url, one_of

RunKind = Annotated[str, one_of("RunKind", RunModel.Kind.values)]
RulesetKey = Annotated[str, one_of("RulesetKey", RULESETS)]
DifficultyKey = Annotated[str, one_of("DifficultyKey", rulesets.DIFFICULTIES)]
MoveCode = Annotated[str, one_of("MoveCode", MOVES)]
BoardPool = Annotated[str, one_of("BoardPool", ranking.BoardPool)]
CardCode = Annotated[str, one_of("CardCode", CARDS)]


class Run(Observation):
    """A run as its own player may see it. `pool`: among whom it is ranked; `bots` from
    its first move that was sent with a token. `coached`: a move was undone or the coach
    was asked, so the run is never ranked, counted or measured.
    """

    id: str
    kind: RunKind
    player: str
    ruleset: RulesetKey
    difficulty: DifficultyKey
    seal: str
    seed: str | None
    started_at: Instant
    finished_at: Instant | None
    elapsed_ms: int
    race: str | None
    daily: str | None
    pool: BoardPool
    coached: bool


class RunPage(TypedDict):
    """A page of your runs, newest first."""

    results: list[Run]
    next: Url | None


class MoveAnswer(TypedDict):
    """A committed move. `replayed`: it was committed before, and this is the first
    answer again.
    """

    run: Run
    effects: list[Effect]
    replayed: bool


class RaceMoveAnswer(MoveAnswer):
    """A committed move of a race; `seq` is the number of its event."""

    seq: int


class ReplayMove(TypedDict):
    """One move of a replay, with the table after it."""

    index: int
    move: MoveCode
    at_ms: int
    effects: list[Effect]
    after: Table


class Replay(TypedDict):
    """A whole run, revealed."""

    run: str
    player: str
    kind: RunKind
    ruleset: RulesetKey
    difficulty: DifficultyKey
    seed: str
    seal: str
    deck: Annotated[list[CardCode], Meta(min_length=44, max_length=44)]
    status: RunStatus
    score: int
    breakdown: list[Part]
    started_at: Instant
    finished_at: Instant
    elapsed_ms: int
    start: Table
    moves: list[ReplayMove]


class RunSummary(TypedDict):
    """One line of a player's runs."""

    id: str
    kind: RunKind
    ruleset: RulesetKey
    difficulty: DifficultyKey
    status: RunStatus
    score: int
    coached: bool
    moves: int
    faced: int
    seal: str
    started_at: Instant
    finished_at: Instant
    elapsed_ms: int


class RunSummaryPage(TypedDict):
    """A page of a player's runs, newest first."""

    results: list[RunSummary]
    next: Url | None


class Difficulty(TypedDict):
    """Health at the start and its cap."""

    key: str
    health: int
    cap: int
    is_default: bool


class RulesetWords(TypedDict):
    """A ruleset's choices as sentences."""

    weapon_limit: str
    avoid: str
    death_score: str
    clear_score: str


class Ruleset(TypedDict):
    """One published ruleset."""

    key: RulesetKey
    name: str
    is_default: bool
    source: str
    summary: str
    weapon_limit: str
    avoid: str
    death_score: str
    clear_score: str
    difficulties: list[Difficulty]
    words: RulesetWords


class Rulesets(TypedDict):
    """Every published ruleset."""

    results: list[Ruleset]


class Time(TypedDict):
    """The server's clock."""

    server_time: Instant


class Lesson(TypedDict):
    """The guided dungeon after some moves. Nothing of it is stored.

    `advised`: the moves that the step accepts, `skipped`: moves that are to be sent
    together, `mistake`: why the last move was not accepted (then `step`, `title`,
    `text` and `advised` are those of the position before it). A card in square
    brackets in a text stands for its name.
    """

    ruleset: RulesetKey
    seed: str
    moves: list[MoveCode]
    step: int
    steps: int
    title: str
    text: str
    advised: list[MoveCode]
    skipped: list[MoveCode]
    mistake: str | None
    effects: list[Effect]
    observation: Observation


class RankValue(TypedDict):
    """A rank that is a letter, and its value."""

    rank: str
    value: int


class DeckFacts(TypedDict):
    """The numbers of the deck and of a run, as the engine has them."""

    cards: int
    monsters: int
    monsters_sum: int
    weapons: int
    potions: int
    lowest: int
    highest_tool: int
    letters: list[RankValue]
    room: int
    faced_in_room: int
    rooms: int
    last_room: int
    move_codes: int


class ExampleOutcome(TypedDict):
    """What a line of an example comes to under a ruleset.

    `refused`: why a move of it is not allowed there; then the other fields are those
    before that move.
    """

    ruleset: RulesetKey
    status: RunStatus
    health: int
    score: int | None
    refused: str | None


class ExampleLine(TypedDict):
    """One way to play an example."""

    title: str
    moves: list[MoveCode]
    outcomes: list[ExampleOutcome]


class Example(TypedDict):
    """A worked example of the rules. Its texts and `start`, the first position, are
    those of the default ruleset.
    """

    key: str
    title: str
    text: str
    start: Observation
    lines: list[ExampleLine]


class RulesGuide(TypedDict):
    """What the rules page shows, with every number computed by the engine."""

    deck: DeckFacts
    examples: list[Example]


class ExamplePosition(TypedDict):
    """An example after some moves; `effects` are those of the last one."""

    example: str
    ruleset: RulesetKey
    moves: list[MoveCode]
    effects: list[Effect]
    observation: Observation
