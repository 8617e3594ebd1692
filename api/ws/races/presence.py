"""Which entrants are here: noted when they come, refreshed, and ended when they go.

A reload closes one socket and opens another; so somebody is gone only when he has not
come back for a moment. Races that are over are left alone.
"""

import asyncio

from api.ws.connection import executor
from api.ws.races.source import Source
from api.ws.races.watch import Watch

GONE_AFTER_S = 3.0


class Presence:
    """Tells the source who is here, once for each who comes or goes."""

    def __init__(self, source: Source) -> None:
        self._source = source

    async def come(self, watch: Watch) -> None:
        """Note the entrants who are here and were not."""
        if watch.news.is_over:
            return
        new = watch.accounts_here() - watch.present
        if new:
            watch.present |= new
            pairs = [(watch.race_id, account_id) for account_id in sorted(new)]
            await executor.note(lambda: self._source.seen(pairs))

    async def go(self, watch: Watch, account_id: str) -> None:
        """Note that somebody has gone, unless he comes back in a moment."""
        if account_id not in watch.present:
            return
        await asyncio.sleep(GONE_AFTER_S)
        if account_id in watch.accounts_here() or account_id not in watch.present:
            return
        watch.present.discard(account_id)
        if not watch.news.is_over:
            await executor.note(lambda: self._source.gone(watch.race_id, account_id))

    async def refresh(self, watches: list[Watch]) -> None:
        """Say again who is here, before it is forgotten."""
        pairs = [
            (watch.race_id, account_id)
            for watch in watches
            if not watch.news.is_over
            for account_id in sorted(watch.present)
        ]
        if pairs:
            await executor.note(lambda: self._source.seen(pairs))
