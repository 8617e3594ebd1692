"""Shows people their own runs when something else than their own move changed them.

At the start, at the end of time, and in a second tab. A socket whose move is being
played is passed over: its answer holds the run.
"""

from api.ws.connection import executor
from api.ws.connection.sockets import Socket
from api.ws.races.source import News, Source
from api.ws.races.watch import Watch


class Onlooker:
    """Finds who has not seen his run as it is, and shows it."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def blind(self, watch: Watch, news: News) -> list[Socket]:
        """The sockets whose own run these news changed behind their backs."""
        changed = self._changed(news)
        blind = []
        for each in watch.sockets if changed else ():
            seq = changed.get(each.identity.account_id, 0)
            if each.joined and each.answered < seq <= each.sent:
                each.overlooked = each.asking
                blind += [] if each.asking else [each]
        return blind

    def _changed(self, news: News) -> dict[str, int]:
        """The accounts whose runs changed, each with the number of the event."""
        changed: dict[str, int] = {}
        for event in news.events:
            if self._source.starts(event):
                changed |= dict.fromkeys(news.accounts, event.seq)
            subject = self._source.subject(event, news)
            if subject is not None:
                changed[subject] = event.seq
        return changed

    async def show(self, watch: Watch, blind: list[Socket]) -> None:
        """Send these sockets their runs as they stand."""
        if not blind:
            return
        accounts = {each.identity.account_id for each in blind}
        runs = await executor.read(lambda: self._source.runs(watch.race_id, accounts))
        for socket in blind:
            run = runs.get(socket.identity.account_id)
            if run is not None:
                socket.send("run.observation", {"run": run})
