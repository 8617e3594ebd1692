"""Reads all races with their runs, moves and decks from the database."""

from typing import Any

from game.services.runs.dungeons import dungeon_deck, seed_decrypt
from tests.faults.history import StoredMove, StoredRace, StoredRun

_RACES = """
select g.id, d.id, d.seed_sealed, g.starts_at, g.closed_at
from game_race g join game_dungeon d on d.id = g.dungeon_id
"""
_RUNS = """
select race_id, account_id, ruleset, difficulty, finished_at
from game_run where race_id is not null
"""
_MOVES = """
select r.race_id, r.account_id, m."index", m.code, m.key, m.at
from game_move m join game_run r on r.id = m.run_id
where r.race_id is not null order by r.id, m."index"
"""


def read_stored_races(cursor: Any) -> dict[str, StoredRace]:
    """Read every race that has a dungeon; by race id."""
    races = {}
    for race_id, dungeon_id, sealed, starts_at, closed_at in _rows(cursor, _RACES):
        races[race_id] = StoredRace(
            seed_decrypt(dungeon_id, sealed),
            sealed,
            tuple(dungeon_deck(dungeon_id, sealed)),
            starts_at,
            closed_at,
        )
    for race_id, account_id, *more in _rows(cursor, _RUNS):
        races[race_id].runs[account_id] = StoredRun(account_id, *more)
    for race_id, account_id, *move in _rows(cursor, _MOVES):
        races[race_id].runs[account_id].moves.append(StoredMove(*move))
    return races


def _rows(cursor: Any, sql: str) -> list[Any]:
    cursor.execute(sql)
    found: list[Any] = cursor.fetchall()
    return found
