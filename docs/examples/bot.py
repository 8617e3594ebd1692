"""A bot in one file: joins a race, plays it to the end, and prints the result.

    pip install websockets
    SCOUNDREL_TOKEN=sdl_... python bot.py http://127.0.0.1:8000 RACE_ID

The token needs the scopes read, play and race. Guests cannot make tokens, so sign up
first and turn the account into a bot account; two bots need two accounts. Without
RACE_ID the bot creates a race of two, prints its id and waits for an opponent. When the
connection is lost it connects again, resumes after the last event it knows, and sends
an unanswered move again under the same id.
"""

import asyncio
import json
import os
import sys
import urllib.request
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

OVER = {"closed", "settled", "cancelled", "voided"}


def choose(run: dict[str, Any]) -> str:
    """Return a legal move: a first weapon, else what leaves most health, or avoid."""
    legal = run["legal"]
    alive = [one for one in legal if not one["lethal"]]
    facing = [one for one in alive if one["action"] != "avoid"]
    if not facing:
        return str((alive or legal)[0]["move"])

    def value(move: dict[str, Any]) -> tuple[int, int]:
        is_first_weapon = move["action"] == "equip" and not run["weapon"]
        return int(is_first_weapon), move["health_after"] - 3 * move["wasted"]

    best = max(facing, key=value)
    avoid = next((one for one in alive if one["action"] == "avoid"), None)
    if avoid and best["health_after"] <= run["health"] // 2:
        return str(avoid["move"])
    return str(best["move"])


class Bot:
    """Plays one race. `since` is the number of the last event it knows."""

    def __init__(self, site: str, token: str, race_id: str, has_joined: bool) -> None:
        self.url = f"{site.replace('http', 'ws', 1)}/ws/v1/bot/races/{race_id}/"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.has_joined = has_joined  # the account that creates a race has joined it
        self.since: int | None = None
        self.run: dict[str, Any] | None = None
        self.phase = "open"
        self.pending: dict[str, Any] | None = None
        self.sent = 0

    async def race(self) -> None:
        """Play until the race is over; connect again after each loss."""
        while self.phase not in OVER:
            try:
                async with connect(self.url, additional_headers=self.headers) as socket:
                    await self.talk(socket)
            except (OSError, ConnectionClosed, InvalidHandshake) as lost:
                print(f"connection lost ({lost}); connecting again in a second")
                await asyncio.sleep(1)

    async def talk(self, socket: Any) -> None:
        """Send hello, then handle frames until the race is over."""
        # With a run ask for a snapshot instead, because it contains the run.
        since = {} if self.since is None or self.run else {"since": self.since}
        await self.send(socket, "hello", since)
        if self.pending is not None:
            await socket.send(json.dumps(self.pending))
        async for text in socket:
            await self.handle(socket, json.loads(text))
            if self.phase in OVER:
                return

    async def send(self, socket: Any, kind: str, fields: dict[str, Any]) -> None:
        """Send a message with a new id; a move is kept until it is answered."""
        self.sent += 1
        frame = {
            "v": 1,
            "t": kind,
            "id": f"bot-{os.getpid()}-{self.sent}",
            "d": fields,
        }
        if kind == "move.play":
            self.pending = frame
        await socket.send(json.dumps(frame))

    async def handle(self, socket: Any, frame: dict[str, Any]) -> None:
        """Handle a frame of the server."""
        kind, fields = frame["t"], frame["d"]
        if "seq" in frame:
            self.since = frame["seq"]
        if kind == "race.snapshot":
            await self.handle_race(socket, fields["race"])
        elif kind in ("run.observation", "move.accepted"):
            await self.handle_run(socket, fields["run"])
        elif kind == "race.event":
            print(f"{frame['seq']:4} {fields['kind']}")
            if fields["kind"] in ("closed", "settled", "cancelled"):
                await self.send(socket, "resync", {})
        elif kind == "error":
            print(f"refused: {fields['code']}: {fields['detail']}")
            self.pending = None
            if "run" in fields:
                await self.handle_run(socket, fields["run"])

    async def handle_race(self, socket: Any, race: dict[str, Any]) -> None:
        """Join the race, get ready, or play, by its phase."""
        self.since, self.phase = race["seq"], race["phase"]
        if self.phase in OVER:
            for entrant in race["entrants"]:
                print(entrant["place"], entrant["player"], entrant["score"])
        elif race["run"] is not None:
            await self.handle_run(socket, race["run"])
        elif self.phase == "open" and self.sent < 2:
            if not self.has_joined:
                await self.send(socket, "race.join", {})
            await self.send(socket, "race.ready", {})

    async def handle_run(self, socket: Any, run: dict[str, Any]) -> None:
        """Play the next move, unless one is not answered yet or the run is over."""
        if self.run is not None and run["index"] < self.run["index"]:
            return
        is_new = self.run is None or run["index"] > self.run["index"]
        self.run = run
        if run["status"] != "playing":
            self.pending = None
            print(f"{run['status']} with {run['score']}")
        elif is_new or self.pending is None:
            await asyncio.sleep(0.5)  # stays within the rate limit
            move = {"index": run["index"], "move": choose(run)}
            await self.send(socket, "move.play", move)


def make_race(site: str, token: str) -> str:
    """Create a public race of two; return its id."""
    request = urllib.request.Request(
        f"{site}/api/v1/races/",
        data=json.dumps({"format": "score", "seats": 2}).encode(),
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as answer:
        race: dict[str, Any] = json.load(answer)
    print(f"waiting in race {race['id']}")
    return str(race["id"])


def main() -> None:
    """Play the race that the command line names."""
    site = sys.argv[1].rstrip("/")
    token = os.environ["SCOUNDREL_TOKEN"]
    given = sys.argv[2] if len(sys.argv) > 2 else None
    race_id = given or make_race(site, token)
    asyncio.run(Bot(site, token, race_id, has_joined=given is None).race())


if __name__ == "__main__":
    main()
