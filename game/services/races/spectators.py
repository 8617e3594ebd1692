"""How many people watch each race without taking part, in all web processes together.

Each web process says now and then how many it has; with Valkey the others' numbers are
added to one's own. It is a number to look at, nothing depends on it: what is not heard
of for a while counts no more, and without Valkey one's own are all there are.
"""

import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from game.services.core import valkey

KEY: Final = "scoundrel:watching"
# A process's numbers count for HOLDS_S; the others' are read again after _KEPT_S.
HOLDS_S: Final = 20
_KEPT_S = 1.0

# By Valkey's clock: "until when it holds" and then the numbers, for each process.
_TELL = """
local till = tonumber(redis.call('TIME')[1]) + tonumber(ARGV[3])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %s', till, ARGV[2]))
return 0
"""
_HEAR = """
local now, found = tonumber(redis.call('TIME')[1]), {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
    local till, word = string.match(all[i + 1], '^(%d+) (.*)$')
    if tonumber(till) < now then
        redis.call('HDEL', KEYS[1], all[i])
    elseif all[i] ~= ARGV[1] then
        table.insert(found, word)
    end
end
return found
"""


class Watching:
    """This process's numbers, and what it has heard of the others'."""

    def __init__(self) -> None:
        self.own: Mapping[str, int] = {}
        self._origin = secrets.token_hex(6)
        self._others: Counter[str] = Counter()
        self._ask_at = 0.0
        self._lock = threading.Lock()

    def tell(self, own: Mapping[str, int]) -> None:
        """This process's numbers by race, to be said at least each 10 s."""
        self.own = {race_id: count for race_id, count in own.items() if count}
        self._try(_TELL, self._origin, json.dumps(self.own), str(HOLDS_S))
        self._ask_at = min(self._ask_at, time.monotonic())

    def count(self, race_id: str) -> int:
        """How many watch that race now, as far as it is known here."""
        return self.own.get(race_id, 0) + self.elsewhere(race_id)

    def mark(self) -> frozenset[tuple[str, int]]:
        """Something that differs once a number does."""
        self.elsewhere("")
        return frozenset((Counter(self.own) + self._others).items())

    def elsewhere(self, race_id: str) -> int:
        """How many of them in other processes."""
        with self._lock:
            if time.monotonic() >= self._ask_at:
                self._ask_at = time.monotonic() + _KEPT_S
                self._hear()
        return self._others[race_id]

    def _hear(self) -> None:
        others: Counter[str] = Counter()
        for word in self._try(_HEAR, self._origin) or ():
            others.update(json.loads(word))
        self._others = others

    def _try(self, script: str, *words: str) -> Any:
        """The script's answer; None without Valkey."""
        try:
            return valkey.run_script(script, [KEY], words)
        except valkey.Unavailable:
            return None


watching: Final = Watching()
