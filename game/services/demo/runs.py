"""Runs of the demo data, played by the reference players."""

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from game.analysis.players import PLAYERS, SeededRandom, view_of
from game.models import Account, Dungeon, Move, Run
from game.rules import State, apply, find_ruleset, start
from game.rules.observation import faced_count
from game.rules.scoring import score
from game.rules.snapshot import to_text
from game.rules.state import PLAYING
from game.services.runs.dungeons import dungeon_deck

# Players of the demo: most are greedy, few are strong, some play at random.
STYLES = ("mc10-1", "random-1", *("greedy-1",) * 8)


class Manner(NamedTuple):
    """How an account plays.

    `play` and `pace` are the random numbers for the moves and for their durations;
    `slips` percent of the moves are random.
    """

    play: SeededRandom
    pace: SeededRandom
    slips: int = 0


class _Played(NamedTuple):
    state: State
    codes: list[str]


def demo_run(
    account: Account,
    dungeon: Dungeon,
    *,
    difficulty: str,
    began: datetime,
    manner: Manner,
    **more: Any,
) -> Run:
    """Create a finished run, started at `began`; `more` are further fields of Run."""
    deck = dungeon_deck(dungeon.id, dungeon.seed_sealed)
    rules = find_ruleset(dungeon.ruleset)
    style = STYLES[sum(map(ord, account.name)) % len(STYLES)]
    played = _play(start(rules, deck, difficulty), style, manner)
    times = [began]
    for _ in played.codes:
        times.append(times[-1] + timedelta(milliseconds=900 + manner.pace.below(6000)))
    run = Run.objects.create(
        account=account,
        dungeon=dungeon,
        ruleset=rules.key,
        difficulty=difficulty,
        status=played.state.status,
        index=played.state.index,
        snapshot=to_text(played.state),
        health=played.state.health,
        faced=faced_count(played.state),
        score=score(played.state),
        started_at=began,
        moved_at=times[-1],
        finished_at=times[-1],
        **more,
    )
    Move.objects.bulk_create(
        Move(run=run, index=index, code=code, at=when)
        for index, (code, (_, when)) in enumerate(
            zip(played.codes, pairwise(times), strict=True)
        )
    )
    return run


def _play(state: State, style: str, manner: Manner) -> _Played:
    """Play the run to its end."""
    rng, slips, codes = manner.play, manner.slips, []
    while state.status == PLAYING:
        has_slipped = slips > 0 and rng.below(100) < slips
        player = PLAYERS["random-1" if has_slipped else style]
        for move in player.plan(view_of(state), rng):
            state, _ = apply(state, move)
            codes.append(str(move))
    return _Played(state, codes)
