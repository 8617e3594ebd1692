"""Checks that no frame of a race contains a card beyond its reader's horizon.

The scanner knows the race's deck. An entrant may read the cards that their own runs
have shown them, this frame included. A spectator may read those that the slowest
entrant who still plays has been shown.
"""

import json
import re
from typing import Any

from game.models import Account, Entrant, Race, Run
from game.rules.cards import DECK
from game.selectors.races.loading import positions_shown
from game.services.runs.dungeons import dungeon_deck, seed_decrypt
from tests.scanner import Leak

CARD = re.compile(r"(?<![0-9A-Za-z])([2-9TJQKA][CSDH])[wb]?(?![0-9A-Za-z])")


class HorizonScanner:
    """Scans the frames of one account on one race, on all its sockets.

    `shown` is how many deck positions the runs it was sent have shown.
    """

    def __init__(self, race_id: str, account: Account) -> None:
        self.race_id, self.account = race_id, account
        self.shown = 0
        self.bytes_read = 0

    def __call__(self, _: object, payload: bytes) -> None:
        """Raise Leak if this frame has a card or seed that its reader may not know."""
        self.bytes_read += len(payload)
        text = payload.decode()
        race = Race.objects.select_related("dungeon").get(id=self.race_id)
        if race.dungeon is None:
            self._raise_if_any(CARD.findall(text), text)
            return
        if race.closed_at is not None:
            return
        sealed = race.dungeon.seed_sealed
        if sealed in text or seed_decrypt(race.dungeon.id, sealed) in text:
            raise Leak(f"the seed in {text[:300]}")
        deck = list(dungeon_deck(race.dungeon.id, sealed))
        self._update_shown(json.loads(text))
        known = set(deck[: max(self.shown, self._spectator_horizon())])
        self._raise_if_any(
            [card for card in CARD.findall(text) if card not in known], text
        )

    def _update_shown(self, frame: dict[str, Any]) -> None:
        """Update `shown` if the frame holds the reader's own run."""
        body = frame["d"]
        run = body.get("run") or (body.get("race") or {}).get("run")
        if not run and body.get("player") == self.account.name:
            run = body.get("table")  # the event of a move may come before its answer
        if run and run.get("player", self.account.name) == self.account.name:
            unseen = run["dungeon_left"] - len(run["bottom"])
            self.shown = max(self.shown, len(DECK) - unseen)

    def _spectator_horizon(self) -> int:
        """The horizon of spectators, and of entrants whose run is over."""
        entrants = Entrant.objects.filter(race_id=self.race_id, left_at=None)
        own = entrants.filter(account=self.account).select_related("run").first()
        if own is not None and (own.run is None or own.run.status == "playing"):
            return 0
        runs = Run.objects.filter(race_id=self.race_id)
        if not runs.exists():
            return 0
        playing = runs.filter(status="playing")
        return min((positions_shown(run) for run in playing), default=len(DECK))

    def _raise_if_any(self, found: list[str], text: str) -> None:
        if found:
            raise Leak(f"cards beyond the horizon {found} in {text[:500]}")
