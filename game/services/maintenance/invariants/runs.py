"""I1, I2, I4, I10, I15: every run equals the replay of its moves on its dungeon."""

from collections.abc import Iterator
from itertools import pairwise

from game.models import Dungeon, Move, Run
from game.rules import (
    DECK,
    State,
    broken_off_score,
    deal,
    find_ruleset,
    fold,
    score,
    seal_of,
)
from game.rules.errors import Refusal
from game.rules.observation import faced_count
from game.rules.snapshot import to_text
from game.rules.state import PLAYING
from game.services.maintenance.invariants.breach import Breach
from game.services.runs.dungeons import dungeon_deck, seed_decrypt

_PLAYED_OUT = (Run.Status.CLEARED, Run.Status.DIED)


def breaches() -> Iterator[Breach]:
    """Every breach in dungeons and runs."""
    for dungeon in Dungeon.objects.iterator():
        yield from _dungeon(dungeon)
    runs = Run.objects.select_related("dungeon", "race").prefetch_related("moves")
    for run in runs.iterator(chunk_size=200):
        moves = sorted(run.moves.all(), key=lambda move: move.index)
        yield from _moves(run, moves)
        yield from _times(run, moves)
        yield from _replay(run, moves)


def _dungeon(dungeon: Dungeon) -> Iterator[Breach]:
    row = f"dungeon {dungeon.id}"
    seed = seed_decrypt(dungeon.id, dungeon.seed_sealed)
    if seal_of(seed) != dungeon.seal:
        yield Breach("I10", row, "the seal is not its seed's")
    deck = dungeon_deck(dungeon.id, dungeon.seed_sealed)
    if sorted(deck) != sorted(DECK) or tuple(deck) != tuple(deal(seed)):
        yield Breach("I15", row, "the deck is not that of the seed")


def _moves(run: Run, moves: list[Move]) -> Iterator[Breach]:
    row = f"run {run.id}"
    if [move.index for move in moves] != list(range(len(moves))):
        yield Breach("I2", row, "the moves are not numbered 0 to n-1")
    if run.index != len(moves):
        yield Breach("I2", row, f"stands at {run.index} with {len(moves)} moves")
    keys = [move.key for move in moves if move.key is not None]
    if len(keys) != len(set(keys)):
        yield Breach("I2", row, "a key names two moves")


def _times(run: Run, moves: list[Move]) -> Iterator[Breach]:
    row = f"run {run.id}"
    times = [run.started_at, *(move.at for move in moves)]
    if any(later < earlier for earlier, later in pairwise(times)):
        yield Breach("I4", row, "times run backwards")
    last = times[-1]
    if run.moved_at != last:
        yield Breach("I4", row, "moved_at is not the last move's time")
    if run.finished_at is not None and last > run.finished_at:
        yield Breach("I4", row, "a move after the end")
    deadline = run.race.deadline_at if run.race else run.deadline_at
    if moves and deadline is not None and last > deadline:
        yield Breach("I4", row, "a move past the deadline")


def _replay(run: Run, moves: list[Move]) -> Iterator[Breach]:
    row = f"run {run.id}"
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    rules = find_ruleset(run.ruleset)
    try:
        state = fold(rules, deck, [move.code for move in moves], run.difficulty)
    except Refusal as refusal:
        yield Breach("I1", row, f"its moves cannot be played: {refusal}")
        return
    if to_text(state) != run.snapshot:
        yield Breach("I1", row, "the snapshot is not the replayed state")
    if (run.health, run.faced) != (state.health, faced_count(state)):
        yield Breach("I1", row, "health or faced cards are not those of the replay")
    if run.score != _score(run, state):
        yield Breach("I1", row, f"the score {run.score} is not {_score(run, state)}")
    played_out = run.status in _PLAYED_OUT
    if played_out != (state.status != PLAYING) or (
        played_out and run.status != state.status
    ):
        yield Breach("I1", row, f"is {run.status} but the replay is {state.status}")


def _score(run: Run, state: State) -> int | None:
    if run.status == Run.Status.PLAYING:
        return None
    return score(state) if run.status in _PLAYED_OUT else broken_off_score(state)
