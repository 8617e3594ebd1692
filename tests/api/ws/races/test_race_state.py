"""Applying move events to a race state equals reading the race again."""

import json
import random

import pytest

from api.ws.races.backend import Backend
from api.ws.races.race_state import RaceState, update_from_moves
from game.contest.horizon import event_disclosure
from game.models import Account, Race
from game.rules import legal_moves
from game.selectors.races.loading import race_load
from game.selectors.races.snapshots import (
    EventRow,
    KnownEvent,
    event_show,
    race_event_rows,
)
from game.selectors.runs.runs import run_row, run_state
from game.services.races.commands import race_join, race_ready
from game.services.races.timeouts import race_advance
from game.services.runs.dungeons import dungeon_deck
from game.services.runs.moves.play import race_move_play
from tests.api.ws.conftest import People, now

pytestmark = pytest.mark.django_db


def start_race(people: People, count: int) -> tuple[str, list[Account]]:
    accounts = [people.guest() for _ in range(count)]
    race_id = people.race(accounts[0], seats=count)
    for account in accounts[1:]:
        race_join(account_id=account.id, race_id=race_id, at=now())
    for account in accounts:
        race_ready(account_id=account.id, race_id=race_id, at=now())
    at = now()
    Race.objects.filter(id=race_id).update(starts_at=at, due_at=at)
    race_advance(race_id, at=at)
    return race_id, accounts


def read_state(race_id: str) -> RaceState:
    table = race_load(race_id)
    assert table is not None
    return RaceState.from_table(table)


def known_events(rows: list[EventRow]) -> list[KnownEvent]:
    """Return the events as notifications carry them."""
    return [KnownEvent(row, json.loads(row.body)) for row in rows]


def play_any(race_id: str, account: Account, rng: random.Random) -> bool:
    """Play a random legal move; False if the run is over."""
    table = race_load(race_id)
    assert table is not None
    own = table.entrant(account.id)
    assert own is not None
    assert own.run is not None
    if own.run.status != "playing":
        return False
    dungeon = own.run.dungeon
    state = run_state(run_row(own.run), dungeon_deck(dungeon.id, dungeon.seed_sealed))
    move = rng.choice(legal_moves(state))
    race_move_play(
        account_id=account.id, race_id=race_id, index=own.run.index, code=str(move)
    )
    return True


@pytest.mark.parametrize("seed", range(4))
def test_state_updated_by_moves_equals_the_state_read(people, seed):
    rng = random.Random(seed)
    race_id, accounts = start_race(people, 3)
    update = Backend().update(race_id, None, None)
    state, last_seq, applied = update.state, update.last_seq, 0
    while any(play_any(race_id, account, rng) for account in accounts):
        rows = race_event_rows(race_id, last_seq)
        found = update_from_moves(known_events(rows), state)
        expected = read_state(race_id)
        if found is None:
            state = expected
        else:
            state, applied = found.state, applied + 1
            for account_id in (*(one.id for one in accounts), None):
                context = state.viewer_context(account_id)
                assert context == expected.viewer_context(account_id)
        last_seq = rows[-1].seq
    assert applied > 1


def test_other_events_make_the_backend_read_the_race(people):
    race_id, _ = start_race(people, 2)
    state = read_state(race_id)
    events = known_events(race_event_rows(race_id, 0))
    assert update_from_moves(events, state) is None
    assert update_from_moves([], state) is None
    assert Backend().update(race_id, 0, state).state == state


def test_spectators_see_no_more_than_the_slowest_entrant(people):
    race_id, (ada, bob) = start_race(people, 2)
    backend = Backend()
    last_seq = backend.update(race_id, None, None).last_seq
    # Avoiding shows the next room at no risk: no deck ends the run before that.
    race_move_play(account_id=ada.id, race_id=race_id, index=0, code="avoid")
    assert read_state(race_id).shown[1] == 8
    update = backend.update(race_id, last_seq, None)
    row, body = update.events[-1]
    contexts = [update.state.viewer_context(who) for who in (ada.id, bob.id, None)]
    own, other, spectator = (event_show(row, context, body) for context in contexts)
    assert "table" in own
    assert "table" not in other
    assert other == spectator
    disclosures = [
        event_disclosure(row.kind, row.seat, row.needs, body, context.viewpoint)
        for context in contexts
    ]
    assert disclosures[0] != disclosures[1] == disclosures[2]
