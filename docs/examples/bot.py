"""A racing bot in one file: joins a race, plays it to the end, says how it went.

    pip install websockets
    SCOUNDREL_TOKEN=sdl_... python bot.py http://127.0.0.1:8000 RACE_ID

The token needs the scopes read, play and race; sign up first, guests have none, and two
bots need two accounts. Without RACE_ID it makes a race of two,
prints its id, and waits for somebody. It keeps no state that matters: when the
connection is lost it connects again, says what it knows, and sends again what was not
answered, under the same id.
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
    """A move: whatever leaves most health, weapons first, avoiding a deadly room."""
    legal = run["legal"]
    alive = [one for one in legal if not one["lethal"]]
    facing = [one for one in alive if one["action"] != "avoid"]
    if not facing:
        return str((alive or legal)[0]["move"])

    def worth(move: dict[str, Any]) -> tuple[int, int]:
        better = move["action"] == "equip" and not run["weapon"]
        return int(better), move["health_after"] - 3 * move["wasted"]

    best = max(facing, key=worth)
    avoid = next((one for one in alive if one["action"] == "avoid"), None)
    if avoid and best["health_after"] <= run["health"] // 2:
        return str(avoid["move"])
    return str(best["move"])


class Bot:
    """One race. `since` is the last event that it knows of."""

    def __init__(self, site: str, token: str, race_id: str, seated: bool) -> None:
        self.address = f"{site.replace('http', 'ws', 1)}/ws/v1/bot/races/{race_id}/"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.seated = seated  # whoever makes a race sits in it
        self.since: int | None = None
        self.run: dict[str, Any] | None = None
        self.phase = "open"
        self.pending: dict[str, Any] | None = None
        self.asked = 0

    async def race(self) -> None:
        """Play until the race is over, over as many connections as it takes."""
        while self.phase not in OVER:
            try:
                async with connect(
                    self.address, additional_headers=self.headers
                ) as socket:
                    await self.talk(socket)
            except (OSError, ConnectionClosed, InvalidHandshake) as lost:
                print(f"connection lost ({lost}); again in a second")
                await asyncio.sleep(1)

    async def talk(self, socket: Any) -> None:
        """Say hello, then answer whatever comes."""
        # Where a run is under way the whole race is wanted: it holds the run.
        since = {} if self.since is None or self.run else {"since": self.since}
        await self.say(socket, "hello", since)
        if self.pending is not None:
            await socket.send(json.dumps(self.pending))
        async for text in socket:
            await self.hear(socket, json.loads(text))
            if self.phase in OVER:
                return

    async def say(self, socket: Any, kind: str, fields: dict[str, Any]) -> None:
        """Send a message under a fresh id; a move is kept until it is answered."""
        self.asked += 1
        frame = {
            "v": 1,
            "t": kind,
            "id": f"bot-{os.getpid()}-{self.asked}",
            "d": fields,
        }
        if kind == "move.play":
            self.pending = frame
        await socket.send(json.dumps(frame))

    async def hear(self, socket: Any, frame: dict[str, Any]) -> None:
        """One frame of the server's."""
        kind, fields = frame["t"], frame["d"]
        if "seq" in frame:
            self.since = frame["seq"]
        if kind == "race.snapshot":
            await self.see(socket, fields["race"])
        elif kind in ("run.observation", "move.accepted"):
            await self.go_on(socket, fields["run"])
        elif kind == "race.event":
            print(f"{frame['seq']:4} {fields['kind']}")
            if fields["kind"] in ("closed", "settled", "cancelled"):
                await self.say(socket, "resync", {})
        elif kind == "error":
            print(f"refused: {fields['code']}: {fields['detail']}")
            self.pending = None
            if "run" in fields:
                await self.go_on(socket, fields["run"])

    async def see(self, socket: Any, race: dict[str, Any]) -> None:
        """The race as it stands: join it, be ready, or play on."""
        self.since, self.phase = race["seq"], race["phase"]
        if self.phase in OVER:
            for entrant in race["entrants"]:
                print(entrant["place"], entrant["player"], entrant["score"])
        elif race["run"] is not None:
            await self.go_on(socket, race["run"])
        elif self.phase == "open" and self.asked < 2:
            if not self.seated:
                await self.say(socket, "race.join", {})
            await self.say(socket, "race.ready", {})

    async def go_on(self, socket: Any, run: dict[str, Any]) -> None:
        """Play the next move of a run that is not over, unless one is under way."""
        if self.run is not None and run["index"] < self.run["index"]:
            return
        is_new = self.run is None or run["index"] > self.run["index"]
        self.run = run
        if run["status"] != "playing":
            self.pending = None
            print(f"{run['status']} with {run['score']}")
        elif is_new or self.pending is None:
            await asyncio.sleep(0.5)  # a human pace, well within the limits
            move = {"index": run["index"], "move": choose(run)}
            await self.say(socket, "move.play", move)


def make_race(site: str, token: str) -> str:
    """A public race of two; its id."""
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
    """Read the command line and race."""
    site = sys.argv[1].rstrip("/")
    token = os.environ["SCOUNDREL_TOKEN"]
    given = sys.argv[2] if len(sys.argv) > 2 else None
    race_id = given or make_race(site, token)
    asyncio.run(Bot(site, token, race_id, seated=given is None).race())


if __name__ == "__main__":
    main()
