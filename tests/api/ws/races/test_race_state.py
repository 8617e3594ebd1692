"""A picture that moves keep in step is the one that reading the race would give."""

import json
import random

import pytest

from api.ws.races.game_source import GameSource
from api.ws.races.race_state import Picture
from game.models import Account, Race
from game.rules import legal_moves
from game.selectors.races.snapshots import EventRow, KnownEvent, race_event_rows
from game.selectors.races.tables import race_table
from game.selectors.runs.runs import row_of, state_of
from game.services.races.commands import race_join, race_ready
from game.services.races.timeouts import race_due
from game.services.runs.dungeons import deck_open
from game.services.runs.moves.play import race_move_play
from tests.api.ws.conftest import People, now

pytestmark = pytest.mark.django_db


def running(people: People, count: int) -> tuple[str, list[Account]]:
    accounts = [people.guest() for _ in range(count)]
    race_id = people.race(accounts[0], seats=count)
    for account in accounts[1:]:
        race_join(account_id=account.id, race_id=race_id, at=now())
    for account in accounts:
        race_ready(account_id=account.id, race_id=race_id, at=now())
    at = now()
    Race.objects.filter(id=race_id).update(starts_at=at, due_at=at)
    race_due(race_id, at=at)
    return race_id, accounts


def read(race_id: str) -> Picture:
    table = race_table(race_id)
    assert table is not None
    return Picture.of(table)


def at_hand(rows: list[EventRow]) -> list[KnownEvent]:
    """Events as the doorbell brings them."""
    return [KnownEvent(row, json.loads(row.body)) for row in rows]


def any_move(race_id: str, account: Account, chance: random.Random) -> bool:
    """A random legal move; False where the run is over."""
    table = race_table(race_id)
    assert table is not None
    own = table.entrant(account.id)
    assert own is not None
    assert own.run is not None
    if own.run.status != "playing":
        return False
    dungeon = own.run.dungeon
    state = state_of(row_of(own.run), deck_open(dungeon.id, dungeon.seed_sealed))
    move = chance.choice(legal_moves(state))
    race_move_play(
        account_id=account.id, race_id=race_id, index=own.run.index, code=str(move)
    )
    return True


@pytest.mark.parametrize("seed", range(4))
def test_after_any_moves_it_shows_what_a_reading_shows(people, seed):
    chance, source = random.Random(seed), GameSource()
    race_id, accounts = running(people, 3)
    news = source.news(race_id, None, None)
    known = news.picture
    head, folded = news.head, 0
    while any(any_move(race_id, account, chance) for account in accounts):
        found = source.told(at_hand(race_event_rows(race_id, head)), known)
        truth = read(race_id)
        if found is None:
            known = truth
        else:
            known, folded = found.picture, folded + 1
            for account_id in (*(one.id for one in accounts), None):
                assert known.context(account_id) == truth.context(account_id)
        head = race_event_rows(race_id, head)[-1].seq
    assert folded > 1


def test_anything_but_a_move_is_read_anew(people):
    race_id, _ = running(people, 2)
    source = GameSource()
    picture = read(race_id)
    rows = at_hand(race_event_rows(race_id, 0))
    assert source.told(rows, picture) is None
    assert source.told(rows, None) is None
    assert source.news(race_id, 0, picture).picture == picture


def test_an_event_for_a_spectator_is_cut_by_the_slowest(people):
    race_id, (ada, bob) = running(people, 2)
    chance, source = random.Random(1), GameSource()
    head = source.news(race_id, None, None).head
    while read(race_id).shown[1] == 4 and any_move(race_id, ada, chance):
        pass
    news = source.news(race_id, head, None)
    if not news.events:
        return
    own, other, watcher = (news.role_of(who) for who in (ada.id, bob.id, None))
    last = news.events[-1]
    assert "table" in source.cut(last, own)
    assert "table" not in source.cut(last, other)
    assert "table" not in source.cut(last, watcher)
    assert source.key(last, other) == source.key(last, watcher) != source.key(last, own)
