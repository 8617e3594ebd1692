"""The scanner of sockets: reads every byte as it comes, knowing the seed.

A race's deck is opened here, where its viewer may not. What a frame may hold is the
deck as far as its viewer has been shown it: an entrant by the runs that he was sent
until then, this very frame included; a spectator as far as the slowest who still plays.
"""

import json
import re
from typing import Any

from game.models import Account, Entrant, Race, Run
from game.rules.cards import DECK
from game.selectors.races.tables import shown_of
from game.services.runs.dungeons import deck_open, seed_open
from tests.scanner import Leak

CARD = re.compile(r"(?<![0-9A-Za-z])([2-9TJQKA][CSDH])[wb]?(?![0-9A-Za-z])")


class Watchful:
    """An account's scanner on a race, whatever the number of its sockets.

    `shown` is how many deck positions the runs that it was sent have shown.
    """

    def __init__(self, race_id: str, account: Account) -> None:
        self.race_id, self.account = race_id, account
        self.shown = 0
        self.read = 0

    def __call__(self, _: object, payload: bytes) -> None:
        """Raise Leak if this frame tells what its reader cannot know."""
        self.read += len(payload)
        text = payload.decode()
        race = Race.objects.select_related("dungeon").get(id=self.race_id)
        if race.dungeon is None:
            self._nothing(CARD.findall(text), text)
            return
        if race.closed_at is not None:
            return
        sealed = race.dungeon.seed_sealed
        if sealed in text or seed_open(race.dungeon.id, sealed) in text:
            raise Leak(f"the seed in {text[:300]}")
        deck = list(deck_open(race.dungeon.id, sealed))
        self._learn(json.loads(text))
        known = set(deck[: max(self.shown, self._slowest())])
        self._nothing([card for card in CARD.findall(text) if card not in known], text)

    def _learn(self, frame: dict[str, Any]) -> None:
        """How far the viewer's own run has come, if the frame holds it."""
        body = frame["d"]
        run = body.get("run") or (body.get("race") or {}).get("run")
        if not run and body.get("player") == self.account.name:
            run = body.get("table")  # his own move may be told before it is answered
        if run and run.get("player", self.account.name) == self.account.name:
            pile = run["dungeon_left"] - len(run["bottom"])
            self.shown = max(self.shown, len(DECK) - pile)

    def _slowest(self) -> int:
        """A spectator's horizon; an entrant whose run is over sees as far."""
        entrants = Entrant.objects.filter(race_id=self.race_id, left_at=None)
        own = entrants.filter(account=self.account).select_related("run").first()
        if own is not None and (own.run is None or own.run.status == "playing"):
            return 0
        runs = Run.objects.filter(race_id=self.race_id)
        if not runs.exists():
            return 0
        playing = runs.filter(status="playing")
        return min((shown_of(run) for run in playing), default=len(DECK))

    def _nothing(self, found: list[str], text: str) -> None:
        if found:
            raise Leak(f"cards beyond the horizon {found} in {text[:500]}")
