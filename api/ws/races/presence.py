"""Records which entrants of open races have a socket here.

A page reload closes one socket and opens another, so an entrant counts as gone only
after GONE_AFTER_S without a socket.
"""

import asyncio

from api.ws.connection import database
from api.ws.races.backend import Backend
from api.ws.races.watched_race import WatchedRace

GONE_AFTER_S = 3.0


class Presence:
    """Records each entrant once when they come and once when they have gone."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def note_new(self, race: WatchedRace) -> None:
        """Record the entrants who are present and were not before."""
        if race.state.is_closed:
            return
        new = race.present_entrants() - race.noted_present
        if new:
            race.noted_present |= new
            pairs = [(race.race_id, account_id) for account_id in sorted(new)]
            await database.write_minor(lambda: self._backend.note_present(pairs))

    async def note_gone(self, race: WatchedRace, account_id: str) -> None:
        """Record that an entrant has gone, unless they come back in time."""
        if account_id not in race.noted_present:
            return
        await asyncio.sleep(GONE_AFTER_S)
        has_returned = account_id in race.present_entrants()
        if has_returned or account_id not in race.noted_present:
            return
        race.noted_present.discard(account_id)
        if not race.state.is_closed:
            await database.write_minor(
                lambda: self._backend.note_gone(race.race_id, account_id)
            )

    async def refresh(self, races: list[WatchedRace]) -> None:
        """Record again who is present, before the last record expires."""
        pairs = [
            (race.race_id, account_id)
            for race in races
            if not race.state.is_closed
            for account_id in sorted(race.noted_present)
        ]
        if pairs:
            await database.write_minor(lambda: self._backend.note_present(pairs))
